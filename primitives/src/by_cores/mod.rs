//! Calls that the host's cores do alone, where they are faster than the device and the way to it.
//!
//! What comes out has the same bits: the device's order, of sums too, is theirs.

// Its macros are for those below.
#[macro_use]
mod held;

mod copy;
mod elementwise;
mod gather;
mod histogram;
mod index;
mod look_up;
mod scatter;
mod segmented_sort;
mod sort;
mod sorted;
mod top_k;
mod unique;

use std::time::Instant;

use copy::Told;
pub(crate) use histogram::MOST_BINS;
pub(crate) use look_up::MOST_KEYS;
pub(crate) use scatter::can_scatter;

use crate::{Job, Kind, Report, StreamError, Streamer, Way, Work, pipeline::Cancel};

/// Elements that a thread has at once.
const SHARE: usize = 1 << 16;

impl Streamer {
    /// Whether calls of this primitive are the host's cores'.
    pub(crate) fn is_left(&self, work: Work) -> bool {
        self.left_to_cores.of_call(work).is_some()
    }

    /// Whether calls are theirs of primitives that no rates are measured of, with arrays of these.
    pub(crate) fn is_left_further(&self, elements: &[Kind]) -> bool {
        self.left_to_cores.has_further() && elements.iter().all(|it| it.as_number().is_some())
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
