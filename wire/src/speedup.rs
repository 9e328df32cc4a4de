use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    CounterSet, Errors, FittingJob, Outside, Signs, Warning, Warnings, at_most, each_once,
    warning::said::Said,
};

/// How well it is known whether local memory pays off on a device. A **speedup** is the time of a kernel's
/// variant `global` ÷ the time of its variant `local` at the same sizes: above 1, local memory pays off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpeedupModels {
    /// The id of the device whose speedups are forecast.
    pub device: i64,
    /// The id of the device whose counters of `global` they are forecast from; absent: the device itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_on: Option<i64>,
    /// Whose counters.
    #[schema(example = "ncu")]
    pub provider: String,
    /// One a method, the one that answers first; `median`, the baseline, among them.
    pub models: Vec<SpeedupModel>,
}

/// One way to forecast speedups.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpeedupModel {
    /// The model's id.
    pub model: Uuid,
    /// `forest_per_worker`, or the baseline `median`: the median speedup, whatever the counters.
    #[schema(example = "forest_per_worker")]
    pub method: String,
    /// Whether it answers: the least factor, or the baseline where that is as good.
    pub champion: bool,
    /// Workloads that it was fitted to.
    pub workloads: i64,
    /// Kernels among them.
    pub kernels: i64,
    /// Errors of the speedups of kernels that the fit had not seen. Absent: could not be validated so.
    pub leave_one_kernel_out: Option<Errors>,
    /// The same of families; absent across devices.
    pub leave_one_family_out: Option<Errors>,
    /// How often it says rightly whether local memory pays off, of kernels that the fit had not seen.
    pub signs: Option<Signs>,
    /// Why its forecasts bear no verdict, in English; absent: they may.
    pub cannot_tell: Option<String>,
    /// The same as a kind with its numbers.
    pub cannot_tell_kind: Option<Warning>,
    /// Why there is no fit.
    pub refusal: Option<String>,
}

/// The speedup of one of a kernel's workloads, measured, and forecast by the champion.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct KernelSpeedup {
    /// The id of the device.
    pub device: i64,
    /// The id of the device whose counters it was forecast from; absent: the device itself.
    pub counted_on: Option<i64>,
    /// Whose counters.
    pub provider: String,
    /// The model.
    pub model: Uuid,
    /// Sizes.
    pub parameters: BTreeMap<String, i64>,
    /// The sample without local memory.
    pub global_sample: Uuid,
    /// The sample with it.
    pub local_sample: Uuid,
    /// The time of `global_sample` ÷ that of `local_sample`.
    pub measured: f64,
    /// By a fit that had not seen the kernel; absent where there was none.
    pub forecast: Option<f64>,
}

/// A kernel measured without local memory: would local memory pay off?
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpeedupRequest {
    /// The id of the device that it was counted on.
    pub counted_on: i64,
    /// Provider → counter → number, of the variant without local memory.
    #[serde(deserialize_with = "each_once::counters")]
    #[schema(value_type = BTreeMap<String, BTreeMap<String, f64>>, example = json!({"oclgrind": {"load_global": 2097152}}))]
    pub counters: CounterSet,
    /// Seconds that it took there; absent: speedups come without times.
    pub time_s: Option<f64>,
    /// The ids of the devices to ask of, at most 1,000; absent: each that there is a model for.
    #[serde(default, deserialize_with = "at_most::optional::<1000, _, _>")]
    pub devices: Option<Vec<i64>>,
    /// How likely a speedup is to lie within its interval, above 0 and below 1; absent: 0.9.
    #[schema(example = 0.9)]
    pub level: Option<f64>,
}

/// How much faster local memory would make it on a device.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpeedupForecast {
    /// The device.
    pub device: i64,
    /// The time without local memory ÷ the time with it.
    pub speedup: f64,
    /// Whether it is above 1. Absent where nobody can tell: `cannot_tell` says why.
    pub pays_off: Option<bool>,
    /// How likely it is above 1, from 0 to 1, by how far off the model was on kernels left out: more than even says
    /// where a kernel without a verdict leans. Absent where the counters are not what the model has learnt from.
    #[schema(minimum = 0, maximum = 1)]
    pub odds: Option<f64>,
    /// Why there is no verdict, in English. There is one where the counters are of a variant without local memory, the model has
    /// all that it uses and has seen the like, says of kernels that it had not seen whether local memory pays off, more
    /// often than always giving the commoner answer does, by more than chance (a one-sided sign test of `signs.better`
    /// and `signs.worse` at 5 %), and for nine in ten kernels the speedup lies on one side of 1.
    pub cannot_tell: Option<String>,
    /// The same as a kind with its numbers.
    pub cannot_tell_kind: Option<Warning>,
    /// Fits under way that may change the answer: of the device, from these counters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<FittingJob>,
    /// Where the speedup of a kernel that the model has not seen lies; absent: `no_interval` says why.
    pub interval: Option<SpeedupInterval>,
    /// Why there is no interval, in English.
    pub no_interval: Option<String>,
    /// The same as a kind with its numbers.
    pub no_interval_kind: Option<Warning>,
    /// Seconds without local memory: as posted, or, on another device, forecast.
    pub global_s: Option<f64>,
    /// These ÷ the speedup: seconds with local memory.
    pub local_s: Option<f64>,
    /// The model that answered.
    pub model: Uuid,
    /// Its method.
    #[schema(example = "forest_per_worker")]
    pub method: String,
    /// The provider whose counters it knows.
    pub provider: String,
    /// How far off it typically is on kernels that it had not seen: exp(mean |ln(forecast ÷ measured)|).
    pub factor: Option<f64>,
    /// How often it says rightly whether local memory pays off.
    pub signs: Option<Signs>,
    /// Counters outside what the model has seen.
    pub outside: Vec<Outside>,
    /// Counters of the model that were not posted: the model's mean stood in for each.
    pub missing: Vec<String>,
    /// What a reader should know before believing it.
    #[serde(flatten)]
    #[schema(value_type = Said)]
    pub warnings: Warnings,
}

/// Where the speedup of a kernel that the model has not seen lies, with probability `level`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpeedupInterval {
    /// What was asked for: 0.9 is 90 %.
    pub level: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}
