//! Which work-groups of a launch are followed to count what all of them do, and within which limits: all in order if
//! the order matters and they are few, else some of each kind.

mod budget;
mod launch;
mod order;
mod sampler;
mod strata;
mod sums;

/// Name and value of the counter of the revision of GPU and CPU counters. It is raised when the same source gives other
/// counters, because of what is counted here or of what its compiler is told.
pub(crate) const REVISION: (&str, f64) = ("revision", 4.0);

pub use budget::Budget;
pub use launch::{CountedLaunch, Extent};
pub(crate) use order::DEPENDENCE;
pub(crate) use sampler::{GroupObserver, GroupTotals, Sampler, even_step, follow_groups};
pub(crate) use strata::{Stratum, strata};
pub(crate) use sums::sums;
