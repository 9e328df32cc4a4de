//! The catalogue of counters: one table (`counters.csv`) of names, aliases, units, kinds, roles and descriptions, by
//! provider.

pub mod amd;
mod geometry;
mod names;
pub mod ncu;
pub(crate) mod oclgrind;

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use csv::ReaderBuilder;
use kerncast_wire::{
    CounterKind, Role,
    provider::{LAUNCH, OCLGRIND, ROCPROFV3},
};
use serde::{Deserialize, Deserializer};

pub use geometry::geometry;
pub use names::{TwoNames, resolve, role, roles};

/// A counter of a provider: a line of the table.
#[derive(Clone, Debug, Deserialize)]
pub struct Counter {
    /// The provider that counts it.
    pub provider: String,
    /// Its name at the provider.
    pub name: String,
    /// Its names on chips that lack the main name.
    #[serde(deserialize_with = "words")]
    pub also: Vec<String>,
    /// Names of other counters that give the same number.
    #[serde(deserialize_with = "words")]
    pub like: Vec<String>,
    /// The role by which models know it. Counters of a provider with the same role add up.
    pub role: Option<Role>,
    /// The kind: what the counter grows with.
    pub kind: CounterKind,
    /// The unit of its values.
    pub unit: String,
    /// Whether Kerncast asks the provider's tool for it. Other counters come unasked, or in files of other people.
    pub asked: bool,
    /// The smallest of ncu's section sets that prints it; none where no set does.
    pub set: Option<String>,
    /// The description for people.
    pub description: String,
}

impl Counter {
    /// Its names other than the main one.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.also.iter().chain(&self.like).map(String::as_str)
    }

    /// All of its names, its own first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        [&*self.name].into_iter().chain(self.aliases())
    }

    /// The names to ask for, of which a chip knows one.
    pub fn asked_names(&self) -> impl Iterator<Item = &str> {
        [&self.name]
            .into_iter()
            .chain(&self.also)
            .map(String::as_str)
    }
}

/// The description of a counter by any of its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The unit of its values.
    pub unit: &'static str,
    /// The kind: what the counter grows with.
    pub kind: CounterKind,
    /// The role by which models know it.
    pub role: Option<Role>,
    /// The description for people.
    pub description: Cow<'static, str>,
}

impl From<&'static Counter> for Description {
    fn from(counter: &'static Counter) -> Self {
        Self {
            unit: &counter.unit,
            kind: counter.kind,
            role: counter.role,
            description: Cow::Borrowed(&counter.description),
        }
    }
}

fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let cell = String::deserialize(deserializer)?;
    Ok(cell.split_whitespace().map(str::to_owned).collect())
}

/// All counters of the table, in an order for readers.
static COUNTERS: LazyLock<Vec<Counter>> = LazyLock::new(|| {
    let table = include_str!("counters.csv");
    let mut reader = ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(table.as_bytes());
    let counters = reader.deserialize().collect::<Result<_, _>>();
    counters.expect("a table that every test reads")
});

/// Every counter of the table under its own name, with its provider.
pub fn all() -> impl Iterator<Item = (&'static str, &'static Counter)> {
    let counters = COUNTERS.iter();
    counters.map(|counter| (&*counter.provider, counter))
}

/// The provider under whose names another one counts: AMD's older and wider tools have rocprofv3's names.
fn counted_as(provider: &str) -> &str {
    match provider {
        "rocprof" | "rocprofiler_compute" => ROCPROFV3,
        other => other,
    }
}

/// The counters of a provider.
pub fn of_provider(provider: &str) -> impl Iterator<Item = &'static Counter> {
    let provider = counted_as(provider);
    let counters = COUNTERS.iter();
    counters.filter(move |counter| counter.provider == provider)
}

/// The counters of a provider that Kerncast asks its tool for.
pub fn requested(provider: &str) -> impl Iterator<Item = &'static Counter> {
    of_provider(provider).filter(|counter| counter.asked)
}

/// Counters by provider and any of their names.
static BY_NAME: LazyLock<HashMap<(&str, &str), &Counter>> = LazyLock::new(|| {
    let named = all().flat_map(|(provider, counter)| {
        let names = counter.names();
        names.map(move |name| ((provider, name), counter))
    });
    named.collect()
});

fn find(provider: &str, name: &str) -> Option<&'static Counter> {
    BY_NAME.get(&(counted_as(provider), name)).copied()
}

/// Describes a provider's counter, by any of its names; none where Kerncast does not know it.
#[must_use]
pub fn describe(provider: &str, name: &str) -> Option<Description> {
    find(provider, name)
        .map(Description::from)
        .or_else(|| match counted_as(provider) {
            ROCPROFV3 => amd::describe_unit(name),
            OCLGRIND => oclgrind::describe_instruction(name),
            _ => None,
        })
}

/// Parts of the names of counters that contain the time or a ratio: something divided by the time or by other counts.
/// Blanks and dots count as `_`.
const TIME_WORDS: &str = "active bandwidth busy cycle duration efficiency elapsed frequency ipc latency level \
                           occupancy pct per_second percent _per_request _per_thread _per_warp _ratio speed \
                           stall throughput time util wait _rate";

/// Whether a model of times may use the counter by default: it grows with the work done, and does not contain the time.
/// In a launch's geometry, only the numbers of work-items and work-groups grow. Unknown counters are judged by name.
#[must_use]
pub fn grows_with_work(provider: &str, name: &str) -> bool {
    let Some(known) = describe(provider, name) else {
        let name = name.to_lowercase().replace([' ', '.'], "_");
        return !TIME_WORDS.split(' ').any(|word| name.contains(word));
    };
    let counts_workers = matches!(known.role, Some(Role::WorkItems | Role::WorkGroups));
    match known.kind {
        CounterKind::Volume => true,
        CounterKind::Launch => provider == LAUNCH && counts_workers,
        CounterKind::Rate | CounterKind::Cycles => false,
    }
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
            ("nvprof", "inst_issued"),
            ("ncu", "lts__t_sectors.sum"),
            ("mine", "operations"),
        ] {
            assert!(grows_with_work(provider, name), "{name}");
        }
    }
}
