use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{CounterSet, bounded_list, limits::MOST_PREDICTIONS, unique_names};

/// Counter sets, and what should forecast them: every set on every device. Give `counters` or
/// `counter_sets`, `device` or `devices`, not both of a pair; at most 10,000 sets × devices.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PredictionRequest {
    /// One set: provider → counter → number.
    #[serde(default, deserialize_with = "unique_names::optional_counters")]
    #[schema(value_type = Option<BTreeMap<String, BTreeMap<String, f64>>>, example = json!({"oclgrind": {"load_global": 2097152}}))]
    pub counters: Option<CounterSet>,
    /// Many sets.
    #[serde(
        default,
        deserialize_with = "bounded_list::optional::<MOST_PREDICTIONS, _, _>"
    )]
    pub counter_sets: Option<Vec<NamedCounterSet>>,
    /// The model; absent: for each set and device, the champion for the set's providers.
    pub model: Option<Uuid>,
    /// The device's id; may be absent where a model is named or one device has models.
    pub device: Option<i64>,
    /// Several devices' ids.
    #[serde(
        default,
        deserialize_with = "bounded_list::optional::<MOST_PREDICTIONS, _, _>"
    )]
    pub devices: Option<Vec<i64>>,
    /// GPUs that nobody has measured here, by names of `/v1/gpus` or as people say them: forecast by the models of the
    /// device that is most like each, told its data sheet. Behind the devices, where there are both; not beside `model`
    /// or `counted_on`.
    #[serde(
        default,
        deserialize_with = "bounded_list::optional::<MOST_PREDICTIONS, _, _>"
    )]
    #[schema(example = json!(["RTX 4090"]))]
    pub gpus: Option<Vec<String>>,
    /// The method whose models answer, in place of champions; not beside `model`.
    #[schema(example = "nnls")]
    pub method: Option<String>,
    /// The id of the device that the counters were counted on, where that is another; absent: they are the
    /// forecast device's own.
    pub counted_on: Option<i64>,
    /// Seconds that `counters` took on the device counted on, where that is known. Of many sets each has its
    /// own.
    pub time_s: Option<f64>,
}

/// A counter set with a name that its predictions bear too.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedCounterSet {
    /// What to call it.
    #[schema(example = "matmul_float local n=512")]
    pub name: Option<String>,
    /// Provider → counter → number.
    #[serde(deserialize_with = "unique_names::counters")]
    #[schema(value_type = BTreeMap<String, BTreeMap<String, f64>>)]
    pub counters: CounterSet,
    /// Seconds that it took on the device counted on, where that is known.
    pub time_s: Option<f64>,
    /// How long it took on a device that is forecast, where that is known: the forecast is held against it.
    pub measured: Option<Measured>,
}

/// A time that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The id of the device that took so long; absent: whichever one device or GPU is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<i64>,
    /// The measured time, seconds.
    pub time_s: f64,
}
