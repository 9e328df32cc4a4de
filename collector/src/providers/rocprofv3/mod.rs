//! `rocprofv3`: AMD's hardware counters. It hooks HSA, and so sees AMD's OpenCL launches.
//!
//! Counting takes several passes, each a process that launches the same workloads once. None of this has run on AMD's
//! hardware: it is tested with a stand-in for the tool and with files that others captured.

use kerncast_profilers::catalogue::Counter;

use super::BatchedProvider;
use crate::child::Children;

mod count;
mod pass;
mod passes;
mod tables;

pub use count::Rocprof;

pub(super) const NAME: &str = kerncast_wire::provider::ROCPROFV3;

/// The provider `rocprofv3`.
pub type Rocprofv3<'a> = BatchedProvider<'a, Rocprof>;

impl<'a> Rocprofv3<'a> {
    /// Looks for rocprofv3.
    pub fn find(children: &'a Children) -> Self {
        Self::new(children, Rocprof::find())
    }
}

/// The counters' names by pass, for a person who runs rocprofv3.
#[must_use]
pub fn names_by_pass(counters: &[&'static Counter]) -> Vec<Vec<&'static str>> {
    let mut passes = passes::planned(counters.iter().copied());
    if passes.is_empty() {
        // What is in every pass is all that was wanted.
        passes.push(passes::Pass::new());
    }
    passes
        .iter()
        .map(|pass| passes::names(pass).collect())
        .collect()
}
