//! Providers of counters: one small trait, and a file or folder for each provider.

use std::{collections::BTreeMap, time::Duration};

use kerncast_analysis::sampling::Extent;
use kerncast_opencl::DeviceFacts;
use kerncast_suite::Launch;
use kerncast_wire::{CounterSet, Reading, Scope, terminal_text::harmless};

use crate::workload::Workload;

mod analysis;
mod batched;
mod launch;
pub mod ncu;
pub mod oclgrind;
pub mod rocprofv3;

pub use analysis::Analysis;
pub(crate) use batched::probe;
pub use batched::{BatchResult, BatchedProvider, Profiler};
pub use launch::Geometry;
use launch::geometry;
pub use ncu::Ncu;
pub use oclgrind::Oclgrind;
pub use rocprofv3::Rocprofv3;

/// The names of providers that `--provider` takes.
pub const NAMES: [&str; 5] = [
    launch::NAME,
    oclgrind::NAME,
    analysis::NAME,
    ncu::NAME,
    rocprofv3::NAME,
];

/// A workload for a provider to count, on its device.
#[expect(missing_docs, reason = "their names say it")]
#[derive(Clone, Copy)]
pub struct CountedWorkload<'a> {
    pub device: &'a DeviceFacts,
    pub workload: &'a Workload<'a>,
    /// The workloads after it, some of which a provider with a slow tool may count ahead.
    pub rest: &'a [Workload<'a>],
    pub launch: &'a Launch,
    /// Local memory of one work-group on the device, bytes.
    pub local_bytes: u64,
}

/// A source of counters.
pub trait Provider {
    /// Its name, as `oclgrind` in `oclgrind:load_global`.
    fn name(&self) -> &'static str;

    /// The version of its tool; none where it has no tool.
    fn tool_version(&self) -> Option<String>;

    /// Counts a workload in about `limit`, or refuses with a reason.
    fn read(&self, subject: CountedWorkload<'_>, limit: Duration) -> Reading;
}

/// The scope of a reading with counts of this extent.
#[must_use]
pub fn scope(extent: Extent) -> Scope {
    match extent {
        Extent::Exact => Scope::Full,
        Extent::Sampled => Scope::SampledGroups,
    }
}

/// The counters of a provider that counts without a run, and the launch's geometry.
pub(crate) fn with_geometry(
    provider: &str,
    counters: BTreeMap<String, f64>,
    launch: &Launch,
    local_bytes: u64,
) -> CounterSet {
    let geometry = geometry(launch, local_bytes);
    [
        (provider.to_owned(), counters),
        (launch::NAME.to_owned(), geometry),
    ]
    .into()
}

/// A reading with counts of this extent.
fn reading(counters: BTreeMap<String, f64>, extent: Extent) -> Reading {
    Reading {
        counters,
        scope: scope(extent),
        refusal: None,
    }
}

/// A reading without counters that gives the reason.
fn refuse(reason: impl Into<String>) -> Reading {
    Reading {
        refusal: Some(harmless(&reason.into()).into_owned()),
        ..Reading::default()
    }
}
