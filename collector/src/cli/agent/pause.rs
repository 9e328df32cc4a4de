//! `kerncast agent pause` and `resume`.

use std::{process::ExitCode, time::Duration};

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use clap::Args;
use kerncast_collector::{
    UsageError,
    agent::{Pause, State},
    folders,
};

use crate::cli::{table, units};

/// Measure nothing until it is resumed; a run that is under way ends after its workload
///
/// What waits in the spool is still sent at the agent's times.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast agent pause
  kerncast agent pause --for 3d")]
pub(super) struct PauseArguments {
    /// Measure again after so long
    #[arg(long = "for", value_name = "DURATION", value_parser = units::duration)]
    length: Option<Duration>,
}

pub(super) fn pause(arguments: &PauseArguments) -> Result<ExitCode> {
    let until = match arguments.length {
        None => None,
        Some(length) => {
            let length = TimeDelta::from_std(length).ok();
            let until = length.and_then(|length| Utc::now().checked_add_signed(length));
            let problem = || UsageError("--for: expected a time before the year 262142".to_owned());
            Some(until.ok_or_else(problem)?)
        }
    };
    let pause = State::open(&folders::state())?.pause(until)?;
    table::print(&in_words(&pause))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn resume() -> Result<ExitCode> {
    let was_paused = State::open(&folders::state())?.resume()?;
    table::print(match was_paused {
        true => "the agent measures again at its next time",
        false => "the agent was not paused",
    })?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn in_words(pause: &Pause) -> String {
    let time = |at: chrono::DateTime<Utc>| at.format("%Y-%m-%d %H:%M UTC");
    let until = match pause.until {
        Some(until) => format!("until {}", time(until)),
        None => "until `kerncast agent resume`".to_owned(),
    };
    format!("the agent is paused since {}, {until}", time(pause.since))
}
