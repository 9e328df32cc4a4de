//! Fits that uploads have asked for and that are not done.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// Fits that uploads have asked for and that are not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FittingJobs {
    /// Jobs that are waiting or running. At 0 every model is as new as the samples, but for the jobs
    /// that were given up.
    pub pending: i64,
    /// The jobs, oldest first, given-up ones included.
    pub items: Vec<FittingJob>,
}

/// A fit of all models of a device, device counted on and provider. It leaves the list when it is done.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FittingJob {
    /// The device's id.
    pub device: i64,
    /// The id of the device whose counters forecast it; absent: its own.
    pub counted_on: Option<i64>,
    /// The provider.
    pub provider: String,
    /// When the first upload that it covers asked for it.
    pub requested_at: DateTime<Utc>,
    /// Times that it was tried and failed.
    pub attempts: i32,
    /// How the last try failed.
    pub last_error: Option<String>,
    /// Whether it has failed too often to be tried again before the next upload.
    pub given_up: bool,
}
