//! What a decision about samples must be beyond its JSON type.

use kerncast_wire::{FieldProblem, NewDecision, SampleSelection};

use crate::http::Checker;

/// Most samples that are named one by one.
const MOST_IDS: usize = 10_000;

/// Everything wrong with a decision.
pub(crate) fn check_decision(new: &NewDecision) -> Vec<FieldProblem> {
    let NewDecision {
        decision: _,
        samples,
        reason,
        dry_run: _,
    } = new;
    let mut checker = Checker::new("");
    checker.reason(reason);
    if *samples == SampleSelection::default() {
        let expected = "at least one of: ids, agent, token, device, kernel, standing, stored_from, \
                        stored_before";
        checker.wrong("/samples", "{}", expected);
    }
    let ids = samples.ids.as_ref().map_or(0, Vec::len);
    checker.at_most("/samples/ids", ids, MOST_IDS, "ids");
    let names = [("agent", &samples.agent), ("kernel", &samples.kernel)];
    for (field, name) in names {
        if let Some(name) = name {
            checker.name(format_args!("/samples/{field}"), name);
        }
    }
    checker.problems
}

/// Everything wrong with the reason for a decision.
pub(crate) fn check_reason(reason: &str) -> Vec<FieldProblem> {
    let mut checker = Checker::new("");
    checker.reason(reason);
    checker.problems
}

impl Checker<'_> {
    fn reason(&mut self, reason: &str) {
        if reason.trim().is_empty() {
            let expected = "words that say why, for those who read them later";
            self.wrong("/reason", format!("{reason:?}"), expected);
        }
        self.text("/reason", reason);
    }
}
