//! This agent's report on itself.

use chrono::Utc;
use kerncast_collector::{
    client::Client,
    collect::Outcome,
    spool::{Spool, SpoolError},
};
use kerncast_suite::SuiteError;
use kerncast_wire::{Agent, AgentReport, RunReport, text::harmless};

/// Messages that are worth reading.
pub(super) const MOST_ERRORS: usize = 20;

/// Says it to the server; what keeps it from that is a warning.
pub(super) fn send(
    server: &Client,
    spool: Option<&Spool>,
    agent: Agent,
    mut run: Option<RunReport>,
) {
    let count = |count: fn(&Spool) -> Result<usize, SpoolError>| {
        let files = count(spool?).ok()?;
        Some(u32::try_from(files).unwrap_or(u32::MAX))
    };
    for error in run.iter_mut().flat_map(|run| &mut run.errors) {
        *error = harmless(error).into_owned();
    }
    let report = AgentReport {
        agent,
        spool: count(|spool| Ok(spool.measured()?.len())),
        spool_since: spool.and_then(Spool::waiting_since).map(Into::into),
        rejected: count(Spool::rejected),
        run,
    };
    if let Err(error) = server.report(&report) {
        say!("warning: the server was not told how this agent is: {error}");
    }
}

/// A run that came to its end, its workloads named, and the kernels that it could not load.
pub(super) fn of_run<'a>(
    outcomes: impl Iterator<Item = (String, &'a Outcome)>,
    wrong: &[SuiteError],
) -> RunReport {
    let mut run = RunReport {
        ended_at: Utc::now(),
        failed: u32::try_from(wrong.len()).unwrap_or(u32::MAX),
        errors: wrong
            .iter()
            .take(MOST_ERRORS)
            .map(ToString::to_string)
            .collect(),
        ..RunReport::default()
    };
    for (name, outcome) in outcomes {
        match outcome {
            Outcome::Measured(sample) => {
                run.measured += 1;
                let driver = sample.provenance.driver_version.clone();
                let driver = driver.map(|driver| (sample.device.name.clone(), driver));
                run.drivers.extend(driver);
                run.tools.extend(sample.provenance.tools.clone());
            }
            Outcome::Failed(reason) => {
                run.failed += 1;
                if run.errors.len() < MOST_ERRORS {
                    run.errors.push(format!("{name}: {reason}"));
                }
            }
            Outcome::Skipped(_) | Outcome::Postponed(_) => run.skipped += 1,
        }
    }
    run
}

/// A run that ended before it measured anything.
pub(super) fn of_error(error: &anyhow::Error) -> RunReport {
    RunReport {
        ended_at: Utc::now(),
        errors: vec![error.to_string()],
        ..RunReport::default()
    }
}
