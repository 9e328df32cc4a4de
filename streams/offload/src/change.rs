//! What would change an answer, or speaks against it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::Bound;

/// What would change whether the device pays.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "change", rename_all = "snake_case")]
#[schema(as = OffloadChange)]
pub enum Change {
    /// Less of what the device's time mostly goes to.
    BoundBy {
        /// That.
        by: Bound,
    },
    /// Arrays in pinned memory.
    Pinned {
        /// What the device takes then.
        seconds: f64,
        /// Whether that is less than all cores take.
        pays: bool,
        /// Pinning, once.
        pinning_s: f64,
    },
    /// Device memory for all of it at once.
    MoreMemory {
        /// What the device takes then.
        seconds: f64,
    },
    /// A first call, which takes longer than the offers say.
    Start {
        /// So much longer.
        seconds: f64,
        /// From how many calls on the device pays all the same; none where a call alone does not.
        pays_after_calls: Option<f64>,
    },
    /// What a first call takes longer was not measured.
    UnknownStart,
}
