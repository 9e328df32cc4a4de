use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Doubt, FitRefusal, HeldBecause, HoldOutKey, Reasons, Uploads};

mod text;

/// Something that a person should look at.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Attention {
    /// What.
    pub kind: AttentionKind,
    /// In words.
    pub detail: String,
    /// The same, as numbers and names; absent of an earlier server, and read as absent of a later one that says it
    /// otherwise.
    #[serde(default, deserialize_with = "crate::reasons::known")]
    pub because: Option<Because>,
    /// The agent that it is about.
    pub agent: Option<String>,
    /// The device that it is about, by its id.
    pub device: Option<i64>,
    /// The provider that it is about.
    pub provider: Option<String>,
    /// The model that it is about.
    pub model: Option<Uuid>,
}

impl From<Because> for Attention {
    fn from(because: Because) -> Self {
        Self {
            kind: because.kind(),
            detail: because.to_string(),
            because: Some(because),
            agent: None,
            device: None,
            provider: None,
            model: None,
        }
    }
}

/// Why something needs attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttentionKind {
    /// An agent's last run or upload went wrong.
    AgentFailing,
    /// An agent has not been seen for two days.
    AgentSilent,
    /// A champion's ln(factor), by which it was chosen, is more than a tenth above that of the fit before it, which had
    /// stood for half a day and had half as many samples.
    ErrorRose,
    /// A champion's intervals cover unseen kernels more than 5 % more or less often than they say.
    CoverageOff,
    /// Every fit of a device and provider was refused.
    NoModel,
    /// Fits of a device are waiting or under way: until they are done, other models answer.
    FitsPending,
    /// A workload does more per second than the device's ceilings say that it can.
    CeilingBeaten,
    /// A fitting job fails.
    JobFailing,
    /// There is little room left on the server's disk.
    DiskLow,
    /// The gate has set samples of an agent aside.
    SamplesQuarantined,
    /// A new champion waits for an admin: its errors are far above those of the one before it.
    ModelHeld,
    /// A new champion's forecasts of known workloads are more than 5 % (median) or 25 % (one) off those of the one
    /// before it. For a week.
    ForecastsMoved,
}

/// What there is to say of something that needs attention, by its kind. In English by its `Display`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Because {
    /// An agent's last run or upload went wrong.
    AgentFailing {
        /// Workloads that failed in its last run.
        failed: u32,
        /// Of so many.
        of: u32,
        /// The first thing that went wrong, as the agent says it.
        error: Option<String>,
        /// Files of its spool that were refused.
        refused: u32,
    },
    /// An agent has not been seen.
    AgentSilent {
        /// When it was seen last.
        last_seen_at: DateTime<Utc>,
    },
    /// More agents fail than are named.
    MoreAgentsFailing {
        /// How many more.
        agents: i64,
    },
    /// More agents have not been seen than are named.
    MoreAgentsSilent {
        /// How many more.
        agents: i64,
    },
    /// Samples are set aside of more agents and devices than are named.
    MoreSamplesQuarantined {
        /// How many more pairs of an agent and a device.
        pairs: i64,
        /// Samples of these.
        samples: i64,
    },
    /// A champion's error rose.
    ErrorRose {
        /// What was left out to know it.
        left_out: HoldOutKey,
        /// The factor of the fit before it.
        before: f64,
        /// Its own.
        now: f64,
    },
    /// A champion's intervals cover more or less than they say. Shares.
    CoverageOff {
        /// What they say.
        level: f64,
        /// What they cover.
        covered: f64,
    },
    /// Every fit was refused.
    NoModel {
        /// Why the newest was.
        why: FitRefusal,
    },
    /// Fits are waiting or under way.
    FitsPending {
        /// When the first of them was asked for.
        since: DateTime<Utc>,
        /// From whose counters of the device itself.
        providers: Vec<String>,
        /// From other devices' counters: how many.
        across: usize,
        /// Whether the device has no model yet.
        first: bool,
    },
    /// A workload beats a ceiling.
    CeilingBeaten {
        /// The ceiling, as the API calls it.
        ceiling: String,
        /// What it says, per second.
        says: f64,
        /// What the workload does per second.
        per_second: f64,
        /// Whose workload.
        kernel: String,
        /// By whose counters.
        provider: String,
    },
    /// A fitting job fails.
    JobFailing {
        /// How, in English.
        error: String,
        /// Whether it is not tried again.
        given_up: bool,
        /// How often it was tried.
        attempts: i32,
        /// The device whose counters it fits, by its id; absent: the device's own.
        counted_on: Option<i64>,
    },
    /// There is little room on the disk, or the database grows fast for it. At least one of them.
    DiskLow {
        /// How little.
        low: Option<LowDisk>,
        /// When it is full.
        full: Option<FullDisk>,
    },
    /// Samples were set aside.
    SamplesQuarantined {
        /// How many.
        samples: i64,
        /// Why; where there are several samples, the commonest.
        #[schema(value_type = Vec<Doubt>)]
        why: Reasons<Doubt>,
    },
    /// Models wait for an admin.
    ModelHeld {
        /// What they forecast: `time`, `speedup`.
        response: String,
        /// The device whose counters they forecast from, by its id; absent: their own.
        counted_on: Option<i64>,
        /// Why.
        #[schema(value_type = Vec<HeldBecause>)]
        why: Reasons<HeldBecause>,
        /// What has come since the champion before.
        #[serde(default)]
        uploads: Vec<Uploads>,
    },
    /// Forecasts moved.
    ForecastsMoved {
        /// Since when.
        since: DateTime<Utc>,
        /// What is forecast: `time`, `speedup`.
        response: String,
        /// The device whose counters they are made from, by its id; absent: their own.
        counted_on: Option<i64>,
        /// By how much half of the known workloads' have, as a share: 0.05 is 5 %.
        median: f64,
        /// By how much that of one workload has.
        worst: f64,
        /// Whose workload.
        kernel: String,
        /// What has come since the champion that it is compared with.
        #[serde(default)]
        uploads: Vec<Uploads>,
        /// How many more models of the device and provider moved.
        others: usize,
    },
}

/// How little room there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LowDisk {
    /// Of the data.
    pub folder: String,
    /// Bytes that are free.
    pub free_bytes: u64,
    /// Below so many nothing is stored.
    pub full_bytes: u64,
}

/// When the disk is full, as the database has grown lately.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FullDisk {
    /// In so many days.
    pub days: f64,
    /// Bytes that the database grew a day …
    pub bytes_per_day: f64,
    /// … over so many days.
    pub over_days: i32,
    /// Bytes until nothing is stored any more.
    pub room_bytes: u64,
}

impl Because {
    /// Of which kind it is.
    #[must_use]
    pub fn kind(&self) -> AttentionKind {
        match self {
            Self::AgentFailing { .. } | Self::MoreAgentsFailing { .. } => {
                AttentionKind::AgentFailing
            }
            Self::AgentSilent { .. } | Self::MoreAgentsSilent { .. } => AttentionKind::AgentSilent,
            Self::ErrorRose { .. } => AttentionKind::ErrorRose,
            Self::CoverageOff { .. } => AttentionKind::CoverageOff,
            Self::NoModel { .. } => AttentionKind::NoModel,
            Self::FitsPending { .. } => AttentionKind::FitsPending,
            Self::CeilingBeaten { .. } => AttentionKind::CeilingBeaten,
            Self::JobFailing { .. } => AttentionKind::JobFailing,
            Self::DiskLow { .. } => AttentionKind::DiskLow,
            Self::SamplesQuarantined { .. } | Self::MoreSamplesQuarantined { .. } => {
                AttentionKind::SamplesQuarantined
            }
            Self::ModelHeld { .. } => AttentionKind::ModelHeld,
            Self::ForecastsMoved { .. } => AttentionKind::ForecastsMoved,
        }
    }
}
