//! Across devices: what was counted on one device forecasts the time on another, the target.
//!
//! The columns are the counters of the device counted on and, where its time is known, [`COUNTED_ON_TIME`];
//! the response is the target's time. [`FromCounters`] asks for counters alone, [`FromCountersAndTime`] for
//! the time too, [`Paper`] is what the paper did; [`ByMedianRatio`] and [`ByNearestCeiling`] are the
//! baselines beside them. [`ByCeilings`] is for a target that has run nothing but the ceilings: its rows are
//! of other devices.

mod by_ceilings;
mod ceilings;
mod costs;
mod demands;
mod fitted;
mod methods;
mod pair;
mod roles;
mod scaled;
mod smooth;
mod terms;

pub use by_ceilings::ByCeilings;
pub use ceilings::{Ceilings, Demand, scaled_by_ceilings};
pub use costs::Costs;
pub use demands::Demands;
pub use fitted::Across;
pub use methods::{ByMedianRatio, ByNearestCeiling, FromCounters, FromCountersAndTime, Paper};
pub use pair::Pair;
pub use roles::asked;
pub use scaled::Scaled;
pub use smooth::Smooth;
pub use terms::{Roles, Term};

use kerncast_wire::Role;
use thiserror::Error;

/// The name of the column with the time on the device counted on.
pub const COUNTED_ON_TIME: &str = "counted_on_time";

/// [`ByNearestCeiling`]'s name.
pub const BY_NEAREST_CEILING: &str = "across_ceilings";

/// [`ByCeilings`]' name.
pub const BY_CEILINGS: &str = "across_by_ceilings";

/// The names of all, the simplest first.
pub const NAMES: [&str; 7] = [
    BY_NEAREST_CEILING,
    "across_median_ratio",
    "across_counters",
    "paper_counters",
    "paper_counters_and_time",
    "across_counters_and_time",
    BY_CEILINGS,
];

/// Why there is no forecast from one device to another.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AcrossError {
    /// Too few kernels to learn from, or to choose anything by leaving kernels out.
    #[error("too few kernels ({found}): {needed} are needed")]
    TooFewKernels {
        /// Kernels that there are.
        found: usize,
        /// As many as are enough.
        needed: usize,
    },
    /// No counter can play a role that every forecast across devices needs.
    #[error("no counter of {what}: none plays a role that counts them: {}", listed(.roles))]
    NoRole {
        /// What it would count.
        what: &'static str,
        /// Any of them would do.
        roles: &'static [Role],
    },
    /// A forecast from the time on the device counted on without it.
    #[error("there is no column of the time on the device counted on")]
    NoCountedOnTime,
    /// The time on the device counted on of a row is none.
    #[error("the time on the device counted on of row {row} is {value}; expected a number above 0")]
    CountedOnTime {
        /// The row, from 0.
        row: usize,
        /// What was there.
        value: f64,
    },
    /// No kind of demand is counted for every workload and measured as a ceiling on every device.
    #[error("the devices have no ceiling in common that every workload's demand is counted for")]
    NoCommonCeiling,
    /// A forecast for a device by its ceilings without one of them.
    #[error("the device lacks a ceiling that costs time on the other devices")]
    NoCeiling,
    /// Rows of a device whose ceilings are not there.
    #[error("there are no ceilings of device {device}")]
    NoCeilings {
        /// The device's number.
        device: usize,
    },
}

fn listed(roles: &[Role]) -> String {
    let roles: Vec<String> = roles.iter().map(ToString::to_string).collect();
    roles.join(", ")
}
