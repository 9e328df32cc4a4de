//! Agents' reports: checked, stored.

use axum::http::StatusCode;
use kerncast_wire::{AgentReport, FieldProblem, RunReport};
use sqlx::PgPool;

use crate::{
    access::{Bearer, Rights},
    db,
    http::{Checker, Error, MOST_NAMES, escaped, fields_problem, refuse_wrong_fields},
};

/// Messages of a run.
const MOST_ERRORS: usize = 20;

/// Keeps a report that is in order.
///
/// # Errors
/// Every field that is not in order; another agent's name than the token's.
pub(crate) async fn report(
    pool: &PgPool,
    report: &AgentReport,
    bearer: &Bearer,
) -> Result<(), Error> {
    refuse_wrong_fields(check(report))?;
    if let Rights::Agent(own) = &bearer.rights {
        let mut checker = Checker::new("");
        checker.own_agent(own, &report.agent);
        if !checker.problems.is_empty() {
            return Err(fields_problem(StatusCode::FORBIDDEN, checker.problems).into());
        }
    }
    Ok(db::uploads::agents::report(pool, report).await?)
}

/// Everything wrong with it beyond its JSON types.
fn check(report: &AgentReport) -> Vec<FieldProblem> {
    let AgentReport {
        agent,
        spool: _,
        // By a clock that may be wrong, and told as such.
        spool_since: _,
        rejected: _,
        run,
    } = report;
    let mut checker = Checker::new("");
    checker.agent(agent);
    if let Some(run) = run {
        checker.run(run);
    }
    checker.problems
}

impl Checker<'_> {
    fn run(&mut self, run: &RunReport) {
        let RunReport {
            ended_at,
            measured: _,
            failed: _,
            skipped: _,
            errors,
            drivers,
            tools,
        } = run;
        self.past("/run/ended_at", *ended_at, chrono::Utc::now());
        self.at_most("/run/errors", errors.len(), MOST_ERRORS, "errors");
        for (index, error) in errors.iter().enumerate() {
            self.text(format_args!("/run/errors/{index}"), error);
        }
        for (name, versions) in [("drivers", drivers), ("tools", tools)] {
            let base = format!("/run/{name}");
            self.at_most(&base, versions.len(), MOST_NAMES, name);
            for (name, version) in versions {
                let at = format!("{base}/{}", escaped(name));
                self.name(&at, name);
                self.text(&at, version);
            }
        }
    }
}
