//! When a workload ran.

use kerncast_opencl::{Event, OpenClError};

/// A workload that was enqueued.
pub struct LaunchEvents {
    first: Event,
    /// Of several launches.
    last: Option<Event>,
}

impl LaunchEvents {
    pub(super) fn one(event: Event) -> Self {
        Self {
            first: event,
            last: None,
        }
    }

    /// With one more launch after it.
    pub(super) fn and(self, event: Event) -> Self {
        Self {
            last: Some(event),
            ..self
        }
    }

    /// When its first launch started and its last one ended, in the device's nanoseconds. Wait for it first.
    ///
    /// # Errors
    /// It failed, or the driver keeps no times.
    pub fn start_and_end(&self) -> Result<(u64, u64), OpenClError> {
        let (start, end) = self.first.start_and_end()?;
        match &self.last {
            None => Ok((start, end)),
            Some(last) => Ok((start, last.start_and_end()?.1)),
        }
    }
}
