//! Operations in Rust, by which the host's cores do calls in place of a device.

use std::{fmt, sync::Arc};

use kerncast_offload::plan::{ITEMS, WIDTH};
use rayon::prelude::*;

use crate::{Number, Type};

/// Elements that a thread has at once: of a chunk's.
const SHARE: usize = 1 << 14;
const TILE: usize = WIDTH * ITEMS;
/// Work-items whose sums become one at once (stream_reduce.cl).
const SPREAD: usize = 16;

/// What is done to a chunk.
#[derive(Clone)]
pub(crate) struct OnHost {
    input: Type,
    output: Type,
    is_fold: bool,
    work: Arc<Work>,
}

/// Of the place of the first element, the input and the output.
type Work = dyn Fn(u64, &[u8], &mut [u8]) + Send + Sync;

impl OnHost {
    pub(crate) fn map<X: Number, Y: Number>(
        each: impl Fn(X, u64) -> Y + Send + Sync + 'static,
    ) -> Self {
        let share = move |first: u64, input: &[u8], output: &mut [u8]| {
            // Part of pinned memory may begin anywhere.
            if let Ok(input) = bytemuck::try_cast_slice::<u8, X>(input)
                && let Ok(output) = bytemuck::try_cast_slice_mut::<u8, Y>(output)
            {
                for (place, (&x, y)) in input.iter().zip(output).enumerate() {
                    *y = each(x, first + place as u64);
                }
                return;
            }
            let outputs = output.chunks_exact_mut(size_of::<Y>());
            let pairs = input.chunks_exact(size_of::<X>()).zip(outputs);
            for (place, (input, output)) in (first..).zip(pairs) {
                let made = each(bytemuck::pod_read_unaligned(input), place);
                output.copy_from_slice(bytemuck::bytes_of(&made));
            }
        };
        let work = move |first, input: &[u8], output: &mut [u8]| {
            let outputs = output.par_chunks_mut(SHARE * size_of::<Y>());
            let shares = input.par_chunks(SHARE * size_of::<X>());
            let shares = shares.zip(outputs).enumerate();
            shares.for_each(|(index, (input, output))| {
                share(first + (index * SHARE) as u64, input, output);
            });
        };
        Self {
            input: X::TYPE,
            output: Y::TYPE,
            is_fold: false,
            work: Arc::new(work),
        }
    }

    /// A sum of each tile, in the device's order (stream_reduce.cl): so it has the same bits.
    pub(crate) fn fold<T: Number>(both: impl Fn(T, T) -> T + Send + Sync + 'static) -> Self {
        let width = size_of::<T>();
        let work = move |_: u64, input: &[u8], output: &mut [u8]| {
            let tiles = input.par_chunks(TILE * width);
            let tiles = tiles.zip(output.par_chunks_mut(width));
            tiles.with_min_len(SHARE / TILE).for_each(|(tile, sum)| {
                let its = match bytemuck::try_cast_slice::<u8, T>(tile) {
                    Ok(tile) => of_tile(tile, &both),
                    Err(_) => {
                        let read = tile.chunks_exact(size_of::<T>());
                        let read = read.map(bytemuck::pod_read_unaligned);
                        of_tile(&read.collect::<Vec<T>>(), &both)
                    }
                };
                sum.copy_from_slice(bytemuck::bytes_of(&its));
            });
        };
        Self {
            input: T::TYPE,
            output: T::TYPE,
            is_fold: true,
            work: Arc::new(work),
        }
    }

    /// Whether it is of a transform of these types.
    pub(crate) fn maps(&self, inputs: &[Type], output: Type) -> bool {
        !self.is_fold && *inputs == [self.input] && self.output == output
    }

    /// Whether it is of a reduction of this type.
    pub(crate) fn folds(&self, element: Type) -> bool {
        self.is_fold && self.input == element
    }

    pub(crate) fn chunk(&self, first: u64, input: &[u8], output: &mut [u8]) {
        (self.work)(first, input, output);
    }
}

fn of_tile<T: Number>(tile: &[T], both: &impl Fn(T, T) -> T) -> T {
    let of_item = |elements: &[T]| {
        let (fours, rest) = elements.as_chunks::<4>();
        let fours = fours.iter();
        let fours = fours.map(|&[a, b, c, d]| both(both(both(a, b), c), d));
        let all = fours.chain(rest.iter().copied().reduce(both));
        all.reduce(both).expect("a work-item has elements")
    };
    let mut spread = tile.chunks(SPREAD * ITEMS).map(|part| {
        let (full, rest) = part.as_chunks::<ITEMS>();
        let last = (!rest.is_empty()).then(|| of_item(rest));
        let all = full.iter().map(|it| of_item(it)).chain(last);
        all.reduce(both).expect("a part has elements")
    });
    let first = spread.next().expect("a tile has elements");
    spread.fold(first, both)
}

impl fmt::Debug for OnHost {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "OnHost({:?} → {:?})", self.input, self.output)
    }
}
