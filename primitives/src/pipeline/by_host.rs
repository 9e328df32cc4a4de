//! The host's cores take chunks, beside devices to which nothing is copied by them.

use std::time::Instant;

use super::{Busy, Part, Supply};
use crate::{StreamError, on_host::OnHost};

/// Does chunks of one input and one output in memory, of `chunk` elements.
pub(super) fn take(supply: &Supply<'_>, chunk: u64, work: &OnHost) -> Result<Part, StreamError> {
    let (mut chunks, mut busy) = (0, Busy::default());
    while let Some(mut taken) = supply.take() {
        let start = Instant::now();
        let pair = (taken.inputs.first(), taken.outputs.first_mut());
        if let (Some((_, input)), Some((_, output))) = pair {
            let first = taken.index as u64 * chunk;
            work.chunk(first, input.memory(), output.memory());
        }
        busy.device += start.elapsed().as_secs_f64();
        chunks += 1;
    }
    Ok(Part { chunks, busy })
}
