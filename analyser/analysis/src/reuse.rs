//! Reuse distances, which tell what a cache of any size still holds.

use foldhash::HashMap;

/// Counts the distinct sectors between two requests for the same one: the stack distances of a cache that evicts the least
/// recently used (Mattson, Gecsei, Slutz, Traiger, IBM Systems Journal 9, 1970). A cache of more sectors has a hit.
pub(crate) struct Distances {
    /// The time of each sector's last request.
    last: HashMap<u64, usize>,
    /// The times from 1 at which a sector was requested last: 1 there, else 0, as sums of a Fenwick tree.
    marks: Vec<u32>,
    now: usize,
}

/// Requests after which times are renumbered.
const MOST_TIMES: usize = 1 << 20;

impl Distances {
    pub(crate) fn new() -> Self {
        Self {
            last: HashMap::default(),
            marks: vec![0; MOST_TIMES + 1],
            now: 0,
        }
    }

    /// Requests a sector. Returns the number of distinct sectors since its last request; none if this is the first.
    pub(crate) fn ask(&mut self, sector: u64) -> Option<u64> {
        if self.now == MOST_TIMES {
            self.renumber();
        }
        self.now += 1;
        let distance = self.last.insert(sector, self.now).map(|before| {
            let since = u64::from(self.until(self.now)) - u64::from(self.until(before));
            self.add(before, u32::MAX);
            since
        });
        self.add(self.now, 1);
        distance
    }

    fn until(&self, mut time: usize) -> u32 {
        let mut sum = 0_u32;
        while time > 0 {
            sum = sum.wrapping_add(self.marks[time]);
            time &= time - 1;
        }
        sum
    }

    fn add(&mut self, mut time: usize, mark: u32) {
        while time <= MOST_TIMES {
            self.marks[time] = self.marks[time].wrapping_add(mark);
            time += time & time.wrapping_neg();
        }
    }

    /// Renumbers the last requests in the same order. The oldest are forgotten if they would fill half of the times: no
    /// cache is that large.
    fn renumber(&mut self) {
        let mut all: Vec<(usize, u64)> = self
            .last
            .iter()
            .map(|(sector, time)| (*time, *sector))
            .collect();
        all.sort_unstable();
        let first = all.len().saturating_sub(MOST_TIMES / 2);
        self.marks.fill(0);
        self.last.clear();
        self.now = 0;
        for (_, sector) in &all[first..] {
            self.now += 1;
            self.last.insert(*sector, self.now);
            self.add(self.now, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_a_stack() {
        let mut distances = Distances::new();
        let mut stack: Vec<u64> = Vec::new();
        let mut state = 1_u64;
        for _ in 0..20_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let sector = (state >> 33) % 300;
            let place = stack.iter().rev().position(|it| *it == sector);
            assert_eq!(distances.ask(sector), place.map(|it| it as u64));
            stack.retain(|it| *it != sector);
            stack.push(sector);
        }
    }

    #[test]
    fn the_order_stays_when_times_are_counted_anew() {
        let mut distances = Distances::new();
        for at in 0..3 * MOST_TIMES as u64 {
            let distance = distances.ask(at % 1000);
            assert_eq!(distance, (at >= 1000).then_some(999));
        }
    }
}
