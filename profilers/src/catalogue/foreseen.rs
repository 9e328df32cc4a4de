//! What a profiler would count, by what the source alone tells.

use std::collections::BTreeMap;

use kerncast_wire::Role;

use super::{describe, of_provider};

/// The provider of what is foreseen, by its own names.
pub const ANALYSIS: &str = "analysis";
const NCU: &str = "ncu";

/// The share of instructions that go once for a whole warp: the median of 421 generated kernels on an H200
/// (2026-11-23), which no figure is judged by. Half of the suite's kernels have less than 0.4 %, a tenth more than 3 %.
const UNIFORM: f64 = 0.007;

/// What a provider would count of a launch, by the counters that [`ANALYSIS`] foresees of it; nothing of providers that
/// count otherwise.
///
/// Two are estimates where all others are found: instructions that go once for a whole warp, and how many work-groups
/// the registers let in, as many as everything else does (so it is for nine in ten kernels of the suite on an H200).
#[must_use]
pub fn foreseen(provider: &str, counters: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    if provider != NCU {
        return BTreeMap::new();
    }
    // Where ncu has several of a role, which add up, its first one stands for all.
    let first = |role| of_provider(NCU).find(|it| it.role == Some(role));
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    for (name, count) in counters {
        let role = describe(ANALYSIS, name).and_then(|it| it.role);
        if let Some(own) = role.and_then(first) {
            *found.entry(own.name.clone()).or_default() += count;
        }
    }
    let known = |role| first(role).and_then(|it| found.get(&it.name)).copied();
    let limits = [
        Role::WorkGroupLimit,
        Role::WarpLimit,
        Role::LocalMemoryLimit,
    ];
    let estimates = [
        (
            Role::UniformInstructions,
            known(Role::Instructions).map(|all| UNIFORM * all),
        ),
        (
            Role::RegisterLimit,
            limits.into_iter().filter_map(known).reduce(f64::min),
        ),
    ];
    for (role, estimate) in estimates {
        if let (Some(counter), Some(estimate)) = (first(role), estimate) {
            found.insert(counter.name.clone(), estimate);
        }
    }
    found
}
