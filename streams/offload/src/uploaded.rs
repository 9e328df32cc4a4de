//! What crosses HTTP of streams.

use chrono::{DateTime, Utc};
use kerncast_wire::{Agent, Device, Origin};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Offload, Rates, Type, Work};

/// What streams through a device can do, measured once: sent to `POST /v1/streams`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewStreamRates {
    /// Made by the client (UUID version 7), so that sending them again is a no-op.
    pub id: Uuid,
    /// When the measurement ended.
    pub measured_at: DateTime<Utc>,
    /// Who measured.
    pub agent: Agent,
    /// On what.
    pub device: Device,
    /// The rates, with checks of their own forecasts.
    pub rates: Rates,
    /// Where they come from.
    #[serde(default)]
    pub origin: Origin,
}

/// Whether a device pays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OffloadQuestion {
    /// The device's id.
    pub device: i64,
    /// What is done.
    pub work: Work,
    /// Of the array; those that were measured are `u32`, `u64`, `f32` and `f64`.
    pub element: Type,
    /// Of the array: above 0, a whole number of elements, at most 1 PiB.
    pub bytes: u64,
    /// Bytes of the device's memory that may be used; absent: three quarters.
    #[serde(default)]
    pub device_memory: Option<u64>,
}

/// A device whose streams were measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeasuredStreams {
    /// Its id.
    pub device: i64,
    /// When the newest rates were measured.
    pub measured_at: DateTime<Utc>,
    /// Threads of its host.
    pub threads: u64,
    /// Whether the device is the host's processor.
    pub is_host: bool,
    /// How much memory it has.
    pub global_memory_bytes: Option<u64>,
}

/// Whether it pays, by the newest rates of the device.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OffloadAnswer {
    /// The device's id.
    pub device: i64,
    /// Bytes of its memory that may be used.
    pub device_memory: u64,
    /// Threads of its host, which are *all cores*.
    pub threads: u64,
    /// When its rates were measured.
    pub measured_at: DateTime<Utc>,
    /// The answer.
    #[serde(flatten)]
    pub offload: Offload,
}
