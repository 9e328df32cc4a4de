//! What admins have done.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// What somebody did that only an admin may.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    /// Higher ids are later.
    pub id: i64,
    /// When it was done.
    pub at: DateTime<Utc>,
    /// The id of the token by which it was done; absent: on the server's command line, or by its first start.
    pub token: Option<i64>,
    /// What the token was called, or `command line`, or `first start`.
    #[schema(example = "made at the first start")]
    pub actor: String,
    /// What was done.
    pub action: AuditAction,
    /// What was chosen, as a selection has it, or what was made.
    pub about: BTreeMap<String, Value>,
    /// Why, in the admin's words.
    pub reason: Option<String>,
    /// How many samples have another standing than before; absent: it was not about samples.
    pub samples: Option<i64>,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditAction {
    /// Samples were rejected.
    RejectSamples,
    /// Samples were accepted.
    AcceptSamples,
    /// A decision about samples was taken back.
    RestoreSamples,
    /// A model that was held was accepted.
    AcceptModel,
    /// A token was made.
    MakeToken,
    /// A token was revoked.
    RevokeToken,
}
