//! What a person should look at, and why.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use thiserror::Error;
use utoipa::ToSchema;
use uuid::Uuid;

use self::phrases::{
    failures, fit_sources, from_device, others_moved, plural, quarantined_samples, rate_unit,
    shift, until_fitted, uploads_since,
};
use crate::{
    Doubt, FitRefusal, HeldBecause, HoldOutKey, Reasons, Uploads,
    words::{minute, number},
};

mod phrases;

/// Something that a person should look at.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Attention {
    /// The reason, as a kind with its numbers.
    pub because: Because,
    /// The same in English.
    pub detail: String,
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
            detail: because.to_string(),
            because,
            agent: None,
            device: None,
            provider: None,
            model: None,
        }
    }
}

/// What there is to say of something that needs attention, by its kind. In English by its `Display`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Because {
    /// An agent's last run or upload went wrong.
    #[error("{}", failures(*.failed, *.of, .error.as_ref(), *.refused))]
    AgentFailing {
        /// Workloads that failed in its last run.
        failed: u32,
        /// Workloads of that run.
        of: u32,
        /// The first thing that went wrong, as the agent says it.
        error: Option<String>,
        /// Files of its spool that were refused.
        refused: u32,
    },
    /// An agent has not been seen for two days.
    #[error("last seen {}", minute(.last_seen_at))]
    AgentSilent {
        /// When it was seen last.
        last_seen_at: DateTime<Utc>,
    },
    /// A champion's ln(factor), by which it was chosen, is more than a tenth above that of the fit before it, which had
    /// stood for half a day and had half as many samples.
    #[error(
        "forecasts of unseen {} were off by a factor of {before:.3}, and are now by {now:.3}",
        plural(*.left_out)
    )]
    ErrorRose {
        /// The key of the hold-out by which it is known.
        left_out: HoldOutKey,
        /// The factor of the fit before it.
        before: f64,
        /// Its own.
        now: f64,
    },
    /// A champion's intervals cover unseen kernels more than 5 % more or less often than they say. Shares.
    #[error(
        "{:.0} % intervals cover {:.1} % of unseen kernels' times",
        100.0 * .level,
        100.0 * .covered
    )]
    CoverageOff {
        /// The level of the intervals: 0.9 is 90 %.
        level: f64,
        /// The share of times that they cover.
        covered: f64,
    },
    /// Every fit was refused.
    #[error("{why}")]
    NoModel {
        /// Why the newest was.
        why: FitRefusal,
    },
    /// Fits of a device are waiting or under way: until they are done, other models answer.
    #[error(
        "fits are pending since {}, {}: {}",
        minute(.since),
        fit_sources(.providers, *.across),
        until_fitted(*.first)
    )]
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
    /// A workload does more per second than the device's ceilings say that it can.
    #[error(
        "by counters of {provider}, {kernel} makes {} {}, where {} is the most by the ceiling {ceiling}, {} times less: \
         the ceilings may have been measured on a busy device; measure them again (kerncast ceilings)",
        number(*.per_second),
        rate_unit(.ceiling),
        number(*.says),
        number(.per_second / .says)
    )]
    CeilingBeaten {
        /// The ceiling, as the API calls it.
        ceiling: String,
        /// What the ceiling allows, per second.
        says: f64,
        /// What the workload does per second.
        per_second: f64,
        /// The workload's kernel.
        kernel: String,
        /// The provider of the counters.
        provider: String,
    },
    /// A fitting job fails.
    #[error(
        "{error}; {} after {attempts} tries{}",
        if *.given_up { "given up" } else { "tried again" },
        from_device(*.counted_on)
    )]
    JobFailing {
        /// The error, in English.
        error: String,
        /// Whether it is not tried again.
        given_up: bool,
        /// Number of tries.
        attempts: i32,
        /// The device whose counters it fits, by its id; absent: the device's own.
        counted_on: Option<i64>,
    },
    /// There is little room on the disk.
    #[error(
        "{} MiB are free on the disk of {folder}; below {} MiB nothing is stored{}",
        .free_bytes >> 20,
        .full_bytes >> 20,
        if .free_bytes < .full_bytes { "; uploads are refused, and stay with the agents" } else { "" }
    )]
    DiskLow {
        /// The folder of the data.
        folder: String,
        /// Bytes that are free.
        free_bytes: u64,
        /// Below so many nothing is stored.
        full_bytes: u64,
    },
    /// Samples were set aside.
    #[error("{}: {why}", quarantined_samples(*.samples))]
    SamplesQuarantined {
        /// Number of samples.
        samples: i64,
        /// Why; where there are several samples, the commonest.
        #[schema(value_type = Vec<Doubt>)]
        why: Reasons<Doubt>,
    },
    /// A new champion waits for an admin: its errors are far above those of the one before it.
    #[error(
        "new models of {response}s{} wait: {why}{}",
        from_device(*.counted_on),
        uploads_since(.uploads)
    )]
    ModelHeld {
        /// What they forecast: `time`.
        response: String,
        /// The device whose counters they forecast from, by its id; absent: their own.
        counted_on: Option<i64>,
        /// Why they wait.
        #[schema(value_type = Vec<HeldBecause>)]
        why: Reasons<HeldBecause>,
        /// The samples that have come since the champion before.
        uploads: Vec<Uploads>,
    },
    /// A new champion's forecasts of known workloads are more than 5 % (median) or 25 % (one) off those of the one
    /// before it. For a week.
    #[error(
        "since {} forecast {response}s{} of known workloads have moved by {} (median) and up to {} (of {kernel}){}{}",
        minute(.since),
        from_device(*.counted_on),
        shift(*.median),
        shift(*.worst),
        uploads_since(.uploads),
        others_moved(*.others)
    )]
    ForecastsMoved {
        /// Since when.
        since: DateTime<Utc>,
        /// The quantity that is forecast: `time`.
        response: String,
        /// The device whose counters they are made from, by its id; absent: their own.
        counted_on: Option<i64>,
        /// The median change of known workloads' forecasts, as a share: 0.05 is 5 %.
        median: f64,
        /// The largest change of one workload's forecast.
        worst: f64,
        /// The workload's kernel.
        kernel: String,
        /// The samples that have come since the champion that it is compared with.
        uploads: Vec<Uploads>,
        /// How many more models of the device and provider moved.
        others: usize,
    },
}
