//! What would change the answer to "does the device pay?", or speaks against it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::StreamBound;

/// What would change whether the device pays.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum OffloadChange {
    /// Less of what most of the device's time goes to.
    BoundBy {
        /// What most of the time goes to.
        by: StreamBound,
    },
    /// Arrays in pinned memory.
    Pinned {
        /// How long the device would take then.
        seconds: f64,
        /// Whether that is less than all cores take.
        pays: bool,
        /// How long pinning takes, once, seconds.
        pinning_s: f64,
    },
    /// Enough device memory for the whole array.
    MoreMemory {
        /// How long the device would take then.
        seconds: f64,
    },
    /// The start of a first call, which the offers leave out.
    Start {
        /// How much longer a first call takes.
        seconds: f64,
        /// After how many calls the device pays in spite of its start; none where even a later call does not pay.
        pays_after_calls: Option<f64>,
    },
    /// Nobody measured how much longer a first call takes.
    UnknownStart,
}
