use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Device, Errors};

/// What to fit: sent to `POST /v1/models`, and kept with the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelSpecification {
    /// The device's id.
    pub device: i64,
    /// The provider whose samples are used; a sample without it is left out.
    #[schema(example = "oclgrind")]
    pub provider: String,
    /// How to fit. `ols`: the paper's method.
    #[serde(default = "ols")]
    #[schema(example = "ols")]
    pub method: String,
    /// Counters as `PROVIDER:NAME`; absent or empty: the paper's, as far as the provider has them.
    #[serde(default)]
    #[schema(example = json!(["oclgrind:load_global", "launch:work_groups"]))]
    pub counters: Vec<String>,
    /// Only this variant's samples; absent: all variants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "global")]
    pub variant: Option<String>,
    /// What is predicted: `time`, in seconds, or a counter as `PROVIDER:NAME`, in its unit.
    #[serde(default = "time", skip_serializing_if = "is_time")]
    #[schema(example = "local_memory:cycles")]
    pub response: String,
}

fn time() -> String {
    "time".to_owned()
}

fn is_time(response: &str) -> bool {
    response == "time"
}

fn ols() -> String {
    "ols".to_owned()
}

/// A model in one row of a listing. Where `refusal` is there, it could not be fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ModelSummary {
    /// Its id. Models never change.
    pub id: Uuid,
    /// When it was fitted.
    pub created_at: DateTime<Utc>,
    /// What was asked for, defaults filled in.
    pub specification: ModelSpecification,
    /// The device it forecasts.
    pub device: Device,
    /// Samples it was fitted to.
    pub samples: i64,
    /// Kernels among them.
    pub kernels: i64,
    /// Why there is no fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// What a reader should know before believing it.
    pub warnings: Vec<String>,
    /// Errors on kernels that the fit had not seen: the headline. Absent: could not be validated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leave_one_kernel_out: Option<Errors>,
    /// Errors on rows that the fit had not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leave_one_row_out: Option<Errors>,
    /// Whether it answers for its device and provider when no model is named.
    pub champion: bool,
    /// Whether newer samples have replaced it: a later model has the same specification.
    pub superseded: bool,
}

/// A model, whole but for its validation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ModelDetail {
    /// The row of the listing.
    #[serde(flatten)]
    pub summary: ModelSummary,
    /// The fit, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<Fit>,
    /// The server version that fitted it.
    pub code_version: String,
    /// The samples it was fitted to.
    pub sample_ids: Vec<Uuid>,
}

/// response = intercept + Σ weight · (counter − mean) ÷ scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Fit {
    /// The response's unit: `s`, or `cycle` for a model of clock cycles.
    #[schema(example = "s")]
    pub unit: String,
    /// The response where every counter is at its mean.
    pub intercept: f64,
    /// One a counter that is in the fit.
    pub coefficients: Vec<Coefficient>,
    /// Counters that were asked for and are not in the fit.
    pub dropped: Vec<DroppedCounter>,
}

/// One counter's share in a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Coefficient {
    /// `PROVIDER:NAME`.
    pub counter: String,
    /// The counter's mean over the samples.
    pub mean: f64,
    /// Its standard deviation over the samples (n).
    pub scale: f64,
    /// Response per standard deviation: the paper's ai.
    pub weight: f64,
    /// Response per event: weight ÷ scale.
    pub per_event: f64,
    /// Smallest value seen.
    pub min: f64,
    /// Largest value seen.
    pub max: f64,
}

/// A counter that a fit left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DroppedCounter {
    /// `PROVIDER:NAME`.
    pub counter: String,
    /// Why: constant, or a combination of which others.
    pub reason: String,
}
