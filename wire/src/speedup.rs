//! Whether a change of a kernel pays off.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use thiserror::Error;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{NamedCounterSet, Prediction, bounded_list};

/// A **speedup** is the time before a change ÷ the time after it: above 1, the change pays off. Its forecast is the ratio of
/// two forecasts of one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpeedupVerdict {
    /// The time after is shorter.
    PaysOff,
    /// It is not.
    DoesNot,
    /// So close to 1 that such verdicts on kernels left out were wrong too often.
    TooClose,
}

impl SpeedupVerdict {
    /// In English.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::PaysOff => "pays off",
            Self::DoesNot => "does not pay off",
            Self::TooClose => "too close to call",
        }
    }
}

/// Why there is no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Error)]
#[serde(rename_all = "snake_case")]
pub enum NoVerdict {
    /// One of the two has no forecast.
    #[error("one of the two has no forecast")]
    NoForecast,
    /// Something speaks against one of the two forecasts, other than how wide its interval is.
    #[error("something speaks against one of the two forecasts")]
    Doubtful,
    /// No kernels left out were measured before and after a change: how often verdicts are right is not known.
    #[error(
        "no kernels left out were measured in two variants, so how often verdicts are right is not known"
    )]
    NotValidated,
    /// Verdicts by this model on kernels left out were not right often enough, however far from 1.
    #[error("this model's verdicts on kernels left out were not right often enough")]
    NotRightEnough,
    /// The model that gives a second opinion says the opposite, or can't forecast these counters.
    #[error("a second model does not say the same")]
    NotSeconded,
}

/// How far off the speedups of kernels left out are: pairs of variants `global` and `local` of one kernel at the same sizes.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpeedupErrors {
    /// Number of pairs.
    pub n: usize,
    /// Kernels among them.
    pub kernels: usize,
    /// exp(mean |ln(forecast ÷ measured)|).
    #[schema(example = 1.22)]
    pub factor: f64,
    /// The share forecast on the right side of 1.
    #[schema(example = 0.83)]
    pub right: f64,
    /// Those that were said to pay off, each by the other kernels alone.
    pub pays_off: VerdictErrors,
    /// Those that were said not to.
    pub does_not: VerdictErrors,
}

impl SpeedupErrors {
    /// The errors of a verdict; none of "too close to call".
    #[must_use]
    pub fn of_verdict(&self, verdict: SpeedupVerdict) -> Option<VerdictErrors> {
        match verdict {
            SpeedupVerdict::PaysOff => Some(self.pays_off),
            SpeedupVerdict::DoesNot => Some(self.does_not),
            SpeedupVerdict::TooClose => None,
        }
    }
}

/// How often a verdict on kernels left out was right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VerdictErrors {
    /// Pairs that it was given on.
    #[schema(example = 285)]
    pub given: usize,
    /// How many of them it was right for.
    #[schema(example = 276)]
    pub right: usize,
}

/// How well speedups are known on a device.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpeedupModel {
    /// The id of the device.
    pub device: i64,
    /// The id of the device whose counters they are forecast from; absent: the device itself.
    pub counted_on: Option<i64>,
    /// The provider of the counters.
    #[schema(example = "analysis")]
    pub provider: String,
    /// The model whose forecasts are divided: the champion of times.
    pub model: Uuid,
    /// Its method.
    #[schema(example = "waves_forest")]
    pub method: String,
    /// How far off it is. Absent: no kernel left out was measured in two variants.
    pub errors: Option<SpeedupErrors>,
}

/// The speedup of local memory at one of a kernel's sizes, measured and forecast: the time of variant `global` ÷ that of
/// variant `local`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct KernelSpeedup {
    /// The id of the device.
    pub device: i64,
    /// The id of the device whose counters it was forecast from; absent: the device itself.
    pub counted_on: Option<i64>,
    /// The provider of the counters.
    pub provider: String,
    /// The model.
    pub model: Uuid,
    /// The kernel's sizes.
    pub parameters: BTreeMap<String, i64>,
    /// The sample without local memory.
    pub before_sample: Uuid,
    /// The sample with it.
    pub after_sample: Uuid,
    /// The time of `before_sample` ÷ that of `after_sample`.
    pub measured: f64,
    /// By a fit that had not seen the kernel; absent where there was none.
    pub forecast: Option<f64>,
    /// What that said, as other kernels' verdicts turned out.
    pub verdict: Option<SpeedupVerdict>,
}

/// A kernel before and after a change: what does the change bring?
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpeedupRequest {
    /// The kernel before the change.
    pub before: NamedCounterSet,
    /// The kernel after it, or after one of several changes; at most 100.
    #[serde(deserialize_with = "bounded_list::list::<100, _, _>")]
    pub after: Vec<NamedCounterSet>,
    /// The ids of the devices to ask of; may be absent where one device has models.
    #[serde(default, deserialize_with = "bounded_list::optional::<100, _, _>")]
    pub devices: Option<Vec<i64>>,
    /// GPUs that nobody has measured here, as in predictions.
    #[serde(default, deserialize_with = "bounded_list::optional::<100, _, _>")]
    pub gpus: Option<Vec<String>>,
    /// The id of the device that the counters were counted on, where that is another; absent: they are the forecast
    /// device's own.
    pub counted_on: Option<i64>,
}

/// What a change brings on a device.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpeedupForecast {
    /// The device.
    pub device: i64,
    /// Which of `after` it is, from 0.
    pub place: usize,
    /// Its time before the change.
    pub before: Prediction,
    /// Its time after it.
    pub after: Prediction,
    /// The time before ÷ the time after. Absent where one of them is.
    pub speedup: Option<f64>,
    /// Where the speedup of a kernel that the model has not seen lies. Absent where too few kernels were left out, or one of
    /// the two times has no interval.
    pub interval: Option<SpeedupInterval>,
    /// The same by a second model, of another kind, where there is one: then a verdict needs both.
    pub second: Option<SecondOpinion>,
    /// Whether it pays off.
    pub verdict: Option<SpeedupVerdict>,
    /// Why there is no verdict.
    pub no_verdict: Option<NoVerdict>,
    /// The share of verdicts that were right on pairs of kernels left out which lie as far from 1. Absent where there is no
    /// verdict, or it is too close to call.
    #[schema(example = 0.9)]
    pub right: Option<f64>,
    /// How far off such forecasts are, and how often such verdicts are right.
    pub errors: Option<SpeedupErrors>,
    /// The time before ÷ the time after as measured on the device, where both were posted.
    pub measured: Option<f64>,
}

/// What a model of another kind says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SecondOpinion {
    /// The model.
    pub model: Uuid,
    /// Its method.
    #[schema(example = "per_worker")]
    pub method: String,
    /// The time before ÷ the time after.
    pub speedup: f64,
}

/// Where the speedup of a kernel that the model has not seen lies, with probability `level`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpeedupInterval {
    /// 0.9, which is 90 %.
    pub level: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}
