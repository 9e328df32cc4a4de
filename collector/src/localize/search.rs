//! What a search for the best candidate works with.

use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Parameters};

use super::{RewriteOptions, forecast::Forecaster};
use crate::{child::Children, clang::Clang};

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
    pub forecaster: Option<&'a Forecaster>,
    /// Sizes at which candidates are checked, and of which the last is forecast; empty: those of the launch file.
    pub sizes: &'a [Parameters],
}
