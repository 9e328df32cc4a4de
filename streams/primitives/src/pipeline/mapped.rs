//! Trips on a device that is the host's processor: nothing moves.

use std::sync::atomic::Ordering::Relaxed;

use super::{Busy, Launches, Slot, Supply, Trip, seconds};
use crate::{
    StreamError,
    array::{SinkPart, SourcePart},
};

/// Runs a trip like [`stream`](super::stream), but on the host's memory: a chunk has one piece of each array.
pub(super) fn map(supply: &Supply<'_>, trip: Trip<'_>) -> Result<Busy, StreamError> {
    let queue = &trip.queues[1];
    let mut busy = Busy::default();
    while let Some(mut chunk) = supply.take() {
        let sources = chunk.inputs.iter().map(|it| &it.1);
        let inputs: Vec<&[u8]> = sources.map(SourcePart::memory).collect();
        let sinks = chunk.outputs.iter_mut().map(|it| &mut it.1);
        let mut outputs: Vec<&mut [u8]> = sinks.map(SinkPart::memory).collect();
        let mut events = Vec::new();
        let computed = queue.lend(&inputs, &mut outputs, |buffers| {
            let (buffers_in, buffers_out) = buffers.split_at(inputs.len());
            let slot = Slot {
                buffers_in: buffers_in.to_vec(),
                buffers_out: buffers_out.to_vec(),
                _leases: Vec::new(),
            };
            let mut launches = Launches {
                queue,
                after: Vec::new(),
                events: &mut events,
            };
            (trip.compute)(chunk.index, &slot, &mut launches)
        });
        computed??;
        let bytes = inputs.iter().map(|it| it.len());
        let bytes = bytes.chain(outputs.iter().map(|it| it.len()));
        trip.moved_bytes
            .fetch_add(bytes.sum::<usize>() as u64, Relaxed);
        for event in &events {
            busy.device += seconds(event)?;
        }
    }
    Ok(busy)
}
