//! Work divided among the machine's threads. The work is behind a pointer, because rayon would be compiled once for
//! each type that it is used with, and buffers have eleven.

use std::cmp::Ordering;

use rayon::prelude::*;

/// Components that one thread works on; fewer are not worth another thread.
pub(crate) const PART: usize = 1 << 18;

/// Does the work of this many parts, each by its place.
pub(crate) fn in_parts(parts: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..parts).into_par_iter().for_each(work);
}

/// The places below `length`, sorted by `compare` of what lies there. Equal ones come in any order.
pub(crate) fn sort(
    length: usize,
    compare: &(dyn Fn(usize, usize) -> Ordering + Sync),
) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.par_sort_unstable_by(|a, b| compare(*a, *b));
    places
}
