//! Calls that the host's cores do alone, where they are faster than the device and the way to it.
//!
//! What comes out has the same bits: the device's order, of sums too, is theirs.

mod copy;
mod elementwise;
mod scatter;
mod sort;

use std::time::Instant;

pub(crate) use scatter::can_scatter;

use crate::{Job, Kind, Report, StreamError, Streamer, Way, Work, pipeline::Cancel};

impl Streamer {
    /// Whether calls of this primitive are the host's cores'.
    pub(crate) fn is_left(&self, work: Work) -> bool {
        self.left_to_cores.of_call(work).is_some()
    }

    /// Of a call of such a primitive that they have done.
    pub(crate) fn report_of_cores(
        &self,
        call: (&'static str, Work),
        (element, length): (Kind, u64),
        [way_in, way_out]: [Way; 2],
        start: Instant,
    ) -> Report {
        let forecast = || {
            let work = self.left_to_cores.of_call(call.1)?;
            let mut job = Job::new(work, element.as_number()?, length, way_in);
            (job.way_out, job.in_rust) = (way_out, true);
            job.cores_s(&self.options, self.rates.as_ref()?)
        };
        Report::of_cores(call.0, element, length, start, forecast())
    }
}

/// # Errors
/// Somebody has ended the call.
fn go_on(cancel: &Cancel) -> Result<(), StreamError> {
    match cancel.is_cancelled() {
        true => Err(StreamError::Cancelled),
        false => Ok(()),
    }
}
