//! Devices and counters that samples speak of.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{Ceilings, Device, Origin, Role};

/// A device that samples speak of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeviceSummary {
    /// The server's number for it.
    pub id: i64,
    /// Its name for people, which tells it from the server's other devices.
    #[schema(example = "H200")]
    pub short_name: String,
    /// What it is.
    #[serde(flatten)]
    pub device: Device,
    /// Samples measured on it.
    pub samples: i64,
    /// Kernels measured on it, but for generated ones.
    pub kernels: i64,
    /// Its newest sample.
    pub last_measured_at: Option<DateTime<Utc>>,
    /// Whether all that is known of it came with Kerncast.
    pub shipped: bool,
    /// Its ceilings: of the agent that measured last, the best of each within the ninety days before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceilings: Option<MeasuredCeilings>,
}

/// Ceilings with their date.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeasuredCeilings {
    /// When they were measured last.
    pub measured_at: DateTime<Utc>,
    /// Where they come from.
    pub origin: Origin,
    /// What the device can do at most.
    #[serde(flatten)]
    pub ceilings: Ceilings,
}

/// A counter that samples speak of.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CounterSummary {
    /// The provider that counts it.
    pub provider: String,
    /// Its name there.
    pub name: String,
    /// Samples that have it.
    pub samples: i64,
    /// Kernels that have it.
    pub kernels: i64,
    /// What it counts; absent for a counter that Kerncast does not know.
    pub description: Option<String>,
    /// Its unit.
    #[schema(example = "sector")]
    pub unit: Option<String>,
    /// Whether a model may use it.
    pub kind: Option<CounterKind>,
    /// What it counts, whoever counts it; absent where no model knows it by that.
    pub role: Option<Role>,
}

/// What kind of number a counter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CounterKind {
    /// Grows with the work done: what models use.
    Volume,
    /// Known before the kernel runs: geometry, occupancy limits.
    Launch,
    /// Work per time or cycle: holds the answer.
    Rate,
    /// Time itself.
    Cycles,
}
