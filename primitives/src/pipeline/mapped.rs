//! A trip of a device that is the host's processor: nothing is moved.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kerncast_opencl::{OpenClError, Queue};

use super::{Busy, Launches, Slot, Trip, seconds};
use crate::{
    StreamError,
    array::{Origin, Target},
};

/// As [`run`](super::run), of arrays that are lent to the device chunk by chunk: a chunk has one piece of each.
pub(crate) fn map(
    trip: Trip<'_>,
    queue: &Queue,
    moved: &AtomicU64,
    mut compute: impl FnMut(usize, &Slot, &mut Launches<'_>) -> Result<(), OpenClError>,
) -> Result<Busy, StreamError> {
    let mut busy = Busy::default();
    let (mut pieces_in, mut pieces_out) = (
        trip.pieces_in.into_iter().peekable(),
        trip.pieces_out.into_iter().peekable(),
    );
    for chunk in 0..trip.chunks {
        let (mut origins, mut targets) = (Vec::new(), Vec::new());
        while let Some((_, origin)) = pieces_in.next_if(|(piece, _)| piece.chunk == chunk) {
            origins.push(origin);
        }
        while let Some((_, target)) = pieces_out.next_if(|(piece, _)| piece.chunk == chunk) {
            targets.push(target);
        }
        let read: Vec<&[u8]> = origins.iter().map(Origin::memory).collect();
        let mut write: Vec<&mut [u8]> = targets.iter_mut().map(Target::memory).collect();
        let mut launches = Vec::new();
        let computed = queue.lend(&read, &mut write, |buffers| {
            let (buffers_in, buffers_out) = buffers.split_at(read.len());
            let slot = Slot {
                buffers_in: buffers_in.to_vec(),
                buffers_out: buffers_out.to_vec(),
            };
            let mut its = Launches {
                queue,
                after: Vec::new(),
                done: &mut launches,
            };
            compute(chunk, &slot, &mut its)
        });
        computed??;
        let bytes = read
            .iter()
            .map(|it| it.len())
            .chain(write.iter().map(|it| it.len()));
        moved.fetch_add(bytes.sum::<usize>() as u64, Relaxed);
        for launch in &launches {
            busy.device += seconds(launch)?;
        }
    }
    Ok(busy)
}
