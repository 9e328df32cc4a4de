//! Oclgrind's counters without a simulation: how often each block of a kernel runs, times the instructions in it.
//!
//! Only what decides branches is computed, and only for work-items that can differ: along axes of the launch that no
//! branch depends on one work-item stands for all.

mod budget;
pub(crate) mod launch;
pub(crate) mod order;
pub(crate) mod sampler;
pub(crate) mod strata;

/// Counters of a GPU and a CPU say of which revision they are: it is raised where the same source gives others, by what
/// is counted here or by what its compiler is told.
pub(crate) const REVISION: (&str, f64) = ("revision", 4.0);

pub use budget::Budget;
pub use launch::{Counts, Extent, counts};
