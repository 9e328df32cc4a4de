//! Events of an enqueued workload.

use kerncast_opencl::{Event, OpenClError};

/// The events of a workload's first and last launch.
pub struct LaunchEvents {
    first: Event,
    /// The event of the last of several launches.
    last: Option<Event>,
}

impl LaunchEvents {
    pub(super) fn one(event: Event) -> Self {
        Self {
            first: event,
            last: None,
        }
    }

    /// Adds the event of a later launch.
    pub(super) fn and(self, event: Event) -> Self {
        Self {
            last: Some(event),
            ..self
        }
    }

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
