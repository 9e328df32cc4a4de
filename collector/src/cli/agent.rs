//! `kerncast agent`.

use std::{process::ExitCode, time::Duration};

use anyhow::Result;
use chrono::TimeDelta;
use clap::{Args, Subcommand};
use kerncast_collector::{
    agent::{AgentSettings, Backlog, NightlyRun, State, host},
    delivery::Destination,
    folders,
};

use super::{exit, parse, run, units};

/// Measure this machine every night, while nobody else uses it
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(Box<RunArguments>),
}

/// Measure what is due, oldest first, and upload; the timer calls this
///
/// Only one agent at a time measures on a machine. It waits while others compute on the device (only NVIDIA's GPUs and
/// CPUs tell), looks again every minute, and stops when it has waited too long. First come workloads that were never
/// measured with their present sources and driver, then those measured longest ago. Workloads that are not due are
/// skipped; those that failed are due the next time.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast agent run
      an hour at most; everything is measured again within two weeks
  kerncast agent run --budget 1m
      now, to see that it works
  kerncast agent run --within 7d --device h200 --kernels ~/kernels
  15 3 * * *  nice -n 10 kerncast agent run >>/var/log/kerncast.log 2>&1
      from cron, without systemd

Without --budget a run ends after an hour. The other options are those of
kerncast run.")]
struct RunArguments {
    /// Measure every workload again within this time; a workload is due after three quarters of it
    #[arg(long, value_name = "DURATION", value_parser = parse::duration, default_value = "14d", help_heading = "Schedule")]
    within: Duration,
    /// Wait at most this long in total while others compute on the devices
    #[arg(long, value_name = "DURATION", value_parser = parse::duration, default_value = "30m", help_heading = "Schedule")]
    wait: Duration,
    /// Measure even while others compute
    #[arg(long, conflicts_with = "wait", help_heading = "Schedule")]
    even_if_busy: bool,
    #[command(flatten)]
    run: run::Arguments,
}

/// The most that this machine's clock may be off; clocks set by the network differ by far less.
const MAX_CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(5);
/// The budget of a run without --budget.
const DEFAULT_BUDGET: Duration = Duration::from_secs(3600);

pub(super) fn agent(arguments: &mut Arguments) -> Result<ExitCode> {
    let Command::Run(arguments) = &mut arguments.command;
    let state = State::open(&folders::state())?;
    let _lock = state.lock()??;
    arguments.run.budget.get_or_insert(DEFAULT_BUDGET);
    let settings = AgentSettings {
        within: arguments.within,
        wait: (!arguments.even_if_busy).then_some(arguments.wait),
    };
    let mut nightly_run = NightlyRun::begin(&state, settings)?;
    let destination = arguments.run.measuring.destination();
    if let Some(problem) = clock_problem(&destination)? {
        say!("warning: {problem}");
        nightly_run.complain(problem);
    }
    let good = run::measure_and_upload(&arguments.run, &destination, Some(&mut nightly_run))?;
    if let Some(why) = nightly_run.stopped() {
        say!("{why}: the rest is left for the next run");
    }
    say!("{}", in_words(&nightly_run.backlog()));
    Ok(exit(good))
}

fn in_words(backlog: &Backlog) -> String {
    let (workloads, due) = (units::count(backlog.workloads, "workload"), backlog.due);
    let overdue = match backlog.overdue {
        0 => String::new(),
        n => format!(", {n} of them for too long"),
    };
    let are = if due == 1 { "is" } else { "are" };
    format!("{due} of {workloads} {are} due{overdue}")
}

/// What to say if this machine's clock or the server's is wrong; none where both agree.
fn clock_problem(destination: &Destination) -> Result<Option<String>> {
    let Some(server) = destination.server()? else {
        return Ok(None);
    };
    let ahead = server.clock_ahead();
    let wrong = ahead.filter(|ahead| ahead.abs() > MAX_CLOCK_DIFFERENCE);
    Ok(wrong.map(|ahead| {
        let by =
            humantime::format_duration(Duration::from_secs(ahead.num_seconds().unsigned_abs()));
        let side = if ahead < TimeDelta::zero() {
            "behind"
        } else {
            "ahead of"
        };
        format!("the clock of {} is {by} {side} the server's", host())
    }))
}
