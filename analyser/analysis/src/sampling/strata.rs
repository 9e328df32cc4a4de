//! Strata of work-groups, samples of which stand for all: those at the borders of each dimension by themselves, and
//! those in between, evenly spread.

/// Work-groups of one kind: at the same borders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stratum {
    /// The first work-group in each dimension.
    start: [u32; 3],
    /// The number of work-groups in each dimension.
    length: [u32; 3],
}

impl Stratum {
    /// Number of work-groups in the stratum.
    pub(crate) fn count(&self) -> u64 {
        self.length.iter().map(|it| u64::from(*it)).product()
    }

    /// The stratum's share of `count`, among `all` work-groups.
    pub(crate) fn share(&self, count: u64, all: u64) -> u64 {
        let share = u128::from(count) * u128::from(self.count()) / u128::from(all.max(1));
        u64::try_from(share).unwrap_or(u64::MAX)
    }

    /// At most `most` work-groups of the stratum, evenly spread, at least one.
    pub(crate) fn sample(&self, most: u64) -> Vec<[u32; 3]> {
        let all = self.count();
        let most = most.clamp(1, all);
        let long = self.length.iter().filter(|length| **length > 1).count();
        if most == all || long < 2 {
            let place = |at: u64| (at * 2 + 1) * all / (2 * most);
            let places = (0..most).map(|at| place(at).min(all - 1));
            return places.map(|place| self.group(place)).collect();
        }
        (0..most).map(|at| self.spread(at)).collect()
    }

    /// A point of a sequence that is even in all dimensions (Roberts, The Unreasonable Effectiveness of Quasirandom
    /// Sequences, 2018), so that no condition on work-groups meets all or none.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "below a length of 32 bits"
    )]
    fn spread(&self, at: u64) -> [u32; 3] {
        const STEPS: [f64; 3] = [
            0.819_172_513_396_164_4,
            0.671_043_606_703_789_2,
            0.549_700_477_901_970_3,
        ];
        std::array::from_fn(|dimension| {
            let place = (0.5 + at as f64 * STEPS[dimension]).fract();
            let length = self.length[dimension];
            self.start[dimension] + ((place * f64::from(length)) as u32).min(length - 1)
        })
    }

    #[expect(clippy::cast_possible_truncation, reason = "remainders of 32 bits")]
    fn group(&self, place: u64) -> [u32; 3] {
        let [x, y, _] = self.length.map(u64::from);
        let at = [place % x, place / x % y, place / x / y];
        std::array::from_fn(|dimension| self.start[dimension] + at[dimension] as u32)
    }
}

/// Strata of all work-groups: at most 27.
pub(crate) fn strata(groups: [u32; 3]) -> Vec<Stratum> {
    let parts = |count: u32| -> Vec<(u32, u32)> {
        match count {
            0 | 1 => vec![(0, 1)],
            2 => vec![(0, 1), (1, 1)],
            count => vec![(0, 1), (1, count - 2), (count - 1, 1)],
        }
    };
    let [xs, ys, zs] = groups.map(parts);
    let mut all = Vec::new();
    for z in &zs {
        for y in &ys {
            for x in &xs {
                all.push(Stratum {
                    start: [x.0, y.0, z.0],
                    length: [x.1, y.1, z.1],
                });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strata_hold_every_group_once() {
        let all = strata([5, 1, 2]);
        assert_eq!(all.iter().map(Stratum::count).sum::<u64>(), 10);
        let mut groups: Vec<_> = all.iter().flat_map(|one| one.sample(u64::MAX)).collect();
        groups.sort_unstable();
        groups.dedup();
        assert_eq!(groups.len(), 10);
    }
}
