//! Models: what to fit, and what a fit consists of.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Device, Errors, FitRefusal, HeldBecause, HoldOutKey, Reasons, Warnings,
    warning::list::WarningFields,
};

/// What to fit: sent to `POST /v1/models`, and kept with the model.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelSpecification {
    /// The device's id.
    pub device: i64,
    /// The id of the device whose samples it is forecast from; absent: from the device's own counters.
    pub counted_on: Option<i64>,
    /// The provider whose samples are used; a sample without it is left out.
    #[schema(example = "oclgrind")]
    pub provider: String,
    /// How to fit. `ols`: the paper's method. Others: `nnls`, `per_worker`, `known_costs`, `waves`,
    /// `waves_forest`, `waves_forest_metrics`, `waves_forest_sections`, `forest`.
    #[serde(default = "ols")]
    #[schema(example = "ols")]
    pub method: String,
    /// Counters as `PROVIDER:NAME`; absent or empty: for `ols` the paper's, as far as the provider has
    /// them, for others all that grow with the work and that nine in ten workloads have.
    #[serde(default)]
    #[schema(example = json!(["oclgrind:load_global", "launch:work_groups"]))]
    pub counters: Vec<String>,
    /// Only this variant's samples; absent: all variants.
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
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ModelSummary {
    /// Its id. Models never change.
    pub id: Uuid,
    /// When it was fitted.
    pub created_at: DateTime<Utc>,
    /// The specification that was asked for, defaults filled in.
    pub specification: ModelSpecification,
    /// The device it forecasts.
    pub device: Device,
    /// Samples it was fitted to.
    pub samples: i64,
    /// Kernels among them.
    pub kernels: i64,
    /// Why there is no fit.
    pub refusal: Option<String>,
    /// The same, as a kind with its numbers.
    pub refused: Option<FitRefusal>,
    /// What a reader should know before believing it.
    #[serde(flatten)]
    #[schema(value_type = WarningFields)]
    pub warnings: Warnings,
    /// Errors on kernels that the fit had not seen: the headline. Absent: could not be validated.
    pub leave_one_kernel_out: Option<Errors>,
    /// Errors on families of kernels that the fit had not seen.
    pub leave_one_family_out: Option<Errors>,
    /// Errors on rows that the fit had not seen.
    pub leave_one_row_out: Option<Errors>,
    /// Coverage of its 90 % intervals on kernels that the fit had not seen. Absent: it has none.
    pub coverage: Option<Coverage>,
    /// The errors that rank it beside others: those of families left out, or of kernels where there are fewer than
    /// five families or these were not left out. Absent: nothing was left out.
    pub judged_by: Option<HoldOutKey>,
    /// Whether it answers for its device, device counted on and provider when no model is named: of those
    /// that forecast all that was left out (see `judged_by`) above 0 the one with the least factor, or the
    /// simplest of those that tie with it.
    pub champion: bool,
    /// Its place among all models that may answer, from 1, the champion; absent: it answers only where it is
    /// named.
    pub rank: Option<i16>,
    /// Whether newer samples have replaced it: a later model has the same specification.
    pub superseded: bool,
    /// Why it waits for an admin before it may answer: errors on unseen kernels that are far above those of the
    /// model that answers instead. Absent: it does not wait.
    pub held: Option<String>,
    /// The same, as kinds with their numbers; empty where it does not wait.
    #[schema(value_type = Vec<HeldBecause>)]
    pub held_because: Reasons<HeldBecause>,
}

/// A model, whole but for its validation.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ModelDetail {
    /// The row of the listing.
    #[serde(flatten)]
    pub summary: ModelSummary,
    /// The fit, where there is one.
    pub fit: Option<Fit>,
    /// When the fit was dropped, to save space: a while after a newer model had superseded this one.
    pub fit_dropped_at: Option<DateTime<Utc>>,
    /// The revisions of the method and of how fits are validated.
    pub code_version: String,
    /// The samples it was fitted to.
    pub sample_ids: Vec<Uuid>,
}

/// Whether intervals hold: each made from the errors of other folds than the one that it is around.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Coverage {
    /// The intervals' level: 0.9 is 90 %.
    pub level: f64,
    /// Share of a fold's rows whose measured time lies within; mean of the folds that have an interval.
    pub covered: f64,
    /// The same share over all rows with an interval, so that a fold with many rows counts more.
    pub covered_rows: f64,
    /// The interval is the forecast times and divided by so much, √(high ÷ low): median of rows.
    pub typical_factor: f64,
    /// Rows with an interval.
    pub n: usize,
    /// Rows without one: they are in no other number here.
    pub without: usize,
}

/// A fit's parts; `form` says how they make a response.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Fit {
    /// The response's unit: `s`, or `cycle` for a model of clock cycles.
    #[schema(example = "s")]
    pub unit: String,
    /// How the parts make a response.
    pub form: FitForm,
    /// `linear`: the response where every counter is at its mean; `costs`: what every launch costs; `forest`: absent.
    pub intercept: Option<f64>,
    /// `costs` only: p of (interceptᵖ + Σ costᵖ)^(1/p). 1 adds up; the larger, the more the largest alone
    /// counts.
    pub exponent: Option<f64>,
    /// `forest` only: how many trees there are.
    pub trees: Option<u32>,
    /// One a counter that is in the fit; in `costs` one a counter and what it is shared out over.
    pub coefficients: Vec<Coefficient>,
    /// Counters that were asked for and are not in the fit.
    pub dropped: Vec<DroppedCounter>,
}

/// How a fit's parts make a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FitForm {
    /// intercept + Σ weight · (counter − mean) ÷ scale.
    Linear,
    /// (interceptᵖ + Σ (per_event · counter ÷ over)ᵖ)^(1/p), no cost below 0.
    Costs,
    /// intercept + ((Σ waits)² + (Σ busyᵉ)^(2/e))^(1/2), e the exponent, each wait per_event · counter ÷ over for
    /// each wave of work-groups, each busy per_event · counter, of a multiprocessor shared by those that have work.
    Waves,
    /// The same times exp of the mean of trees.
    Corrected,
    /// exp of the mean of trees.
    Forest,
    /// From another device's counters, and its time where `counted_on_time` is among the counters.
    Across,
}

/// One counter's share in a fit.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Coefficient {
    /// `PROVIDER:NAME`.
    pub counter: String,
    /// `costs` only: the counters that the events are shared out over, added up, such as work-items; absent
    /// where they are not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<String>,
    /// The counter's mean over the samples.
    pub mean: f64,
    /// Its standard deviation over the samples (n).
    pub scale: Option<f64>,
    /// `linear`: response per standard deviation, the paper's ai.
    pub weight: Option<f64>,
    /// `linear` and `costs`: response per event; where it is shared out, per event of each that shares.
    pub per_event: Option<f64>,
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
