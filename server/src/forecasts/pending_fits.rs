//! Fits under way: once they are there, another model may answer.

use std::{collections::BTreeSet, sync::Arc};

use kerncast_wire::{FittingJob, Warning};

use super::counter_set::PostedSet;

/// The fits under way that may change the answers of one request.
#[derive(Default)]
pub(super) struct PendingFits {
    jobs: Arc<[FittingJob]>,
    counted_on: Option<i64>,
}

impl PendingFits {
    pub(super) fn new(jobs: Arc<[FittingJob]>, counted_on: Option<i64>) -> Self {
        Self { jobs, counted_on }
    }

    /// Fits of a device from the set's providers. Where another device was counted on, also fits of each of the two by
    /// itself: those of the pair follow them.
    pub(super) fn of_set(&self, device: i64, set: &PostedSet) -> Vec<FittingJob> {
        let changes = |job: &FittingJob| match (self.counted_on, job.counted_on) {
            (None, counted_on) => job.device == device && counted_on.is_none(),
            (Some(from), None) => [device, from].contains(&job.device),
            (Some(from), Some(counted_on)) => (job.device, counted_on) == (device, from),
        };
        let is_counted = |job: &FittingJob| set.counters.contains_key(&job.provider);
        let jobs = self.jobs.iter().filter(|job| changes(job));
        jobs.filter(|job| is_counted(job)).cloned().collect()
    }
}

/// A warning that the answer may change.
pub(super) fn may_change(pending: &[FittingJob]) -> Option<Warning> {
    let providers: BTreeSet<&str> = pending.iter().map(|it| it.provider.as_str()).collect();
    let since = pending.iter().map(|it| it.requested_at).min()?;
    Some(Warning::Pending {
        providers: providers.into_iter().map(str::to_owned).collect(),
        since,
    })
}
