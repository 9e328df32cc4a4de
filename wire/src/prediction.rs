use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Counters by provider and name.
pub type CounterSet = BTreeMap<String, BTreeMap<String, f64>>;

/// Counter sets, and what should forecast them: every set on every device. Give `counters` or
/// `counter_sets`, `device` or `devices`, not both of a pair; at most 10,000 sets × devices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PredictionRequest {
    /// One set: provider → counter → number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, BTreeMap<String, f64>>>, example = json!({"oclgrind": {"load_global": 2097152}}))]
    pub counters: Option<CounterSet>,
    /// Many sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_sets: Option<Vec<NamedCounterSet>>,
    /// The model; absent: for each set and device, the champion for the set's providers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Uuid>,
    /// The device's id; may be absent where a model is named or one device has models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<i64>,
    /// Several devices' ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub devices: Option<Vec<i64>>,
}

/// A counter set with a name that its predictions bear too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedCounterSet {
    /// What to call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "matrix_mul local n=512")]
    pub name: Option<String>,
    /// Provider → counter → number.
    #[schema(value_type = BTreeMap<String, BTreeMap<String, f64>>)]
    pub counters: CounterSet,
}

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
    /// What, and why it was left out.
    pub text: String,
}

/// What became of one set on one device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Prediction {
    /// The set's place in the request, from 0.
    pub counter_set: u32,
    /// The set's name; of a file: kernel, variant, sizes and line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The time that a posted file has for it, seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_s: Option<f64>,
    /// The device.
    pub device: i64,
    /// A forecast or a refusal.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// A forecast, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Outcome {
    /// Forecast.
    Forecast(Forecast),
    /// Refused.
    Refused(Refused),
}

/// A forecast.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Forecast {
    /// Seconds. Can come out at or below 0 by the paper's method: a warning says so.
    pub time_s: f64,
    /// The model that answered.
    pub model: Uuid,
    /// Its mean absolute percentage error on kernels it had not seen; absent where not validated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leave_one_kernel_out_mean_ape: Option<f64>,
    /// Counters of the model that the set lacks: the model's mean stood in for each.
    pub missing: Vec<String>,
    /// Counters of the set that the model does not use.
    pub unknown: Vec<String>,
    /// What a reader should know before believing it.
    pub warnings: Vec<String>,
}

/// No forecast: other sets of the request have one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Refused {
    /// Why, and what would help.
    pub refusal: String,
}
