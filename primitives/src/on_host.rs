//! Operations in Rust, by which the host's cores take chunks beside a device.

use std::{fmt, sync::Arc};

use kerncast_offload::{
    Type,
    plan::{ITEMS, WIDTH},
};
use rayon::prelude::*;

use crate::Element;

/// Elements that a thread has at once: of a chunk's.
const SHARE: usize = 1 << 14;
const TILE: usize = WIDTH * ITEMS;

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
    pub(crate) fn map<X: Element, Y: Element>(
        each: impl Fn(X, u64) -> Y + Send + Sync + 'static,
    ) -> Self {
        let (x, y) = (X::TYPE.bytes(), Y::TYPE.bytes());
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
            input: X::TYPE,
            output: Y::TYPE,
            is_fold: false,
            work: Arc::new(work),
        }
    }

    /// A sum of each tile, in the device's order (reduce.cl): so it has the same bits.
    pub(crate) fn fold<T: Element>(both: impl Fn(T, T) -> T + Send + Sync + 'static) -> Self {
        let width = T::TYPE.bytes();
        let work = move |_: u64, input: &[u8], output: &mut [u8]| {
            let tiles = input.par_chunks(TILE * width);
            let tiles = tiles.zip(output.par_chunks_mut(width));
            tiles.with_min_len(SHARE / TILE).for_each(|(tile, sum)| {
                sum.copy_from_slice(bytemuck::bytes_of(&of_tile(tile, &both)));
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

fn of_tile<T: Element>(tile: &[u8], both: &impl Fn(T, T) -> T) -> T {
    let width = T::TYPE.bytes();
    let mut sums = [T::zeroed(); WIDTH];
    let mut active = 0;
    for (sum, items) in sums.iter_mut().zip(tile.chunks(ITEMS * width)) {
        let items = items.chunks_exact(width).map(bytemuck::pod_read_unaligned);
        *sum = items.reduce(both).expect("a work-item has elements");
        active += 1;
    }
    let mut apart = 1;
    while apart < active {
        for me in (0..active - apart).step_by(2 * apart) {
            sums[me] = both(sums[me], sums[me + apart]);
        }
        apart *= 2;
    }
    sums[0]
}

impl fmt::Debug for OnHost {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "OnHost({:?} → {:?})", self.input, self.output)
    }
}
