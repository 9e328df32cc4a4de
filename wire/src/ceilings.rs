//! What a device can do at most, as measured.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Agent, Conditions, Device, Origin, Provenance};

/// What a device can do at most, as measured: sent to `POST /v1/ceilings`. What could not be measured is
/// absent (no double precision, say).
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ceilings {
    /// Bytes read plus bytes written per second by a copy within global memory.
    pub copy_bytes_per_s: Option<f64>,
    /// Bytes per second from pinned host memory to the device.
    pub host_to_device_bytes_per_s: Option<f64>,
    /// Bytes per second from the device to pinned host memory.
    pub device_to_host_bytes_per_s: Option<f64>,
    /// Single-precision operations per second, a multiply-add counted as two.
    pub fp32_flop_per_s: Option<f64>,
    /// Double-precision operations per second, a multiply-add counted as two.
    pub fp64_flop_per_s: Option<f64>,
    /// 32-bit integer operations per second, a multiply-add counted as two.
    pub int32_op_per_s: Option<f64>,
    /// Bytes per second read from local memory without bank conflicts.
    pub local_bytes_per_s: Option<f64>,
    /// Seconds of the shortest launch: a kernel of one work-item that does nothing.
    pub launch_latency_s: Option<f64>,
}

/// A device's ceilings, measured once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewCeilings {
    /// Made by the client (UUID version 7), so that sending them again is a no-op.
    pub id: Uuid,
    /// When the measurement ended.
    pub measured_at: DateTime<Utc>,
    /// The agent that measured.
    pub agent: Agent,
    /// The device that was measured.
    pub device: Device,
    /// The ceilings; at least one, each finite and above 0.
    pub ceilings: Ceilings,
    /// The device's state meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions>,
    /// How they were measured.
    #[serde(default)]
    pub provenance: Provenance,
    /// Where they come from.
    #[serde(default)]
    pub origin: Origin,
}
