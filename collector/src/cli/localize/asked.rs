//! What candidates are made from.

use kerncast_collector::{child::Children, clang::Clang, localize::RewriteOptions};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::Kernel;

use super::{Arguments, forecast::Forecaster};

/// What is asked, and where it runs.
pub(super) struct Asked<'a> {
    pub(super) arguments: &'a Arguments,
    /// Of the device of `--on`.
    pub(super) forecaster: Option<&'a Forecaster>,
    pub(super) children: &'a Children,
    pub(super) device: &'a DeviceFacts,
    pub(super) clang: &'a Clang,
    pub(super) kernel: &'a Kernel,
    pub(super) wishes: &'a RewriteOptions,
}
