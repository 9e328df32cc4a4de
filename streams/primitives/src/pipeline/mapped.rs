//! A device that is the host's processor: nothing is moved.

use std::sync::atomic::Ordering::Relaxed;

use kerncast_opencl::OpenClError;

use super::{Busy, Hand, Launches, Slot, Supply, seconds};
use crate::{
    StreamError,
    array::{Origin, Target},
};

/// As [`stream`](super::stream), of arrays that are lent to the device chunk by chunk: a chunk has one piece of each.
pub(super) fn map<F>(supply: &Supply<'_>, hand: Hand<'_, F>) -> Result<Busy, StreamError>
where
    F: FnMut(usize, &Slot, &mut Launches<'_>) -> Result<(), OpenClError>,
{
    let Hand {
        means, mut compute, ..
    } = hand;
    let queue = &means.queues[1];
    let mut busy = Busy::default();
    while let Some(mut taken) = supply.take() {
        let origins = taken.inputs.iter().map(|it| &it.1);
        let read: Vec<&[u8]> = origins.map(Origin::memory).collect();
        let targets = taken.outputs.iter_mut().map(|it| &mut it.1);
        let mut write: Vec<&mut [u8]> = targets.map(Target::memory).collect();
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
            compute(taken.index, &slot, &mut its)
        });
        computed??;
        let read = read.iter().map(|it| it.len());
        let bytes = read.chain(write.iter().map(|it| it.len()));
        means.moved.fetch_add(bytes.sum::<usize>() as u64, Relaxed);
        for launch in &launches {
            busy.device += seconds(launch)?;
        }
    }
    Ok(busy)
}
