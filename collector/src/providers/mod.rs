//! Providers of counters: one small trait, and a file or folder for each provider.

use std::time::Duration;

use kerncast_opencl::DeviceFacts;
use kerncast_suite::Launch;
use kerncast_wire::{Reading, terminal_text::harmless};

use crate::workload::Workload;

mod analysis;
mod batched;
mod launch;
pub mod ncu;
pub mod oclgrind;
pub mod rocprofv3;

pub use analysis::{Analysis, scope};
pub(crate) use batched::probe;
pub use batched::{BatchResult, BatchedProvider, Profiler};
pub use launch::{Geometry, geometry};
pub use ncu::Ncu;
pub use oclgrind::Oclgrind;
pub use rocprofv3::Rocprofv3;

/// The names that `--provider` takes.
pub const NAMES: [&str; 5] = [
    launch::NAME,
    oclgrind::NAME,
    analysis::NAME,
    ncu::NAME,
    rocprofv3::NAME,
];

/// A measured workload, for a provider to read.
#[expect(missing_docs, reason = "their names say it")]
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub device: &'a DeviceFacts,
    pub workload: &'a Workload<'a>,
    /// What will be read after it: a provider whose tool starts slowly may read some of it ahead.
    pub rest: &'a [Workload<'a>],
    pub launch: &'a Launch,
    /// Local memory of one work-group on the device, bytes.
    pub local_bytes: u64,
}

/// Something that gives counters of a workload.
pub trait Provider {
    /// Its name, as in `oclgrind:load_global`.
    fn name(&self) -> &'static str;

    /// Its tool's version, where it has a tool.
    fn tool_version(&self) -> Option<String>;

    /// Counts, or refuses with a reason; in about `limit`.
    fn read(&self, subject: Subject<'_>, limit: Duration) -> Reading;
}

/// A reading that says why there are no counters.
fn refuse(reason: impl Into<String>) -> Reading {
    Reading {
        refusal: Some(harmless(&reason.into()).into_owned()),
        ..Reading::default()
    }
}
