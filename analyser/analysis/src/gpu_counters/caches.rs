//! Caches of several sizes, and which of a work-group's sectors they still have.

use foldhash::HashMap;

use super::sectors::{LINE, SECTOR};
use crate::reuse::Distances;

const SECTORS: u64 = LINE / SECTOR;

/// Caches of whole lines that keep what was asked for last. They fetch only the sectors of a line that are asked for,
/// but a line with one sector takes as much room as a full one.
pub(super) struct Caches<const N: usize> {
    /// Size of each cache, bytes.
    sizes: [u64; N],
    distances: Distances,
    /// Sectors of each line, as bits: those that were ever asked for, and those that each cache has.
    lines: HashMap<u64, (u8, [u8; N])>,
}

/// The caches that miss a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Misses<const N: usize> {
    /// Whether nobody has asked for it before.
    pub(super) first: bool,
    /// Whether the sector is missing in each cache.
    pub(super) beyond: [bool; N],
}

impl<const N: usize> Caches<N> {
    pub(super) fn new(sizes: [u64; N]) -> Self {
        Self {
            sizes,
            distances: Distances::new(),
            lines: HashMap::default(),
        }
    }

    pub(super) fn empty(&mut self) {
        *self = Self::new(self.sizes);
    }

    /// Sectors that were ever asked for.
    pub(super) fn sectors(&self) -> impl Iterator<Item = u64> {
        self.lines.iter().flat_map(|(line, (ever, _))| {
            let of_line = (0..SECTORS).filter(move |at| ever >> at & 1 == 1);
            of_line.map(move |at| line * SECTORS + at)
        })
    }

    /// Fetches a sector into each cache. Returns the caches that missed it.
    pub(super) fn request(&mut self, sector: u64) -> Misses<N> {
        let line = sector / SECTORS;
        let bytes = self
            .distances
            .ask(line)
            .map_or(u64::MAX, |lines| lines.saturating_mul(LINE));
        let this = 1_u8 << (sector % SECTORS);
        let (ever, lines) = self.lines.entry(line).or_insert((0, [0; N]));
        let first = *ever & this == 0;
        *ever |= this;
        let mut beyond = [false; N];
        for ((beyond, lines), size) in beyond.iter_mut().zip(lines).zip(self.sizes) {
            if bytes >= size {
                *lines = 0;
            }
            *beyond = *lines & this == 0;
            *lines |= this;
        }
        Misses { first, beyond }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_one_sector_takes_the_room_of_four() {
        let mut caches = Caches::new([4 * LINE, 64 * LINE]);
        for pass in 0..2 {
            for line in 0..16 {
                let missed = caches.request(line * SECTORS);
                assert_eq!(missed.first, pass == 0);
                assert_eq!(missed.beyond, [true, pass == 0]);
            }
        }
        // The line is there, the sector is not.
        let missed = caches.request(15 * SECTORS + 1);
        assert_eq!((missed.first, missed.beyond), (true, [true, true]));
        let missed = caches.request(15 * SECTORS);
        assert_eq!((missed.first, missed.beyond), (false, [false, false]));
    }
}
