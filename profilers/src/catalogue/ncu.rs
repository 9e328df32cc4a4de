//! Counters of Nsight Compute that are needed by name, and counters outside its section sets.

use std::collections::BTreeMap;

use kerncast_wire::provider::NCU;

use super::find;

/// The counter of the launch's time.
pub const TIME: &str = "gpu__time_duration.sum";

/// A replayed launch's time without the profiler, in the unit of [`TIME`], for comparison with OpenCL's. The replay
/// itself measures it, so ncu is not asked for it.
pub const REPLAY_TIME: &str = "replay_time.median";

const THREADS_OF_WARP: f64 = 32.0;

/// Adds the numbers of work-groups and of their warps, computed from the launch's shape: every section set prints the
/// shape, none these numbers.
pub(super) fn add_launched(counted: &mut BTreeMap<String, f64>) {
    let shape = ["launch__grid_size", "launch__block_size"].map(|it| counted.get(it).copied());
    let [Some(groups), Some(threads)] = shape else {
        return;
    };
    let warps = groups * (threads / THREADS_OF_WARP).ceil();
    for (name, number) in [
        ("sm__ctas_launched.sum", groups),
        ("smsp__warps_launched.sum", warps),
    ] {
        counted.entry(name.to_owned()).or_insert(number);
    }
}

/// Whether `PROVIDER:NAME` is a counter of ncu that no section set prints, not even `--set full`: ncu must be asked for
/// it by name, or it comes from machine code.
#[must_use]
pub fn is_beyond_sections(counter: &str) -> bool {
    let name = counter.strip_prefix("ncu:");
    let counter = name.and_then(|name| find(NCU, name));
    counter.is_some_and(|it| it.set.is_none())
}
