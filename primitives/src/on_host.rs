//! Operations in Rust, by which the host's cores take chunks beside a device.

use std::{fmt, sync::Arc};

use kerncast_offload::plan::{ITEMS, WIDTH};
use rayon::prelude::*;

use crate::{Element, Kind};

/// Elements that a thread has at once: of a chunk's.
const SHARE: usize = 1 << 14;
const TILE: usize = WIDTH * ITEMS;
/// Work-items whose sums become one at once (stream_reduce.cl).
const SPREAD: usize = 16;

/// What is done to a chunk.
#[derive(Clone)]
pub(crate) struct OnHost {
    input: Kind,
    output: Kind,
    is_fold: bool,
    work: Arc<Work>,
}

/// Of the place of the first element, the input and the output.
type Work = dyn Fn(u64, &[u8], &mut [u8]) + Send + Sync;

impl OnHost {
    pub(crate) fn map<X: Element, Y: Element>(
        each: impl Fn(X, u64) -> Y + Send + Sync + 'static,
    ) -> Self {
        let (x, y) = (X::KIND.bytes(), Y::KIND.bytes());
        let share = move |first: u64, input: &[u8], output: &mut [u8]| {
            let pairs = input.chunks_exact(x).zip(output.chunks_exact_mut(y));
            for (place, (input, output)) in (first..).zip(pairs) {
                let made = each(bytemuck::pod_read_unaligned(input), place);
                output.copy_from_slice(bytemuck::bytes_of(&made));
            }
        };
        let work = move |first, input: &[u8], output: &mut [u8]| {
            let outputs = output.par_chunks_mut(SHARE * y);
            let shares = input.par_chunks(SHARE * x).zip(outputs).enumerate();
            shares.for_each(|(index, (input, output))| {
                share(first + (index * SHARE) as u64, input, output);
            });
        };
        Self {
            input: X::KIND,
            output: Y::KIND,
            is_fold: false,
            work: Arc::new(work),
        }
    }

    /// A sum of each tile, in the device's order (stream_reduce.cl): so it has the same bits.
    pub(crate) fn fold<T: Element>(both: impl Fn(T, T) -> T + Send + Sync + 'static) -> Self {
        let width = T::KIND.bytes();
        let work = move |_: u64, input: &[u8], output: &mut [u8]| {
            let tiles = input.par_chunks(TILE * width);
            let tiles = tiles.zip(output.par_chunks_mut(width));
            tiles.with_min_len(SHARE / TILE).for_each(|(tile, sum)| {
                sum.copy_from_slice(bytemuck::bytes_of(&of_tile(tile, &both)));
            });
        };
        Self {
            input: T::KIND,
            output: T::KIND,
            is_fold: true,
            work: Arc::new(work),
        }
    }

    /// Whether it is of a transform of these types.
    pub(crate) fn maps(&self, inputs: &[Kind], output: Kind) -> bool {
        !self.is_fold && *inputs == [self.input] && self.output == output
    }

    /// Whether it is of a reduction of this type.
    pub(crate) fn folds(&self, element: Kind) -> bool {
        self.is_fold && self.input == element
    }

    pub(crate) fn chunk(&self, first: u64, input: &[u8], output: &mut [u8]) {
        (self.work)(first, input, output);
    }
}

fn of_tile<T: Element>(tile: &[u8], both: &impl Fn(T, T) -> T) -> T {
    let items = |bytes: &[u8]| {
        let fours = bytes.chunks(4 * T::KIND.bytes()).map(|four| {
            let four = four.chunks_exact(T::KIND.bytes());
            let four = four.map(bytemuck::pod_read_unaligned).reduce(both);
            four.expect("four elements, or fewer")
        });
        fours.reduce(both).expect("a work-item has elements")
    };
    let mut spread = tile.chunks(SPREAD * ITEMS * T::KIND.bytes()).map(|part| {
        let sums = part.chunks(ITEMS * T::KIND.bytes()).map(items);
        sums.reduce(both).expect("a part has elements")
    });
    let first = spread.next().expect("a tile has elements");
    spread.fold(first, both)
}

impl fmt::Debug for OnHost {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "OnHost({:?} → {:?})", self.input, self.output)
    }
}
