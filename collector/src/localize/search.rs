//! What a search for the best candidate works with.

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;
use kerncast_opencl::DeviceFacts;
use kerncast_suite::Kernel;
use kerncast_wire::SpeedupForecast;
use serde::Serialize;

use super::{CheckResult, RewriteOptions};
use crate::{child::Children, clang::Clang};

/// What the local memory that was made brings on a device.
#[derive(Clone, Serialize)]
pub struct Forecast {
    /// The device's short name.
    pub on: String,
    /// The sizes.
    pub at: String,
    /// Beside the variant that it is made of.
    #[serde(flatten)]
    pub of: SpeedupForecast,
    /// Seconds of the variant that was made.
    #[serde(skip)]
    pub after_s: Option<f64>,
}

/// Forecasts the variants made of one variant, each in its kernel's folder, in their order; or why there is no forecast.
/// It adds who could not count, and why.
pub type ForecastVariants<'a> = dyn Fn(&str, &[&Path], &mut BTreeMap<String, String>) -> Result<Result<Vec<Forecast>, String>>
    + 'a;

/// Runs the variant in a kernel's folder and the one that it is made of.
pub type CheckVariant<'a> = dyn Fn(&Path, &str) -> Result<CheckResult> + 'a;

/// A search for the best candidate of a kernel.
pub struct Search<'a> {
    /// The kernel's parser.
    pub clang: &'a Clang,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// How all candidates are rewritten.
    pub options: &'a RewriteOptions,
    /// Processes that run candidates; the folders of these lie in their scratch folder.
    pub children: &'a Children,
    /// Where candidates are measured.
    pub device: &'a DeviceFacts,
    /// Candidates that are measured at most; absent: nothing is measured.
    pub tune: Option<usize>,
    /// Forecasts candidates; absent: nobody asked for a forecast.
    pub forecast: Option<&'a ForecastVariants<'a>>,
    /// Checks a candidate.
    pub check: &'a CheckVariant<'a>,
}
