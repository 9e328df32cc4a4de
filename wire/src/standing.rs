//! Whether samples may be learned from, and what admins decide.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

/// Whether a sample may be learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// The gate has not seen it yet: the next fit of its device judges it first.
    Unjudged,
    /// The gate found nothing against it: it is fitted.
    #[default]
    Sound,
    /// The gate set it aside. Each later collection has it judged again.
    Quarantined,
    /// An admin set it aside.
    Rejected,
    /// An admin took it: it is fitted, whatever the gate says.
    Accepted,
}

/// What an admin decides of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Set them aside: they stay stored and listed, and count for nothing.
    Reject,
    /// Fit them, whatever the gate says.
    Accept,
    /// Take back what was decided: what was sound is sound again, all else is judged again.
    Restore,
}

/// Samples to which all of it applies. At least one field.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SampleSelection {
    /// Samples by id, at most 10,000.
    pub ids: Option<Vec<Uuid>>,
    /// Samples that this agent measured.
    #[schema(example = "lab-3")]
    pub agent: Option<String>,
    /// Samples that came with the token of this id.
    pub token: Option<i64>,
    /// Samples of the device of this id.
    pub device: Option<i64>,
    /// Samples of this kernel.
    pub kernel: Option<String>,
    /// Samples of this standing.
    pub standing: Option<Standing>,
    /// Stored from then on, by the server's clock …
    pub stored_from: Option<DateTime<Utc>>,
    /// … and before then.
    pub stored_before: Option<DateTime<Utc>>,
}

/// A decision about samples: sent to `POST /v1/decisions`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDecision {
    /// The decision.
    pub decision: Decision,
    /// The samples that it is about.
    pub samples: SampleSelection,
    /// Why, for those who read it later.
    #[schema(example = "the clock of lab-3 was wrong")]
    pub reason: String,
    /// Whether to change nothing and only report what would change.
    #[serde(default)]
    pub dry_run: bool,
}

/// What a decision has changed, or would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Decided {
    /// How many samples have another standing than before.
    pub samples: i64,
    /// The same by device; fits of each are under way.
    pub devices: Vec<DecidedDevice>,
    /// Whether it only says what it would change.
    pub dry_run: bool,
}

/// A device whose samples have another standing than before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DecidedDevice {
    /// Its id.
    pub device: i64,
    /// Its name.
    pub name: String,
    /// How many of its samples.
    pub samples: i64,
}

/// Why a model that was held may answer: sent to `POST /v1/models/{id}/acceptance`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAcceptance {
    /// For those who read it later.
    #[schema(example = "the new driver is slower")]
    pub reason: String,
}
