//! Answers: forecasts and refusals, and the trust in them.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    FitForm, FittingJob, Position, Unmeasured, Warning, Warnings, warning::list::WarningFields,
};

/// The answer: a prediction for every set on every device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Predictions {
    /// The first set on every device, then the second, and so on.
    pub predictions: Vec<Prediction>,
    /// What a posted file held and was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<FileNote>,
}

/// Something that a profiler's file held and that is no datum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FileNote {
    /// The line where it first is, from 1.
    pub line: u64,
    /// What it is, and why it was left out.
    pub text: String,
}

/// What became of one set on one device.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Prediction {
    /// The set's place in the request, from 0.
    pub counter_set: u32,
    /// The set's name; of a file: kernel, variant, sizes and line.
    pub name: Option<String>,
    /// The time that was measured, seconds: what a posted file has for it, or `measured` of the set.
    pub measured_s: Option<f64>,
    /// Where that lies beside the forecast's interval. Absent where one of them is.
    pub measured_lies: Option<Position>,
    /// The device; of a GPU that nobody has measured the one whose models answer.
    pub device: i64,
    /// The GPU that nobody has measured; absent for a device.
    pub unmeasured: Option<Unmeasured>,
    /// How far to believe it.
    pub trust: Trust,
    /// Fits under way that may change the answer: of the device, from the set's counters, and where these are of
    /// another device, those that come before them. Where a model is named, there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<FittingJob>,
    /// A forecast or a refusal.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How far to believe a forecast, in one word with its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Trust {
    /// The word.
    pub word: TrustWord,
    /// Why it is no better one.
    pub why: String,
}

impl Trust {
    /// The trust in a question without a forecast.
    #[must_use]
    pub fn without_forecast() -> Self {
        Self {
            word: TrustWord::None,
            why: "there is no forecast".to_owned(),
        }
    }
}

/// One word for an answer: whatever is worst decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrustWord {
    /// Do not rely on it: no forecast, no interval, or a measured time says otherwise.
    None,
    /// An order of magnitude: a warning speaks against it, or nine in ten such kernels lie beyond ×/÷ 2.5.
    Low,
    /// Nothing speaks against it, and nine in ten kernels lie within ×/÷ 2.5.
    Fair,
    /// The same within ×/÷ 1.5: nearly as good as a measurement.
    High,
}

impl TrustWord {
    /// The word for a forecast that nine in ten such kernels lie within ×/÷ `factor` of, if nothing speaks against it.
    #[must_use]
    pub fn within(factor: f64) -> Self {
        if factor <= 1.5 {
            Self::High
        } else if factor <= 2.5 {
            Self::Fair
        } else {
            Self::Low
        }
    }
}

/// A forecast, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Outcome {
    /// The set was forecast.
    Forecast(Box<Forecast>),
    /// There is no forecast.
    Refused(Refused),
}

/// A forecast.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Forecast {
    /// Seconds. Can come out at or below 0 by the paper's method: a warning says so.
    pub time_s: f64,
    /// Where the time of a kernel that the model has not seen lies; absent: `no_interval` says why. It holds the
    /// forecasts of `others` that disagree too.
    pub interval: Option<Interval>,
    /// Why there is no interval, in English.
    pub no_interval: Option<String>,
    /// The same as a kind with its numbers.
    pub no_interval_kind: Option<Warning>,
    /// What others of the models that answer such a question forecast from the same counters: the three that err
    /// least, of those that miss no counter and have intervals. Where the answer has no interval they stand beside it,
    /// and none is said to disagree.
    pub others: Vec<Other>,
    /// Other providers' counters, which the set lacks and the device's models answer more surely; those that err least
    /// first. Of a named model's forecast nothing is said.
    #[serde(default)]
    pub better: Vec<Better>,
    /// What the device's measured ceilings allow at most; absent where none is known of what is counted.
    pub floor: Option<Floor>,
    /// Where the time goes.
    pub explanation: Explanation,
    /// The model that answered.
    pub model: Uuid,
    /// Its method.
    #[schema(example = "per_worker")]
    pub method: String,
    /// The provider whose counters it knows.
    #[schema(example = "ncu")]
    pub provider: String,
    /// Its mean absolute percentage error on kernels it had not seen; absent where not validated.
    pub leave_one_kernel_out_mean_ape: Option<f64>,
    /// What the paper's method says; absent where it is the one that answered, or has no model.
    pub baseline: Option<Baseline>,
    /// Counters outside what the model has seen.
    pub outside: Vec<Outside>,
    /// Counters of the model that the set lacks: the model's mean stood in for each.
    pub missing: Vec<String>,
    /// Counters of the set that the model does not use.
    pub unknown: Vec<String>,
    /// What a reader should know before believing it.
    #[serde(flatten)]
    #[schema(value_type = WarningFields)]
    pub warnings: Warnings,
}

/// Counters by which a device's model is less far off.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Better {
    /// The provider that counts them.
    #[schema(example = "analysis")]
    pub provider: String,
    /// How far off that model is on average on kernels that it had not seen: 1.2 is ×/÷ 1.2.
    pub factor: f64,
    /// The same of the model that answered; absent where it was not validated.
    pub instead_of: Option<f64>,
}

/// The least time that a device's measured ceilings allow a launch with these counters.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Floor {
    /// The least time, seconds.
    pub time_s: f64,
    /// The ceiling that allows the least, by its name among a device's ceilings.
    #[schema(example = "copy_bytes_per_s")]
    pub ceiling: String,
    /// What the model said below it, and was raised to it; absent where nothing was.
    pub raised: Option<Raised>,
    /// The same of every ceiling that bounds what was counted; the one that allows the least first.
    #[serde(default)]
    pub bounds: Vec<Bound>,
}

/// What a ceiling allows at least.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Bound {
    /// Its name among a device's ceilings.
    #[schema(example = "copy_bytes_per_s")]
    pub ceiling: String,
    /// The least time by this ceiling, seconds.
    pub time_s: f64,
}

/// What a floor raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Raised {
    /// The interval's lower end.
    Low,
    /// The time.
    Time,
}

/// What another model forecasts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Other {
    /// The model.
    pub model: Uuid,
    /// Its method.
    #[schema(example = "known_costs")]
    pub method: String,
    /// The provider whose counters it knows.
    #[schema(example = "ncu")]
    pub provider: String,
    /// Its forecast.
    pub time_s: f64,
    /// Where it says that the time lies.
    pub interval: Interval,
    /// Whether it differs from the answer by more than both of their intervals say: neither's holds the other's
    /// forecast. Not told where the answer has no interval, or where `impossible`.
    pub disagrees: bool,
    /// Whether a counter is more than twice the largest that it has seen, or it has seen nothing but 0 of it: that it
    /// disagrees is a sign then, but the interval is not widened to hold what it says, unless the answer lies so far out
    /// itself.
    #[serde(default)]
    pub extrapolates: bool,
    /// Whether its forecast is below what the device's measured ceilings allow: it says nothing of the answer, and
    /// the interval is not widened for it.
    #[serde(default)]
    pub impossible: bool,
}

/// Where the time of a kernel that the model has not seen lies, with probability `level`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Interval {
    /// 0.9, which is 90 %.
    pub level: f64,
    /// Its lower end, seconds.
    pub low_s: f64,
    /// Its upper end, seconds.
    pub high_s: f64,
}

/// A forecast shared out: `rest_s` and the shares add up to it. In `costs` no share is below 0, and each is
/// what the counter's events cost. In other forms it is an attribution: in `linear` the counter's part of
/// the sum, below 0 where it makes the forecast shorter; in `forest`, which has no such
/// parts, what the counter changes on the way from a typical time to this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    /// The form of the model's fit.
    pub form: FitForm,
    /// Seconds that no counter explains: the launch itself, an intercept, or a typical time.
    pub rest_s: f64,
    /// The largest first; counters without a share are left out.
    pub shares: Vec<Share>,
}

/// One counter's share of a forecast.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Share {
    /// `PROVIDER:NAME`.
    pub counter: String,
    /// The part of the device that it goes to.
    #[serde(default)]
    pub part: Part,
    /// Its share of the time, seconds.
    pub time_s: f64,
}

/// A part of a device that takes time.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Starting the kernel, its work-groups and its warps.
    Launch,
    /// Issuing and computing instructions.
    Issue,
    /// The first cache, and local memory.
    L1,
    /// The second cache.
    L2,
    /// Memory beyond the caches.
    Dram,
    /// Waiting for one another, or for memory to answer.
    Waits,
    /// No part that is known.
    #[default]
    Other,
}

/// The forecast of a baseline, from the same provider's counters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Baseline {
    /// Seconds; can come out at or below 0.
    pub time_s: f64,
    /// Its model.
    pub model: Uuid,
    /// That model's mean absolute percentage error on kernels it had not seen; absent where not validated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leave_one_kernel_out_mean_ape: Option<f64>,
    /// Its counters that the set lacks: its mean stood in for each.
    pub missing: Vec<String>,
}

/// A counter outside what a model has seen: there the forecast is an extrapolation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Outside {
    /// `PROVIDER:NAME`.
    pub counter: String,
    /// Its value.
    pub value: f64,
    /// Smallest value seen.
    pub min: f64,
    /// Largest value seen.
    pub max: f64,
    /// How many times the largest seen, or what part of the smallest; absent where only 0 was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<f64>,
}

impl Outside {
    /// Whether it is more than twice the largest seen, or nothing but 0 was: nobody knows how likely an interval is there.
    #[must_use]
    pub fn is_far_above(&self) -> bool {
        const FAR: f64 = 2.0;
        self.value > self.max && self.times.is_none_or(|times| times > FAR)
    }
}

/// No forecast: other sets of the request have one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Refused {
    /// Why, and what would help.
    pub refusal: String,
}
