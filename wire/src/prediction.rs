use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Counters by provider and name.
pub type CounterSet = BTreeMap<String, BTreeMap<String, f64>>;

/// A counter set, and what should forecast it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PredictionRequest {
    /// Provider → counter → number.
    #[schema(value_type = BTreeMap<String, BTreeMap<String, f64>>, example = json!({"oclgrind": {"load_global": 2097152}}))]
    pub counters: CounterSet,
    /// The model; absent: the champion of `device` for the counters' providers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Uuid>,
    /// The device's id; may be absent where a model is named or one device has models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<i64>,
}

/// A forecast.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Prediction {
    /// Seconds. Can come out at or below 0 by the paper's method: a warning says so.
    pub time_s: f64,
    /// The model that answered.
    pub model: Uuid,
    /// The device that it forecasts.
    pub device: i64,
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
