//! Sorted arrays, by the host's cores: two become one, and needles are looked for.

use rayon::prelude::*;

use super::{
    SHARE, go_on,
    held::{Held, fill},
};
use crate::{Number, Side, Sink, Source, StreamError, Streamer};

impl Streamer {
    /// As [`merge`](Self::merge).
    pub(crate) fn merge_by_cores<T: Number>(
        &self,
        [a, b]: [&Source<'_>; 2],
        output: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let told = &self.told();
        let (a, b) = (Held::new::<T>(a, told)?, Held::new::<T>(b, told)?);
        let (a, b) = (a.elements::<T>(), b.elements::<T>());
        fill::<T>(output, told, |output| {
            let shares = output.par_chunks_mut(SHARE).enumerate();
            shares.try_for_each(|(share, output)| {
                go_on(told.cancel)?;
                let start = share * SHARE;
                let [from, to] = [start, start + output.len()].map(|end| cut(a, b, end));
                // Of arrays that are not sorted a cut may lie before the one before it.
                let to = to.clamp(from, from + output.len());
                merged(
                    &a[from..to],
                    &b[start - from..start + output.len() - to],
                    output,
                );
                Ok(())
            })
        })
    }

    /// As [`sorted_search`](Self::sorted_search).
    pub(crate) fn search_by_cores<T: Number>(
        &self,
        needles: &Source<'_>,
        sorted: &Source<'_>,
        side: Side,
        output: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let told = &self.told();
        let (needles, sorted) = (
            Held::new::<T>(needles, told)?,
            Held::new::<T>(sorted, told)?,
        );
        let (needles, sorted) = (needles.elements::<T>(), sorted.elements::<T>());
        let place = |needle: u64| match side {
            Side::Lower => sorted.partition_point(|it| it.order() < needle),
            Side::Upper => sorted.partition_point(|it| it.order() <= needle),
        };
        fill::<u64>(output, told, |output| {
            let shares = output.par_chunks_mut(SHARE).zip(needles.par_chunks(SHARE));
            shares.try_for_each(|(output, needles)| {
                go_on(told.cancel)?;
                for (to, needle) in output.iter_mut().zip(needles) {
                    *to = place(needle.order()) as u64;
                }
                Ok(())
            })
        })
    }
}

/// How many of `a` are among the first `end` of both; of equal ones `a`'s come first.
fn cut<T: Number>(a: &[T], b: &[T], end: usize) -> usize {
    let (mut low, mut high) = (end.saturating_sub(b.len()), end.min(a.len()));
    while low < high {
        let middle = usize::midpoint(low, high);
        match a[middle].order() <= b[end - middle - 1].order() {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

/// As long as both.
fn merged<T: Number>(a: &[T], b: &[T], output: &mut [T]) {
    let (mut i, mut j) = (0, 0);
    for to in output {
        let is_a = j == b.len() || (i < a.len() && a[i].order() <= b[j].order());
        *to = if is_a { a[i] } else { b[j] };
        i += usize::from(is_a);
        j += usize::from(!is_a);
    }
}
