//! Histograms by the host's cores.

use rayon::prelude::*;

use super::{SHARE, go_on, held::Held};
use crate::{Number, Source, StreamError, Streamer, Type};

/// Of more the counts are the device's: each thread has its own.
pub(crate) const MOST_BINS: usize = 1 << 16;

/// Bits of a number's order that say where to look for its bin.
const GUIDE: u32 = 12;

/// Edges by their orders, and between which of them to look.
struct Edges {
    all: Vec<u64>,
    /// How many edges are at most the first number of each part, and last of all.
    guide: Vec<usize>,
    /// Of an order's distance from the first edge: what is left is the part.
    shift: u32,
}

impl Streamer {
    /// As [`histogram`](Self::histogram), whose edges were checked.
    pub(crate) fn histogram_by_cores(
        &self,
        element: Type,
        input: &Source<'_>,
        edges: &[u8],
    ) -> Result<Vec<u64>, StreamError> {
        by_type!(
            element,
            self.counted::<T>(input, bytemuck::cast_slice(edges))
        )
    }

    fn counted<T: Number>(&self, input: &Source<'_>, edges: &[T]) -> Result<Vec<u64>, StreamError> {
        let told = &self.told();
        let (bins, edges) = (edges.len() - 1, &Edges::new(edges));
        let input = Held::new::<T>(input, told)?;
        let none = || vec![0_u64; bins];
        let shares = input.elements::<T>().par_chunks(SHARE);
        let counts = shares.try_fold(none, |mut counts, share| {
            go_on(told.cancel)?;
            for bin in share.iter().filter_map(|it| edges.bin(*it)) {
                counts[bin] += 1;
            }
            Ok(counts)
        });
        counts.try_reduce(none, |mut sum, counts| {
            for (sum, count) in sum.iter_mut().zip(counts) {
                *sum += count;
            }
            Ok(sum)
        })
    }
}

impl Edges {
    fn new<T: Number>(edges: &[T]) -> Self {
        let all: Vec<u64> = edges.iter().map(|it| compared(*it)).collect();
        let (low, high) = (all[0], all[all.len() - 1]);
        let shift = (u64::BITS - (high - low).leading_zeros()).saturating_sub(GUIDE);
        let parts = ((high - low) >> shift) + 1;
        let at_most = |order| all.partition_point(|it| *it <= order);
        let mut guide: Vec<usize> = (0..parts)
            .map(|part| at_most(low + (part << shift)))
            .collect();
        guide.push(all.len());
        Self { all, guide, shift }
    }

    /// None of what is beyond them, and of NaN.
    fn bin<T: Number>(&self, number: T) -> Option<usize> {
        let order = compared(number);
        let last = self.all.len() - 1;
        // NaN alone differs from itself.
        #[expect(clippy::eq_op, reason = "it is how generic code asks for NaN")]
        if order < self.all[0] || order > self.all[last] || number != number {
            return None;
        }
        let part = super::size((order - self.all[0]) >> self.shift);
        let [from, to] = [self.guide[part], self.guide[part + 1]];
        let between = self.all[from..to].partition_point(|it| *it <= order);
        // The last bin has its upper edge, too.
        Some((from + between - 1).min(last - 1))
    }
}

/// A number that orders as comparing does: -0 is 0.
fn compared<T: Number>(number: T) -> u64 {
    match number == T::zeroed() {
        true => T::zeroed().order(),
        false => number.order(),
    }
}
