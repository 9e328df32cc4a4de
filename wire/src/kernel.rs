//! Kernels that samples speak of: their sources, times and samples.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

/// A kernel that samples speak of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KernelSummary {
    /// Its name.
    pub name: String,
    /// Its family, where one is known.
    pub family: Option<String>,
    /// Whether it is one of `kerncast run --generated`: models learn from it and are not judged by it.
    pub generated: bool,
    /// The variants measured.
    pub variants: Vec<String>,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// Devices that ran it.
    pub devices: i64,
    /// Samples of it.
    pub samples: i64,
}

/// A kernel, and what it was measured from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KernelDetail {
    /// The row of the listing.
    #[serde(flatten)]
    pub summary: KernelSummary,
    /// Its sources through time, newest sample first. Samples that do not say theirs are in none.
    pub sources: Vec<SourceUse>,
}

/// Sources that samples were made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceUse {
    /// Their hash.
    pub hash: String,
    /// Whether `GET /v1/sources/{hash}` has them.
    pub known: bool,
    /// Whether `GET /v1/sources/{hash}/analysis` has what their accesses do.
    pub analysed: bool,
    /// Samples made from them.
    pub samples: i64,
    /// Their newest sample.
    pub last_measured_at: DateTime<Utc>,
}

/// How long a workload of a kernel takes on a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct KernelTime {
    /// The device's id.
    pub device: i64,
    /// The variant.
    pub variant: String,
    /// The sizes.
    pub parameters: BTreeMap<String, i64>,
    /// Samples of it.
    pub samples: i64,
    /// The newest of them.
    pub sample: Uuid,
    /// When that was measured.
    pub measured_at: DateTime<Utc>,
    /// The driver then, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver_version: Option<String>,
    /// Its median, seconds.
    pub time_s: f64,
    /// The median of the newest fifteen samples' medians, seconds.
    pub median_s: f64,
    /// The fastest repetition of all samples, seconds.
    pub min_s: f64,
}

/// A sample of a kernel, in short.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct KernelSample {
    /// The sample's id.
    pub sample: Uuid,
    /// The device's id.
    pub device: i64,
    /// The variant.
    pub variant: String,
    /// The sizes.
    pub parameters: BTreeMap<String, i64>,
    /// When it was measured.
    pub measured_at: DateTime<Utc>,
    /// The driver, where it is known.
    pub driver_version: Option<String>,
    /// The sources' hash, where it is known.
    pub source_hash: Option<String>,
    /// Its median, seconds.
    pub time_s: f64,
}
