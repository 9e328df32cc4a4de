//! A device's context: what its queues, buffers and programs share.

use std::sync::Arc;

use super::{ErrorContext, OpenClError};

/// A device's context. Cloning makes another handle of the same one.
#[derive(Clone, Debug)]
pub struct Context(Arc<opencl3::context::Context>);

impl Context {
    pub(super) fn new(device: &opencl3::device::Device) -> Result<Self, OpenClError> {
        let created = opencl3::context::Context::from_device(device).when("clCreateContext")?;
        Ok(Self(Arc::new(created)))
    }

    pub(super) fn inner(&self) -> &opencl3::context::Context {
        &self.0
    }
}
