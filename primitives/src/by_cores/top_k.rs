//! The greatest elements, by the host's cores.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::{
    SHARE, go_on,
    held::{Held, fill},
};
use crate::{Number, Sink, Source, StreamError, Streamer};

/// So many times as long as what is kept of it is each share, so that little is looked at again.
const KEPT: usize = 8;

impl Streamer {
    /// As [`top_k`](Self::top_k), of at least one.
    pub(crate) fn top_k_by_cores<T: Number>(
        &self,
        input: &Source<'_>,
        output: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let told = &self.told();
        let input = Held::new::<T>(input, told)?;
        let k = super::size(output.length);
        let shares = input.elements::<T>().par_chunks(SHARE.max(KEPT * k));
        let kept = shares.map(|share| {
            go_on(told.cancel)?;
            Ok(greatest(share.to_vec(), k))
        });
        let kept: Vec<Vec<T>> = kept.collect::<Result<_, StreamError>>()?;
        let mut found = greatest(kept.concat(), k);
        go_on(told.cancel)?;
        found.par_sort_unstable_by_key(|it| Reverse(it.order()));
        fill::<T>(output, told, |output| {
            output.copy_from_slice(&found);
            Ok(())
        })
    }
}

/// At most `k` of them, in no order.
fn greatest<T: Number>(mut all: Vec<T>, k: usize) -> Vec<T> {
    if k < all.len() {
        all.select_nth_unstable_by_key(k, |it| Reverse(it.order()));
        all.truncate(k);
    }
    all
}
