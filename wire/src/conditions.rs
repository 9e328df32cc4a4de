//! A device's state while it was timed, and flags on doubtful times.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// The device's state while a workload was timed, as its management library tells (NVIDIA: NVML).
/// What is not known is absent.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// Median clock of the compute units, MHz.
    pub compute_clock_mhz: Option<f64>,
    /// Median clock of the device's memory, MHz.
    pub memory_clock_mhz: Option<f64>,
    /// Highest temperature, °C.
    pub temperature_c: Option<f64>,
    /// Median power draw, W.
    pub power_w: Option<f64>,
    /// Why the device ran below its highest clocks, in the library's words: `sw_power_cap`,
    /// `hw_thermal_slowdown`, … Absent: not known; empty: it did not.
    pub throttle_reasons: Option<BTreeSet<String>>,
    /// Other processes that held the device meanwhile.
    pub other_processes: Option<u32>,
}

/// What makes a sample's times doubtful. Flagged, never deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Flag {
    /// The device slowed itself down: power or temperature.
    Throttled,
    /// Another process held the device.
    Shared,
    /// Some repetitions lie far from the median.
    Outliers,
}
