//! `ncu`: NVIDIA's hardware counters, counted by Nsight Compute.
//!
//! Nsight Compute sees no OpenCL launches, so each is replayed through CUDA ([`crate::replay`]). The counters are used
//! only if the replay wrote the same outputs as OpenCL's launch.

use super::BatchedProvider;
use crate::child::Children;

mod batch;
mod tool;

pub use tool::NsightCompute;

pub(super) const NAME: &str = kerncast_wire::provider::NCU;

/// The provider `ncu`.
pub type Ncu<'a> = BatchedProvider<'a, NsightCompute>;

impl<'a> Ncu<'a> {
    /// Looks for Nsight Compute.
    pub fn find(children: &'a Children) -> Self {
        Self::new(children, NsightCompute::find())
    }
}
