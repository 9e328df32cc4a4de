//! `ncu`: NVIDIA's hardware counters, by Nsight Compute.
//!
//! Nsight Compute sees no OpenCL launches. It is shown a replay of each through CUDA
//! ([`crate::replay`]), and believed only where that replay wrote what OpenCL's launch writes.

use super::BatchedProvider;
use crate::child::Children;

mod batch;
mod tool;

pub use tool::NsightCompute;

pub(super) const NAME: &str = "ncu";

/// The provider `ncu`.
pub type Ncu<'a> = BatchedProvider<'a, NsightCompute>;

impl<'a> Ncu<'a> {
    /// Looks for Nsight Compute.
    pub fn find(children: &'a Children) -> Self {
        Self::new(children, NsightCompute::find())
    }
}
