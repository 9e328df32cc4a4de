//! Chunk lengths that fit into the device's memory, and the slots of chunks.

use std::sync::Arc;

use kerncast_opencl::Buffer;

use super::{GROUP_ELEMENTS, Streamer, bytes};
use crate::{
    ElementType, StreamError,
    array::{Place, Sink, Source},
    memory::Lease,
    pipeline::Slot,
};

impl Streamer {
    /// Calls `attempt` with a chunk of `wish` elements, then with half as many and so on, until it gets its memory.
    ///
    /// The plan must come to the same length as this run: `longest_chunk` of kerncast-offload.
    /// tests/primitives/forecasts.rs compares both.
    ///
    /// # Errors
    /// Not even [`GROUP_ELEMENTS`] fit; or another error of `attempt`.
    pub(crate) fn fit_chunk<T>(
        &self,
        wish: u64,
        mut attempt: impl FnMut(u64) -> Result<T, StreamError>,
    ) -> Result<(u64, T), StreamError> {
        let mut chunk = wish.next_multiple_of(GROUP_ELEMENTS).max(GROUP_ELEMENTS);
        loop {
            let less = (chunk / 2).next_multiple_of(GROUP_ELEMENTS);
            match attempt(chunk) {
                Ok(memory) => return Ok((chunk, memory)),
                Err(StreamError::Memory { .. }) if less < chunk => {}
                Err(StreamError::Device(why)) if why.is_out_of_memory() && less < chunk => {}
                Err(why) => return Err(why),
            }
            chunk = less;
        }
    }

    /// The best chunk length where there is memory enough, for arrays of `length` elements of at most `widest` bytes.
    pub(crate) fn wished_chunk(&self, length: u64, widest: usize) -> u64 {
        length.min(self.options.chunk_bytes / widest as u64)
    }

    /// The number of slots for these arrays: 0 where the device works on the host's memory.
    pub(crate) fn slot_count(&self, inputs: &[Source<'_>], output: &Sink<'_>) -> usize {
        let files = inputs.iter().any(|it| matches!(it.place, Place::File(..)))
            || matches!(output.place, Place::File(..));
        let mapped = self.maps_host_memory() && !files;
        if mapped { 0 } else { self.options.slots }
    }

    /// Allocates `count` slots with buffers for `chunk` elements of each input. The buffer of an output, `(type,
    /// share)`, has `chunk / share` elements; without outputs the inputs' buffers hold the results.
    pub(crate) fn allocate_slots(
        &self,
        what: &'static str,
        count: usize,
        chunk: u64,
        inputs: &[ElementType],
        outputs: Option<&[(ElementType, u64)]>,
    ) -> Result<Vec<Slot>, StreamError> {
        let lease = |elements, element| self.memory.lease(what, bytes(elements, element));
        let slot = |_| {
            let inputs = inputs.iter().map(|&element| lease(chunk, element));
            let mut leases: Vec<Lease> = inputs.collect::<Result<_, _>>()?;
            let buffers_in: Vec<Arc<Buffer>> = leases.iter().map(Lease::share).collect();
            let mut buffers_out = Vec::new();
            for &(element, share) in outputs.unwrap_or_default() {
                let output = lease(chunk / share, element)?;
                buffers_out.push(output.share());
                leases.push(output);
            }
            if outputs.is_none() {
                buffers_out.clone_from(&buffers_in);
            }
            Ok(Slot {
                buffers_in,
                buffers_out,
                _leases: leases,
            })
        };
        (0..count).map(slot).collect()
    }
}

#[cfg(test)]
mod tests {
    use kerncast_opencl::devices;

    use super::*;
    use crate::Options;

    #[test]
    fn what_the_device_does_not_have_is_halved() {
        let device = devices().expect("an OpenCL device").remove(0);
        let streamer = Streamer::new(device, Options::new(u64::MAX / 2)).expect("a streamer");
        let wish = 1 << 50;
        let attempt = |chunk| {
            streamer
                .memory
                .lease("a test", bytes(chunk, ElementType::U8))
        };
        assert!(attempt(wish).is_err_and(|why| matches!(why, StreamError::Device(_))));
        let (chunk, lease) = streamer.fit_chunk(wish, attempt).expect("less");
        assert!(chunk < wish && lease.bytes() as u64 == chunk, "{chunk}");
    }
}
