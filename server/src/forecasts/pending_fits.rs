//! Fits under way: once they are there, another model may answer.

use std::collections::BTreeSet;

use kerncast_wire::{FittingJob, Warning};

use super::counter_set::PostedSet;

/// Fits of a device from the set's providers. Where another device was counted on, also fits of each of the two by
/// itself: those of the pair follow them.
pub(super) fn pending_fits(
    jobs: &[FittingJob],
    counted_on: Option<i64>,
    device: i64,
    set: &PostedSet,
) -> Vec<FittingJob> {
    let changes = |job: &&FittingJob| match (counted_on, job.counted_on) {
        (None, counted_on) => job.device == device && counted_on.is_none(),
        (Some(from), None) => [device, from].contains(&job.device),
        (Some(from), Some(counted_on)) => (job.device, counted_on) == (device, from),
    };
    let jobs = jobs.iter().filter(changes);
    let jobs = jobs.filter(|job| set.counters.contains_key(&job.provider));
    jobs.cloned().collect()
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
