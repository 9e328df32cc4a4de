//! How well one device's counters forecast another's times.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Errors;

/// A device counted on, a target device, and how well the counters of the device counted on forecast the
/// target's times: a cell of the matrix of devices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DevicePair {
    /// The id of the device that was counted on.
    pub counted_on: i64,
    /// The id of the device that is forecast.
    pub device: i64,
    /// The provider of the counters.
    #[schema(example = "ncu")]
    pub provider: String,
    /// One a method, those that answer first before others; the baseline (`across_median_ratio`) and the paper's two
    /// experiments among them.
    pub models: Vec<PairModel>,
}

/// One way to forecast a device from another.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PairModel {
    /// The model's id.
    pub model: Uuid,
    /// `across_counters`, `across_counters_and_time`, `across_median_ratio`, `paper_counters`,
    /// `paper_counters_and_time`.
    #[schema(example = "across_counters_and_time")]
    pub method: String,
    /// Whether it asks for the time on the device counted on.
    pub needs_time: bool,
    /// Whether it answers when no model is named, of all or, where the time is not known, of those that do
    /// not ask for it.
    pub champion: bool,
    /// Workloads that it was fitted to.
    pub workloads: i64,
    /// Kernels among them.
    pub kernels: i64,
    /// Errors on kernels that the fit had not seen. Absent: could not be validated so.
    pub leave_one_kernel_out: Option<Errors>,
    /// Why there is no fit.
    pub refusal: Option<String>,
}
