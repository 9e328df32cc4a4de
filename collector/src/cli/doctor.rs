//! `kerncast doctor`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    child::Children,
    doctor::{Verdict, examine},
};

use super::{exit, table};

/// Check whether this machine can measure and count, and say what to do where it can't
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast doctor

Exit status: 0 where all is well, 1 where something is a problem.")]
pub(super) struct Arguments {}

pub(super) fn doctor(_: &Arguments) -> Result<ExitCode> {
    let checks = examine(&Children::new()?);
    for check in &checks {
        let verdict = match check.verdict {
            Verdict::Good => "good",
            Verdict::Warning => "warning",
            Verdict::Problem => "PROBLEM",
        };
        table::print(&format!("{verdict:<9}{:<12}{}", check.what, check.found))?;
    }
    let good = checks.iter().all(|check| check.verdict != Verdict::Problem);
    Ok(exit(good))
}
