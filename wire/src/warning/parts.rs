//! Samples, kernels and values that warnings name.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use thiserror::Error;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::words::{number, seconds};

/// A sample that is not fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, Error)]
#[error("{sample} of {kernel} ({response:.3e})")]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, Error)]
#[error(
    "{kernel} (measured {}, forecast {})",
    seconds(*.measured_s),
    seconds(.forecast_s.unwrap_or(f64::INFINITY))
)]
pub struct MissedKernel {
    /// Its name.
    pub kernel: String,
    /// The measured time, seconds.
    pub measured_s: f64,
    /// The forecast, seconds; absent: infinite.
    pub forecast_s: Option<f64>,
}

/// What a model says that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, Error)]
#[error("{method} on {provider} says {} ({})", seconds(*.time_s), factor(*.ratio))]
pub struct Disagreeing {
    /// Its method.
    pub method: String,
    /// The provider whose counters it knows.
    pub provider: String,
    /// Its forecast, seconds.
    pub time_s: f64,
    /// Its forecast ÷ the answer.
    pub ratio: f64,
}

/// A counter and a value of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, Error)]
#[error("{counter} ({})", number(*.value))]
pub struct CounterValue {
    /// `PROVIDER:NAME`.
    pub counter: String,
    /// Its value.
    pub value: f64,
}

/// How many times as long, or as short.
fn factor(ratio: f64) -> String {
    if ratio > 1.0 {
        format!("×{}", number(ratio))
    } else {
        format!("÷{}", number(1.0 / ratio))
    }
}
