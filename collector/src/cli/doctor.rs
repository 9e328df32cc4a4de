//! `kerncast doctor`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    child::Children,
    doctor::{Check, Severity, examine},
};

use super::{exit, table};

/// Check whether this machine can measure and count, and say how to fix what does not work
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast doctor
  kerncast doctor --json

Exit status: 0 where all is well, 1 where something is a problem.")]
pub(super) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn doctor(arguments: &Arguments) -> Result<ExitCode> {
    let checks = examine(&Children::new()?);
    table::print_as(arguments.json, &checks, || {
        checks.iter().map(in_words).collect::<Vec<_>>().join("\n")
    })?;
    let good = checks
        .iter()
        .all(|check| check.severity != Severity::Problem);
    Ok(exit(good))
}

fn in_words(check: &Check) -> String {
    let severity = match check.severity {
        Severity::Good => "good",
        Severity::Warning => "warning",
        Severity::Problem => "PROBLEM",
    };
    format!("{severity:<9}{:<12}{}", check.what, check.finding)
}
