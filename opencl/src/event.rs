//! Events of enqueued commands.

use std::sync::Arc;

use opencl3::{event::CL_COMPLETE, types::cl_event};

use super::{ErrorContext, OpenClError};

/// A launch or a transfer that was enqueued. Cloning makes another handle of the same one.
#[derive(Clone, Debug)]
pub struct Event(Arc<opencl3::event::Event>);

impl Event {
    pub(super) fn new(handle: cl_event) -> Self {
        Self(Arc::new(opencl3::event::Event::new(handle)))
    }

    /// Waits until the command has ended.
    ///
    /// # Errors
    /// The command failed.
    pub fn wait(&self) -> Result<(), OpenClError> {
        self.0.wait().when("clWaitForEvents")
    }

    /// The start and end of the command, in the device's nanoseconds. Call it after waiting.
    ///
    /// # Errors
    /// The command failed, or the driver keeps no times.
    pub fn start_and_end(&self) -> Result<(u64, u64), OpenClError> {
        let start = self.0.profiling_command_start();
        let end = self.0.profiling_command_end();
        Ok((
            start.when("CL_PROFILING_COMMAND_START")?,
            end.when("CL_PROFILING_COMMAND_END")?,
        ))
    }

    /// Whether the command has ended, well or badly.
    pub(super) fn has_ended(&self) -> bool {
        let status = self.0.command_execution_status();
        status.is_ok_and(|status| status.0 <= CL_COMPLETE)
    }

    pub(super) fn handle(&self) -> cl_event {
        self.0.get()
    }
}
