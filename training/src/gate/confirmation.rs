//! Confirmation by a later collection: of a new driver or compiler, or a kernel rewritten.

use std::collections::BTreeMap;

use chrono::TimeDelta;

use super::{ArrivedSample, Objection, counters::Counters, history::agree};

/// The least time between collections that confirm each other, as between two nights' ones: what disturbed the one is
/// past in the other, and a person has had the time to look.
const LEAST_PAUSE: TimeDelta = TimeDelta::hours(12);

/// Whether each sample is confirmed: another one of its workload, from another time, agrees with it.
pub(super) fn confirm(
    arrived: &[ArrivedSample],
    launch_s: f64,
    counters: &Counters<'_>,
    objections: &[Option<Objection>],
) -> Vec<bool> {
    let can_be = |at: usize| objections[at].as_ref().is_none_or(|it| it.can_be_confirmed);
    let mut of_workload: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    for (at, it) in arrived.iter().enumerate() {
        if can_be(at) {
            of_workload.entry(it.workload).or_default().push(at);
        }
    }
    let by_another = |at: usize| {
        let others = of_workload.get(&arrived[at].workload).into_iter().flatten();
        let mut others = others.map(|&other| &arrived[other]);
        others.any(|other| {
            are_far_apart(&arrived[at], other) && agree(&arrived[at], other, launch_s, counters)
        })
    };
    let confirmed = (0..arrived.len()).map(|at| can_be(at) && by_another(at));
    confirmed.collect()
}

/// Whether two samples are far apart, both by the server's clock and by the agents': a spool that is uploaded late was
/// not measured late.
fn are_far_apart(one: &ArrivedSample, other: &ArrivedSample) -> bool {
    (one.received_at - other.received_at).abs() >= LEAST_PAUSE
        && (one.measured_at - other.measured_at).abs() >= LEAST_PAUSE
}
