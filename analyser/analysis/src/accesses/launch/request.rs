//! Costs of a warp's request: sectors of global memory, passes over the banks of local memory.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};

use super::enumerate::Touch;

/// Bytes of a sector.
const SECTOR_BYTES: i64 = 32;
/// Banks of local memory.
const BANKS: i64 = 32;
/// Bytes of a bank's word.
const WORD_BYTES: i64 = 4;

/// Number of sectors that a request touches, in an array that begins with one.
pub(super) fn sectors(touches: &[Touch], bytes: i64) -> u64 {
    let all = touches.iter().flat_map(|it| units(it, bytes, SECTOR_BYTES));
    all.collect::<BTreeSet<_>>().len() as u64
}

/// Number of passes that the banks need: in a pass each gives one word to all lanes that ask for it. Accesses of 8
/// bytes are served half a warp at a time, of 16 bytes a quarter.
pub(super) fn bank_passes(touches: &[Touch], bytes: i64) -> u64 {
    let at_once = match (bytes + WORD_BYTES - 1) / WORD_BYTES {
        ..=1 => 32,
        2 => 16,
        _ => 8,
    };
    // By part of the warp and bank.
    let mut words: BTreeMap<usize, BTreeMap<i64, BTreeSet<i64>>> = BTreeMap::new();
    for touch in touches {
        let banks = words.entry(touch.lane % 32 / at_once).or_default();
        for word in units(touch, bytes, WORD_BYTES) {
            let bank = banks.entry(word.rem_euclid(BANKS)).or_default();
            bank.insert(word);
        }
    }
    let passes = |banks: &BTreeMap<i64, BTreeSet<i64>>| banks.values().map(BTreeSet::len).max();
    words.values().filter_map(passes).sum::<usize>() as u64
}

/// The units of `unit` bytes that a work-item touches.
fn units(touch: &Touch, bytes: i64, unit: i64) -> RangeInclusive<i64> {
    let last = touch.offset.saturating_add(bytes.max(1) - 1);
    touch.offset.div_euclid(unit)..=last.div_euclid(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warp(offset: impl Fn(i64) -> i64) -> Vec<Touch> {
        let lanes = 0..32;
        let touch = |lane: i64| Touch {
            lane: usize::try_from(lane).expect("small"),
            index: 0,
            offset: offset(lane),
        };
        lanes.map(touch).collect()
    }

    #[test]
    fn neighbours_share_sectors_and_banks() {
        assert_eq!(sectors(&warp(|lane| 4 * lane), 4), 4);
        assert_eq!(sectors(&warp(|lane| 4 * lane + 4), 4), 5);
        assert_eq!(sectors(&warp(|lane| 4096 * lane), 4), 32);
        assert_eq!(sectors(&warp(|_| -4), 4), 1);
        assert_eq!(sectors(&warp(|lane| 16 * lane), 16), 16);
        assert_eq!(bank_passes(&warp(|lane| 4 * lane), 4), 1);
        assert_eq!(bank_passes(&warp(|lane| 128 * lane), 4), 32);
        assert_eq!(bank_passes(&warp(|lane| 132 * lane), 4), 1);
        assert_eq!(bank_passes(&warp(|_| 0), 4), 1);
        assert_eq!(bank_passes(&warp(|lane| 8 * lane), 8), 2);
        assert_eq!(bank_passes(&warp(|lane| 16 * lane), 16), 4);
        assert_eq!(bank_passes(&warp(|lane| lane), 1), 1);
    }
}
