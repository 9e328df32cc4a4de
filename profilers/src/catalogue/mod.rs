//! What counters count: the one table of units, kinds and descriptions, by provider.

pub mod amd;
mod kerncast;
pub mod ncu;
mod oclgrind;

use std::borrow::Cow;

/// What a counter grows with: models may use some kinds and not others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// With the work done.
    Volume,
    /// With work per time or per cycle: it holds a part of the answer.
    Rate,
    /// With the time: it holds the answer.
    Cycles,
    /// With how the kernel is launched and compiled; known before it runs.
    Launch,
}

/// A counter of a provider.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// Its name there.
    pub name: &'static str,
    /// Its name on other chips of the same provider, where that differs.
    pub also: Option<&'static str>,
    /// In what it is counted.
    pub unit: &'static str,
    /// What it grows with.
    pub kind: Kind,
    /// For people.
    pub description: &'static str,
}

/// What is known of a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// In what it is counted.
    pub unit: &'static str,
    /// What it grows with.
    pub kind: Kind,
    /// For people.
    pub description: Cow<'static, str>,
}

/// A table of counters: `visibility NAME`, then lines of `Kind "name" or "other name", "unit", "description";`.
macro_rules! counters {
    ($visible:vis $table:ident $($kind:ident $name:literal $(or $also:literal)?, $unit:literal, $description:literal;)*) => {
        /// The table, in the order that people read it in.
        $visible const $table: &[Counter] = &[$(Counter {
            name: $name,
            also: counters!(@also $($also)?),
            unit: $unit,
            kind: Kind::$kind,
            description: $description,
        },)*];
    };
    (@also) => { None };
    (@also $also:literal) => { Some($also) };
}
use counters;

/// What a provider's counter counts; none where Kerncast does not know it.
#[must_use]
pub fn describe(provider: &str, name: &str) -> Option<Description> {
    match provider {
        "ncu" => find(ncu::METRICS, name).or_else(|| find(&[ncu::REPLAY_TIME], name)),
        // Older and wider tools of AMD count under the same names.
        "rocprofv3" | "rocprof" | "rocprofiler_compute" => amd::describe(name),
        "oclgrind" => oclgrind::describe(name),
        "launch" => find(kerncast::LAUNCH, name),
        "local_memory" => find(kerncast::LOCAL_MEMORY, name),
        _ => None,
    }
}

/// Words of profilers' counters that hold the time, or something divided by it, or by other counts; between
/// them `_`.
const OF_TIME: [&str; 26] = [
    "active",
    "bandwidth",
    "busy",
    "cycle",
    "duration",
    "efficiency",
    "elapsed",
    "frequency",
    "ipc",
    "latency",
    "level",
    "occupancy",
    "pct",
    "per_second",
    "percent",
    "_per_request",
    "_per_thread",
    "_per_warp",
    "_ratio",
    "speed",
    "stall",
    "throughput",
    "time",
    "util",
    "wait",
    "_rate",
];

/// Whether a model of times may use the counter where nobody says: it grows with the work done, and does not
/// hold the time. Of a launch's geometry only what counts workers grows. A counter that Kerncast does not
/// know is judged by its name.
#[must_use]
pub fn grows_with_work(provider: &str, name: &str) -> bool {
    let Some(known) = describe(provider, name) else {
        let name = name.to_lowercase().replace([' ', '.'], "_");
        return !OF_TIME.iter().any(|word| name.contains(word));
    };
    match known.kind {
        Kind::Volume => true,
        Kind::Launch => provider == "launch" && ["work_items", "work_groups"].contains(&name),
        Kind::Rate | Kind::Cycles => false,
    }
}

/// The tables of fixed names, by provider: what docs/counters.md lists.
#[must_use]
pub fn tables() -> [(&'static str, &'static [Counter]); 5] {
    [
        ("ncu", ncu::METRICS),
        ("rocprofv3", amd::COUNTERS),
        ("oclgrind", oclgrind::COUNTERS),
        ("launch", kerncast::LAUNCH),
        ("local_memory", kerncast::LOCAL_MEMORY),
    ]
}

fn find(table: &[Counter], name: &str) -> Option<Description> {
    let counter = table
        .iter()
        .find(|it| it.name == name || it.also == Some(name))?;
    Some(Description {
        unit: counter.unit,
        kind: counter.kind,
        description: Cow::Borrowed(counter.description),
    })
}

#[cfg(test)]
mod tests {
    use super::grows_with_work;

    #[test]
    fn unknown_counters_that_hold_the_time_are_no_default() {
        for (provider, name) in [
            ("nvprof", "elapsed_cycles_sm"),
            ("nvprof", "achieved_occupancy"),
            ("nvprof", "gld_throughput"),
            ("ncu", "sm__cycles_active.avg"),
            ("ncu", "sm__throughput.avg.pct_of_peak_sustained_elapsed"),
            ("rocprofv3", "OccupancyPercent"),
            ("rocprof", "MemUnitStalled"),
            ("oneprof", "GpuTime[ns]"),
            ("mine", "L2 Hit Rate"),
            ("mine", "Registers Per Thread"),
            ("mine", "Global.Load.Transactions.Per.Request"),
            ("nvprof", "inst_per_warp"),
            ("ncu", "smsp__inst_executed.avg.per_cycle_active"),
            ("ncu", "smsp__thread_inst_executed_per_inst_executed.ratio"),
        ] {
            assert!(!grows_with_work(provider, name), "{name}");
        }
        for (provider, name) in [
            ("nvprof", "gld_transactions"),
            ("nvprof", "inst_executed"),
            ("ncu", "lts__t_bytes.sum"),
            ("mine", "operations"),
        ] {
            assert!(grows_with_work(provider, name), "{name}");
        }
    }
}
