use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

/// A sample that is not fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AbsurdSample {
    /// Its id.
    pub sample: Uuid,
    /// Its kernel.
    pub kernel: String,
    /// What the model would have learnt, in the response's unit.
    pub response: f64,
}

/// A kernel whose time a fit misses though it has seen it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MissedKernel {
    /// Its name.
    pub kernel: String,
    /// Seconds.
    pub measured_s: f64,
    /// Seconds; absent: beyond all numbers.
    pub forecast_s: Option<f64>,
}

/// What a model says that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Disagreeing {
    /// Its method.
    pub method: String,
    /// The provider whose counters it knows.
    pub provider: String,
    /// Its forecast, seconds.
    pub time_s: f64,
    /// That ÷ the answer.
    pub ratio: f64,
}

/// A counter and a value of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CounterValue {
    /// `PROVIDER:NAME`.
    pub counter: String,
    /// How many.
    pub value: f64,
}
