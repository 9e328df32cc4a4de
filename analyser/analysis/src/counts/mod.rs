//! Oclgrind's counters without a simulation: how often each block of a kernel runs, times the instructions in it.
//!
//! Only numbers that decide branches are computed, and only for work-items that can differ. Along axes of the launch
//! that no branch depends on, one work-item stands for all.

mod budget;
pub(crate) mod launch;
pub(crate) mod order;
pub(crate) mod sampler;
pub(crate) mod strata;

/// Name and value of the counter of the revision of GPU and CPU counters. It is raised when the same source gives other
/// counters, because of what is counted here or of what its compiler is told.
pub(crate) const REVISION: (&str, f64) = ("revision", 4.0);

pub use budget::Budget;
pub use launch::{Counts, Extent, counts};
