//! Events of an enqueued workload.

use kerncast_opencl::{Event, OpenClError};

/// The events of a workload's first and last launch.
pub struct LaunchEvents {
    pub(super) first: Event,
    /// The event of the last of several launches.
    pub(super) last: Option<Event>,
}

impl LaunchEvents {
    /// The start of its first launch and the end of its last one, in the device's nanoseconds. Call it after waiting.
    ///
    /// # Errors
    /// The launch failed, or the driver keeps no times.
    pub fn start_and_end(&self) -> Result<(u64, u64), OpenClError> {
        let (start, end) = self.first.start_and_end()?;
        match &self.last {
            None => Ok((start, end)),
            Some(last) => Ok((start, last.start_and_end()?.1)),
        }
    }
}
