//! Requests and answers about streams, as they cross HTTP.

use chrono::{DateTime, Utc};
use kerncast_wire::{Agent, Device, Origin};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{ElementType, Offload, StreamRates, StreamWork};

/// Rates of streams through a device, measured once and sent to `POST /v1/streams`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewStreamRates {
    /// Made by the client (UUID version 7), so that sending them again is a no-op.
    pub id: Uuid,
    /// When the measurement ended.
    pub measured_at: DateTime<Utc>,
    /// The agent that measured.
    pub agent: Agent,
    /// The device that was measured.
    pub device: Device,
    /// The rates, with checks of the forecasts that they give.
    pub rates: StreamRates,
    /// Where the rates come from.
    #[serde(default)]
    pub origin: Origin,
}

/// The question whether a device pays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OffloadQuestion {
    /// The device's id.
    pub device: i64,
    /// What is done to the array.
    pub work: StreamWork,
    /// Type of the array's elements; measured are `u32`, `u64`, `f32` and `f64`.
    pub element: ElementType,
    /// Length of the array in bytes: above 0, a whole number of elements, at most 1 PiB.
    pub bytes: u64,
    /// Bytes of the device's memory that may be used; absent: three quarters.
    #[serde(default)]
    pub device_memory: Option<u64>,
}

/// A device whose streams were measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeasuredStreams {
    /// The device's id.
    pub device: i64,
    /// When the newest rates were measured.
    pub measured_at: DateTime<Utc>,
    /// Hardware threads of its host.
    pub threads: u64,
    /// Whether the device is the host's processor.
    pub is_host: bool,
    /// Bytes of its memory.
    pub global_memory_bytes: Option<u64>,
}

/// Whether the device pays, by its newest rates.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OffloadAnswer {
    /// The device's id.
    pub device: i64,
    /// Bytes of its memory that may be used.
    pub device_memory: u64,
    /// Hardware threads of its host: the offer *all cores* uses them all.
    pub threads: u64,
    /// When its rates were measured.
    pub measured_at: DateTime<Utc>,
    /// The answer.
    #[serde(flatten)]
    pub offload: Offload,
}
