//! Fits under way: once they are there, another model may answer.

use std::{collections::BTreeSet, sync::Arc};

use kerncast_wire::{FittingJob, Warning};

use super::asked::Set;

/// Those that change what answers one request.
#[derive(Default)]
pub(super) struct Pending {
    jobs: Arc<[FittingJob]>,
    counted_on: Option<i64>,
}

impl Pending {
    pub(super) fn new(jobs: Arc<[FittingJob]>, counted_on: Option<i64>) -> Self {
        Self { jobs, counted_on }
    }

    /// Those of a device, from the set's counters. From another device's, also fits of these two by themselves: once
    /// they are there, those of the pair are asked for.
    pub(super) fn of(&self, device: i64, set: &Set) -> Vec<FittingJob> {
        let changes = |job: &FittingJob| match (self.counted_on, job.counted_on) {
            (None, of) => job.device == device && of.is_none(),
            (Some(from), None) => [device, from].contains(&job.device),
            (Some(from), Some(of)) => (job.device, of) == (device, from),
        };
        let jobs = self
            .jobs
            .iter()
            .filter(|job| changes(job) && set.counters.contains_key(&job.provider));
        jobs.cloned().collect()
    }
}

/// That the answer may change.
pub(super) fn warning(pending: &[FittingJob]) -> Option<Warning> {
    let providers: BTreeSet<&str> = pending.iter().map(|it| it.provider.as_str()).collect();
    let since = pending.iter().map(|it| it.requested_at).min()?;
    Some(Warning::Pending {
        providers: providers.into_iter().map(str::to_owned).collect(),
        since,
    })
}
