//! Costs of reads of constant memory if a warp's lanes read different places.

use foldhash::HashSet;

/// Cycles of a multiprocessor for each further place of constant memory that a warp's lanes read, and for each line
/// that its cache for constants has lost. Tables of 256 bytes, 4 KB and 32 KB, read at random places on an H200, take
/// 2.1, 7.3 and 29. Neither has a counter of its own.
const PLACE_CYCLES: f64 = 2.0;
const LOST_LINE_CYCLES: f64 = 29.0;
/// Bytes of a line of that cache, and the number of its lines.
const LINE: u64 = 64;
const LINES: usize = 52;

/// A multiprocessor's cache for constants.
#[derive(Default)]
pub(super) struct ConstantCache {
    /// Lines that have been read.
    read: HashSet<u64>,
    /// Lines that are in the cache, the latest last.
    cached: Vec<u64>,
}

impl ConstantCache {
    /// Passes through L1 that cost as much as a request to these places, each listed once. None if all lanes read one
    /// place: warps share the line.
    pub(super) fn passes(&mut self, places: &[u64]) -> f64 {
        let further = (places.len() - 1) as f64;
        if further == 0.0 {
            return 0.0;
        }
        let mut lost = 0.0;
        for place in places {
            let line = place / LINE;
            let position = self.cached.iter().position(|it| *it == line);
            let is_first = self.read.insert(line);
            lost += f64::from(u8::from(position.is_none() && !is_first));
            let is_full = self.cached.len() == LINES;
            if let Some(at) = position.or(is_full.then_some(0)) {
                self.cached.remove(at);
            }
            self.cached.push(line);
        }
        PLACE_CYCLES * further + LOST_LINE_CYCLES * lost
    }
}
