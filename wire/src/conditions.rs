use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The device's state while a workload was timed, as its management library tells (NVIDIA: NVML).
/// What is not known is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// Median clock of the compute units, MHz.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute_clock_mhz: Option<f64>,
    /// Median clock of the device's memory, MHz.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_clock_mhz: Option<f64>,
    /// Highest temperature, °C.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature_c: Option<f64>,
    /// Median power draw, W.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power_w: Option<f64>,
    /// Why the device ran below its highest clocks, in the library's words: `sw_power_cap`,
    /// `hw_thermal_slowdown`, … Absent: not known; empty: it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttle_reasons: Option<BTreeSet<String>>,
    /// Other processes that held the device meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
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
