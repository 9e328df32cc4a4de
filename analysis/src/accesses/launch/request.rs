//! What a warp's request costs: sectors of global memory, passes over the banks of local memory.

use std::collections::{BTreeMap, BTreeSet};

use super::enumerate::Touch;

/// Bytes of a sector.
const SECTOR: i64 = 32;
/// Banks of local memory.
const BANKS: i64 = 32;
/// Bytes of a bank's word.
const WORD: i64 = 4;

/// Sectors that a request touches, from an array that begins with one.
pub(super) fn sectors(touches: &[Touch], bytes: i64) -> u64 {
    let mut sectors = BTreeSet::new();
    for touch in touches {
        let last = touch.offset.saturating_add(bytes.max(1) - 1);
        let mut sector = touch.offset.div_euclid(SECTOR);
        while sector <= last.div_euclid(SECTOR) {
            sectors.insert(sector);
            sector += 1;
        }
    }
    sectors.len() as u64
}

/// Passes that the banks need: each gives one word in a pass, to all who want it. Of 8 bytes half a warp is served at
/// once, of 16 a quarter.
pub(super) fn bank_passes(touches: &[Touch], bytes: i64) -> u64 {
    let words = (bytes + WORD - 1) / WORD;
    let at_once = match words {
        ..=1 => 32,
        2 => 16,
        _ => 8,
    };
    let mut passes = 0;
    let mut parts: BTreeMap<usize, Vec<&Touch>> = BTreeMap::new();
    for touch in touches {
        parts
            .entry(touch.lane % 32 / at_once)
            .or_default()
            .push(touch);
    }
    for part in parts.values() {
        let mut banks: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
        for touch in part {
            let first = touch.offset.div_euclid(WORD);
            let last = touch
                .offset
                .saturating_add(bytes.max(1) - 1)
                .div_euclid(WORD);
            let mut word = first;
            while word <= last {
                banks
                    .entry(word.rem_euclid(BANKS))
                    .or_default()
                    .insert(word);
                word += 1;
            }
        }
        passes += banks
            .values()
            .map(|words| words.len() as u64)
            .max()
            .unwrap_or_default();
    }
    passes
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
