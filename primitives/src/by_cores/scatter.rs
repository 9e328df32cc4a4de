//! Scatters by the host's cores: each element is stored where its index says, by whoever has it.

use std::sync::atomic::Ordering::Relaxed;

use kerncast_opencl::{shared_u8, shared_u16, shared_u32, shared_u64};
use rayon::prelude::*;

use super::{
    SHARE, go_on,
    index::{Index, narrow},
    size,
};
use crate::{Sink, Source, StreamError, Streamer, Type};

/// Shares after which somebody may end the call.
const SHARES: usize = 1 << 10;

impl Streamer {
    /// As [`scatter`](Self::scatter), of arrays that [can](can_scatter) be; other places may become zeroes.
    pub(crate) fn scatter_by_cores(
        &self,
        index: &Source<'_>,
        values: &Source<'_>,
        output: &mut Sink<'_>,
        zeroes: bool,
    ) -> Result<(), StreamError> {
        let (width, length) = (output.element.bytes(), output.length);
        let is_wide = index.element == Type::U64;
        let inputs = index.memory().zip(values.memory());
        let Some(((bytes, values), to)) = inputs.zip(output.memory_mut()) else {
            unreachable!("they are in memory")
        };
        let index = Index { bytes, is_wide };
        index.check(length)?;
        if zeroes {
            to.par_chunks_mut(SHARE).for_each(|it| it.fill(0));
        }
        macro_rules! stored {
            ($shared:ident, $word:ty) => {{
                let to = $shared(to).expect("words lie well");
                self.stored(&index, values, |at, value| {
                    to[at].store(<$word>::from_ne_bytes(value), Relaxed);
                })
            }};
        }
        match width {
            1 => stored!(shared_u8, u8),
            2 => stored!(shared_u16, u16),
            4 => stored!(shared_u32, u32),
            _ => stored!(shared_u64, u64),
        }
    }

    /// Values of `W` bytes, wherever they begin.
    fn stored<const W: usize>(
        &self,
        index: &Index<'_>,
        values: &[u8],
        store: impl Fn(usize, [u8; W]) + Sync,
    ) -> Result<(), StreamError> {
        let (values, _) = values.as_chunks::<W>();
        match index.is_wide {
            true => self.store_each(index.bytes.as_chunks().0, values, u64::from_ne_bytes, store),
            false => self.store_each(index.bytes.as_chunks().0, values, narrow, store),
        }
    }

    fn store_each<const I: usize, const W: usize>(
        &self,
        index: &[[u8; I]],
        values: &[[u8; W]],
        place: impl Fn([u8; I]) -> u64 + Sync,
        store: impl Fn(usize, [u8; W]) + Sync,
    ) -> Result<(), StreamError> {
        let rounds = index.chunks(SHARES * SHARE);
        for (index, values) in rounds.zip(values.chunks(SHARES * SHARE)) {
            go_on(&self.cancel)?;
            let shares = index.par_chunks(SHARE).zip(values.par_chunks(SHARE));
            shares.for_each(|(index, values)| {
                for (&at, &value) in index.iter().zip(values) {
                    store(size(place(at)), value);
                }
            });
        }
        Ok(())
    }
}

/// Whether all is in memory, and elements lie as numbers of their width do.
pub(crate) fn can_scatter(index: &Source<'_>, values: &Source<'_>, output: &mut Sink<'_>) -> bool {
    let width = output.element.bytes();
    let inputs = index.memory().zip(values.memory());
    let Some((_, to)) = inputs.zip(output.memory_mut()) else {
        return false;
    };
    match width {
        1 => shared_u8(to).is_some(),
        2 => shared_u16(to).is_some(),
        4 => shared_u32(to).is_some(),
        _ => shared_u64(to).is_some(),
    }
}
