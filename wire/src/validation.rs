//! How a model forecast what its fit had not seen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A model's forecasts of what its fit had not seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Validation {
    /// The model's id.
    pub model: Uuid,
    /// One a hold-out key.
    pub hold_outs: Vec<HoldOut>,
}

/// Every row forecast once, by a fit without the fold it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HoldOut {
    /// What one fold leaves out.
    pub key: HoldOutKey,
    /// Errors per kernel first, then averaged over kernels.
    pub overall: Option<Errors>,
    /// Errors of each kernel.
    pub kernels: Vec<KernelErrors>,
    /// One a sample.
    pub rows: Vec<LeftOutRow>,
}

/// What one fold of a hold-out leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum HoldOutKey {
    /// One row. A method that has to refit leaves up to a fiftieth of the rows out at a time.
    Row,
    /// All rows of a kernel: the headline, since a new kernel is what a model is asked about.
    Kernel,
    /// All rows of a family: sibling kernels know each other's times.
    Family,
    /// All rows of a region: of kernels that do alike, by their counters. There are 20, and each counts the same,
    /// however many kernels it has; with fewer than 40 kernels, or more than 1,000, each is one.
    Region,
}

/// How far forecasts were from what was measured. APE, the absolute percentage error, is
/// |predicted ÷ measured − 1|, as a fraction: 0.05 is 5 %. Of one kernel: over its rows. Of several: the mean of
/// kernels, each counted once; but counts and the median are over all rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Errors {
    /// Rows forecast.
    pub n: usize,
    /// Rows whose fold could not be fitted: they are in no other number here.
    pub unpredicted: usize,
    /// Mean APE.
    pub mean_ape: f64,
    /// Median APE.
    pub median_ape: f64,
    /// exp(mean |ln(predicted ÷ measured)|) over positive forecasts; absent where there is none.
    pub factor: Option<f64>,
    /// Share of rows with APE ≤ 0.25.
    pub within_25: f64,
    /// Forecasts at or below 0: impossible times.
    pub negative: usize,
}

/// One kernel's errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct KernelErrors {
    /// The kernel.
    pub kernel: String,
    /// Its errors; absent where none of its rows could be forecast.
    pub errors: Option<Errors>,
}

/// One held-out sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = HeldOut)]
pub struct LeftOutRow {
    /// The sample.
    pub sample: Uuid,
    /// Its kernel.
    pub kernel: String,
    /// Its variant.
    pub variant: String,
    /// Its sizes.
    pub parameters: BTreeMap<String, i64>,
    /// What was measured, in the response's unit.
    pub measured: f64,
    /// What a fit without it forecast; absent where that fit was refused.
    pub predicted: Option<f64>,
    /// Why there is no forecast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
}
