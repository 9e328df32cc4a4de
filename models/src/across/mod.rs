//! Across devices: what ran on one device forecasts the time on another.
//!
//! [`from_counters`] needs the source's counters, [`from_source`] its time too; both leave kernels out
//! and say what they forecast for them. [`by_median_ratio`] and [`scaled_by_ceilings`] are the baselines
//! beside them, [`matrix`] has all of it for every pair of devices, [`Paper`] what the paper did.
//! [`leave_devices_out`] is for a device that has run nothing but the ceilings.

mod baseline;
mod ceilings;
mod costs;
mod demands;
mod error;
mod fitted;
mod folds;
mod matrix;
mod methods;
mod names;
mod non_negative;
mod pair;
mod paper;
mod relative;
mod scaled;
mod smooth;
mod terms;
mod unseen;
pub(crate) mod weighted_median;
mod workloads;

pub use baseline::by_median_ratio;
pub use ceilings::{Ceilings, Demand, scaled_by_ceilings};
pub use costs::{Costs, from_counters};
pub use demands::Demands;
pub use error::AcrossError;
pub use matrix::{Cell, Counted, Measured, matrix};
pub use methods::{
    Across, BY_CEILINGS, BY_NEAREST_CEILING, ByMedianRatio, ByNearestCeiling, FromCounters,
    FromCountersAndTime, NAMES, SOURCE_TIME,
};
pub use names::asked;
pub use pair::{Pair, from_source};
pub use paper::Paper;
pub use scaled::Scaled;
pub use smooth::Smooth;
pub use terms::{Roles, Term};
pub use unseen::{ByCeilings, Ran, leave_devices_out};
pub use workloads::Workloads;
