//! Server-sent events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What changed: the data of a server-sent event of `GET /v1/events`. It says where to look, not what is
/// there now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// Samples of a device were stored.
    Samples {
        /// The device's id.
        device: i64,
    },
    /// A device's ceilings were stored.
    Ceilings {
        /// The device's id.
        device: i64,
    },
    /// A model was fitted, or refused.
    Model {
        /// The device's id.
        device: i64,
        /// The provider.
        provider: String,
        /// The model's id.
        model: Uuid,
    },
    /// A fitting job came, failed or ended.
    Job {
        /// The device's id.
        device: i64,
        /// The provider.
        provider: String,
    },
    /// An agent reported.
    Agent {
        /// Its name.
        agent: String,
    },
    /// Tokens changed.
    Access,
    /// Some events are lost: ask anew for whatever is shown.
    Missed,
}
