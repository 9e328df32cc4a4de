//! Transforms and reductions by the host's cores, whose operations say what they are in Rust.

use super::go_on;
use crate::{
    Number, StreamError, Streamer, Type,
    on_host::OnHost,
    streamer::{TILE, bytes, groups},
};

/// Elements after which somebody may end the call.
const CHUNK: u64 = 1024 * TILE;

impl Streamer {
    /// `output[i]` of `input[i]`, which are elements of these kinds.
    pub(crate) fn map_by_cores(
        &self,
        work: &OnHost,
        (input, from): (Type, &[u8]),
        (output, to): (Type, &mut [u8]),
    ) -> Result<(), StreamError> {
        let chunks = from.chunks(bytes(CHUNK, input));
        let chunks = chunks.zip(to.chunks_mut(bytes(CHUNK, output)));
        for (index, (from, to)) in (0..).zip(chunks) {
            go_on(&self.cancel)?;
            work.chunk(index * CHUNK, from, to);
        }
        Ok(())
    }

    /// Tiles become one each, and these again, as on the device; none of no elements.
    pub(crate) fn fold_by_cores<T: Number>(
        &self,
        work: &OnHost,
        from: &[u8],
    ) -> Result<Option<T>, StreamError> {
        let mut sums = self.tiles::<T>(work, from)?;
        while sums.len() > 1 {
            sums = self.tiles(work, bytemuck::cast_slice(&sums))?;
        }
        Ok(sums.pop())
    }

    fn tiles<T: Number>(&self, work: &OnHost, from: &[u8]) -> Result<Vec<T>, StreamError> {
        let length = (from.len() / T::TYPE.bytes()) as u64;
        let mut sums = vec![T::zeroed(); groups(length, TILE)];
        let to: &mut [u8] = bytemuck::cast_slice_mut(&mut sums);
        let chunks = from.chunks(bytes(CHUNK, T::TYPE));
        let chunks = chunks.zip(to.chunks_mut(bytes(CHUNK / TILE, T::TYPE)));
        for (from, to) in chunks {
            go_on(&self.cancel)?;
            work.chunk(0, from, to);
        }
        Ok(sums)
    }
}
