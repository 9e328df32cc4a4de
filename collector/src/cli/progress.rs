//! How far something is, on standard error: a line for each part that is begun or done.

use kerncast_collector::{collect::Outcome, workload::Workload};
use kerncast_wire::TimeSummary;

use super::{terminal, units};

pub(super) struct Progress {
    total: usize,
}

impl Progress {
    pub(super) fn new(total: usize) -> Self {
        Self { total }
    }

    pub(super) fn done(&self, index: usize, workload: &Workload<'_>, outcome: &Outcome) {
        let result = match outcome {
            Outcome::Measured(sample) => {
                let time = TimeSummary::of(&sample.times.repetitions_s);
                format!("{} (n={})", units::time(time.median_s), time.n)
            }
            Outcome::Failed(reason) => format!("FAILED: {reason}"),
            // Hundreds, where a budget ends; the report says why, once.
            Outcome::Skipped(_) | Outcome::Postponed(_) => return,
        };
        self.next(index + 1, &format!("{}: {result}", workload.name()));
    }

    /// What is called so, in this place, from 1, is begun.
    pub(super) fn next(&self, place: usize, name: &str) {
        terminal::say(&format!("[{place}/{}] {name}", self.total));
    }
}
