//! Calls that the host's cores do alone, where they are faster than the device and the way to it.
//!
//! What comes out has the same bits: the device's order, of sums too, is theirs.

mod copy;
mod elementwise;
mod index;
mod scatter;
mod sort;

use std::time::Instant;

use copy::Told;
pub(crate) use scatter::can_scatter;

use crate::{Job, Report, StreamError, Streamer, Type, Way, Work, pipeline::Cancel};

/// Elements that a thread has at once.
const SHARE: usize = 1 << 16;

impl Streamer {
    /// Whether calls of this primitive are the host's cores'.
    pub(crate) fn is_left(&self, work: Work) -> bool {
        self.left_to_cores.of_call(work).is_some()
    }

    fn told(&self) -> Told<'_> {
        Told {
            cancel: &self.cancel,
            moved: &self.moved,
        }
    }

    /// Of a call of such a primitive that they have done.
    pub(crate) fn report_of_cores(
        &self,
        call: (&'static str, Work),
        (element, length): (Type, u64),
        [way_in, way_out]: [Way; 2],
        start: Instant,
    ) -> Report {
        let forecast = || {
            let work = self.left_to_cores.of_call(call.1)?;
            let mut job = Job::new(work, element, length, way_in);
            (job.way_out, job.in_rust) = (way_out, true);
            job.cores_s(&self.options, self.rates.as_ref()?)
        };
        Report::of_cores(call.0, element, length, start, forecast())
    }
}

/// What is in memory is counted by `usize`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "streams need 64 bits, as lib.rs says"
)]
fn size(number: u64) -> usize {
    number as usize
}

/// # Errors
/// Somebody has ended the call.
fn go_on(cancel: &Cancel) -> Result<(), StreamError> {
    match cancel.is_cancelled() {
        true => Err(StreamError::Cancelled),
        false => Ok(()),
    }
}
