//! Set-associative caches: each line has few places.

/// A cache that keeps the lines of each set that were asked for last, as many as it has ways. Lines a power of two
/// apart share sets, and leave the others empty.
pub(super) struct SetAssociative<const WAYS: usize> {
    /// The lines of each set, the last one asked for first.
    sets: Vec<[u64; WAYS]>,
}

impl<const WAYS: usize> SetAssociative<WAYS> {
    /// A cache of `lines` lines.
    pub(super) fn new(lines: usize) -> Self {
        Self {
            sets: vec![[u64::MAX; WAYS]; (lines / WAYS).max(1)],
        }
    }

    /// Fetches a line, which is in the cache from now on. Returns whether it was before.
    pub(super) fn fetch(&mut self, line: u64) -> bool {
        let sets = self.sets.len() as u64;
        let set = &mut self.sets[usize::try_from(line % sets).unwrap_or_default()];
        let position = set.iter().position(|it| *it == line);
        set[..=position.unwrap_or(WAYS - 1)].rotate_right(1);
        set[0] = line;
        position.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_a_power_of_two_apart_share_a_set() {
        let mut sets = SetAssociative::<8>::new(512);
        let mut has = |lines: u64, step: u64| {
            let mut hits = || (0..lines).filter(|at| sets.fetch(at * step)).count();
            hits();
            hits()
        };
        assert_eq!(has(512, 1), 512);
        assert_eq!(has(9, 64), 0);
        assert_eq!(has(8, 64), 8);
        assert_eq!(has(9, 65), 9);
    }
}
