//! `kerncast agent status`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    agent::{LastRun, Standing, State},
    folders,
    spool::Spool,
};
use serde_json::json;

use super::timer;
use crate::cli::{
    options::{self, ServerOptions},
    table, units,
};

/// Show when this machine was measured last and will be next, and what waits
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast agent status
  kerncast agent status --json")]
pub(super) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub(super) fn status(arguments: &Arguments) -> Result<ExitCode> {
    let state = State::open(&folders::state())?;
    let (holder, last) = (state.holder(), state.last());
    let (next, server) = (timer::next(), arguments.server.named());
    let spool = options::spool()?;
    let (waiting, rejected) = (waiting(&spool)?, spool.rejected()?);
    let answer = json!({
        "server": server, "running": holder, "last": last, "next": next.as_ref().ok(),
        "no_next": next.as_ref().err(), "spool": spool.folder(), "waiting": waiting, "rejected": rejected,
    });
    table::print_as(arguments.json, &answer, || {
        let server = server.map_or_else(
            || {
                "server: none is named; `kerncast enroll URL` makes this machine known to one"
                    .to_owned()
            },
            |server| format!("server: {server}"),
        );
        let now = match &holder {
            Some(who) => format!("now: measuring ({who})"),
            None => "now: idle".to_owned(),
        };
        let next = match &next {
            Ok(at) => format!("next run: {at}"),
            Err(why) => format!("next run: {why}"),
        };
        let mut spool = format!(
            "spool: {waiting} {} in {}",
            if waiting == 1 {
                "file waits"
            } else {
                "files wait"
            },
            spool.folder().display()
        );
        if rejected > 0 {
            spool.push_str(&format!(", {rejected} were refused by the server"));
        }
        let mut lines = vec![server, now];
        lines.extend(last_run(last.as_ref()));
        lines.extend([next, spool]);
        lines.join("\n")
    })?;
    Ok(ExitCode::SUCCESS)
}

fn waiting(spool: &Spool) -> Result<usize> {
    Ok(spool.files()?.len() + spool.ceilings()?.len() + spool.sources()?.len())
}

fn last_run(last: Option<&LastRun>) -> Vec<String> {
    let Some(LastRun {
        run,
        ended_early,
        standing,
    }) = last
    else {
        return vec!["last run: none yet".to_owned()];
    };
    let ended = run.ended_at.format("%Y-%m-%d %H:%M UTC");
    let mut lines = vec![format!(
        "last run: ended {ended}; {} measured, {} failed",
        run.measured, run.failed
    )];
    lines.extend(
        ended_early
            .iter()
            .map(|why| format!("  it ended early: {why}")),
    );
    lines.extend(run.errors.iter().map(|error| format!("  {error}")));
    lines.push(format!("then: {}", in_words(standing)));
    lines
}

pub(super) fn in_words(standing: &Standing) -> String {
    let (workloads, due) = (standing.workloads, standing.due);
    let overdue = match standing.overdue {
        0 => String::new(),
        n => format!(", {n} of them for too long"),
    };
    let workloads = units::count(workloads, "workload");
    let are = if due == 1 { "is" } else { "are" };
    format!("{due} of {workloads} {are} due{overdue}")
}
