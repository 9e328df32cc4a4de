//! How much device memory primitives need, and how long chunks can be where there is less.

use crate::{
    ElementType,
    plan::{GROUP_ELEMENTS, WIDTH},
};

/// The shortest sorted run, bytes of keys: shorter runs would make the pieces of a merge too small.
const SHORTEST_RUN_BYTES: u64 = 32 << 20;
/// How many runs a sort aims at, so that little time passes while only one of them is on its way.
const WISHED_RUNS: u64 = 64;
/// The most elements of one launch of a sort: places on the device are numbers of 32 bits.
pub const LONGEST_RUN: u64 = 1 << 31;
/// How many values a digit of the radix sort has.
pub const DIGITS: u64 = 256;

/// The best length of a sorted run where there is memory enough, elements.
#[must_use]
pub fn run_length(length: u64, key: ElementType) -> u64 {
    let shortest = SHORTEST_RUN_BYTES / key.bytes() as u64;
    (length / WISHED_RUNS)
        .clamp(shortest, LONGEST_RUN)
        .min(length)
}

/// How many keys a work-group sorts: 48 KiB of local memory hold them and their counts.
#[must_use]
pub fn sort_group_keys(key: ElementType) -> u64 {
    let items = if key.bytes() < 8 { 16 } else { 8 };
    WIDTH as u64 * items
}

/// Elements of the longest chunk that fits into `bytes` of device memory: `wish`, half of it, a quarter, and so on. None
/// where not even [`GROUP_ELEMENTS`] fit. `needs` gives the bytes that a chunk needs.
///
/// The run must come to the same length as this plan: `fit_chunk` of kerncast-primitives, whose
/// tests/primitives/forecasts.rs compares both.
#[must_use]
pub fn longest_chunk(wish: u64, bytes: u64, needs: impl Fn(u64) -> u64) -> Option<u64> {
    let mut chunk = wish.next_multiple_of(GROUP_ELEMENTS).max(GROUP_ELEMENTS);
    while needs(chunk) > bytes {
        let less = (chunk / 2).next_multiple_of(GROUP_ELEMENTS);
        if less == chunk {
            return None;
        }
        chunk = less;
    }
    Some(chunk)
}

/// Bytes that sorting `length` keys needs besides the keys themselves.
#[must_use]
pub fn sort_scratch(key: ElementType, length: u64) -> u64 {
    let counts = DIGITS * length.div_ceil(sort_group_keys(key));
    length * key.bytes() as u64 + 4 * (counts + counts.div_ceil(GROUP_ELEMENTS) + 1)
}
