//! How much device memory primitives need, and how long their chunks are where there is less.

use crate::{
    Type,
    plan::{TILE, WIDTH},
};

/// Runs are at least as long, bytes of a key: with shorter ones pieces would be too small.
const SHORTEST_RUN: u64 = 32 << 20;
/// As many runs are wanted, so that little time is spent while only one of them is on its way.
const RUNS: u64 = 64;
/// Of one launch: places on the device are numbers of 32 bits.
pub const LONGEST_RUN: u64 = 1 << 31;
/// Of a radix sort.
pub const DIGITS: u64 = 256;

/// Elements of a sorted run that are best where there is memory enough.
#[must_use]
pub fn run(length: u64, key: Type) -> u64 {
    let shortest = SHORTEST_RUN / key.bytes() as u64;
    (length / RUNS).clamp(shortest, LONGEST_RUN).min(length)
}

/// How many keys a work-group sorts: 48 KiB of local memory hold counts and these.
#[must_use]
pub fn tile(key: Type) -> u64 {
    let items = if key.bytes() < 8 { 16 } else { 8 };
    WIDTH as u64 * items
}

/// Elements of the longest chunk that `bytes` of device memory have room for: `wish`, or a half of it, and so on.
/// None where a tile has no room.
#[must_use]
pub fn fit(wish: u64, bytes: u64, needs: impl Fn(u64) -> u64) -> Option<u64> {
    let mut chunk = wish.next_multiple_of(TILE).max(TILE);
    while needs(chunk) > bytes {
        let less = (chunk / 2).next_multiple_of(TILE);
        if less == chunk {
            return None;
        }
        chunk = less;
    }
    Some(chunk)
}

/// Of a sort besides the keys, for `length` of them.
#[must_use]
pub fn sort_room(key: Type, length: u64) -> u64 {
    let counts = DIGITS * length.div_ceil(tile(key));
    length * key.bytes() as u64 + 4 * (counts + counts.div_ceil(TILE) + 1)
}
