//! This agent's report on itself, for the server.

use chrono::Utc;
use kerncast_suite::SuiteError;
use kerncast_wire::{Agent, AgentReport, RunReport, terminal_text::harmless};

use crate::{
    client::Client,
    measure::Outcome,
    spool::{Spool, SpoolError},
};

/// The most error messages in a report.
const MAX_ERRORS: usize = 20;

/// Sends the state of the agent and its spool, with the report on a run where there was one. Only warns where that
/// fails.
pub fn send_report(
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
        spool: count(|spool| Ok(spool.samples_and_ceilings()?.len())),
        spool_since: spool.and_then(Spool::waiting_since).map(Into::into),
        rejected: count(Spool::rejected),
        run,
    };
    if let Err(error) = server.report(&report) {
        say!("warning: the server was not told how this agent is: {error}");
    }
}

/// The report on a run that came to its end: `complaints` of the nightly run, kernels that could not be loaded, and
/// `outcomes` by the names of workloads. The errors are listed in this order.
pub fn report_run<'a>(
    outcomes: impl Iterator<Item = (String, &'a Outcome)>,
    unloaded: &[SuiteError],
    complaints: Vec<String>,
) -> RunReport {
    let unloaded_errors = unloaded.iter().map(ToString::to_string);
    let mut run = RunReport {
        ended_at: Utc::now(),
        failed: u32::try_from(unloaded.len()).unwrap_or(u32::MAX),
        errors: complaints.into_iter().chain(unloaded_errors).collect(),
        ..RunReport::default()
    };
    for (name, outcome) in outcomes {
        match outcome {
            Outcome::Measured(sample) => {
                run.measured += 1;
                let driver = sample.provenance.driver_version.clone();
                let of_device = driver.map(|driver| (sample.device.name.clone(), driver));
                run.drivers.extend(of_device);
                run.tools.extend(sample.provenance.tools.clone());
            }
            Outcome::Failed(reason) => {
                run.failed += 1;
                run.errors.push(format!("{name}: {reason}"));
            }
            Outcome::Skipped(_) | Outcome::Postponed(_) => run.skipped += 1,
        }
    }
    run.errors.truncate(MAX_ERRORS);
    run
}
