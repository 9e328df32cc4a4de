//! How far two collections of the same workloads agree.

use std::collections::BTreeMap;

use kerncast_wire::{NewSample, TimeSummary, Workload};

use crate::local_memory;

mod read;

pub use read::{Unreadable, read};

/// A workload that both collections measured.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// Its sample in the first collection.
    pub a: &'a NewSample,
    /// Its sample in the second.
    pub b: &'a NewSample,
    /// Median of the first's repetitions, seconds.
    pub a_s: f64,
    /// Median of the second's, seconds.
    pub b_s: f64,
}

impl Pair<'_> {
    /// The second median's distance from the first, as a fraction of the first.
    pub fn difference(&self) -> f64 {
        self.b_s / self.a_s - 1.0
    }
}

/// Two collections, workload by workload.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// What both measured; the largest difference first.
    pub pairs: Vec<Pair<'a>>,
    /// How many workloads only the first measured.
    pub only_in_a: usize,
    /// How many only the second measured.
    pub only_in_b: usize,
}

/// Compares the newest sample of each device and workload in `a` with that in `b`.
pub fn compare<'a>(a: &'a [NewSample], b: &'a [NewSample]) -> Comparison<'a> {
    let (a, b) = (by_workload(a), by_workload(b));
    let both = a.iter().filter_map(|(key, a)| Some((*a, *b.get(key)?)));
    let median = |sample: &NewSample| TimeSummary::of(&sample.times.repetitions_s).median_s;
    let pairs = both.map(|(a, b)| Pair {
        a,
        b,
        a_s: median(a),
        b_s: median(b),
    });
    let mut pairs: Vec<Pair<'_>> = pairs.collect();
    pairs.sort_by(|one, other| {
        let size = |pair: &Pair<'_>| pair.difference().abs();
        size(other).total_cmp(&size(one))
    });
    Comparison {
        only_in_a: a.len() - pairs.len(),
        only_in_b: b.len() - pairs.len(),
        pairs,
    }
}

/// A device by vendor and name, and what ran on it.
type Key<'a> = (&'a str, &'a str, &'a Workload);

fn by_workload(samples: &[NewSample]) -> BTreeMap<Key<'_>, &NewSample> {
    let mut newest: BTreeMap<Key<'_>, &NewSample> = BTreeMap::new();
    for sample in samples
        .iter()
        .filter(|sample| !sample.times.repetitions_s.is_empty())
        // Not workloads: points of one measurement.
        .filter(|sample| sample.workload.kernel != local_memory::NAME)
    {
        let key = (
            &*sample.device.vendor,
            &*sample.device.name,
            &sample.workload,
        );
        let known = newest.entry(key).or_insert(sample);
        if sample.measured_at > known.measured_at {
            *known = sample;
        }
    }
    newest
}

/// Sizes of differences, in three numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Their median.
    pub median: f64,
    /// The smallest that at least 95 % of them don't exceed.
    pub percentile_95: f64,
    /// The largest.
    pub worst: f64,
}

/// The spread of `differences`, whichever way they go; none of none.
pub fn spread(differences: impl Iterator<Item = f64>) -> Option<Spread> {
    let mut sizes: Vec<f64> = differences.map(f64::abs).collect();
    sizes.sort_by(f64::total_cmp);
    Some(Spread {
        worst: *sizes.last()?,
        median: TimeSummary::of(&sizes).median_s,
        percentile_95: sizes[(sizes.len() * 95).div_ceil(100) - 1],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_of_sizes_and_its_percentile_one_of_them() {
        // 0.01 … 0.40, every other one negative.
        let differences =
            (1..=40).map(|n| f64::from(n) / 100.0 * if n % 2 == 0 { -1.0 } else { 1.0 });
        let found = spread(differences).unwrap();
        assert!((found.median - 0.205).abs() < 1e-12);
        // 95 % of 40 are 38.
        assert!((found.percentile_95 - 0.38).abs() < 1e-12);
        assert!((found.worst - 0.40).abs() < 1e-12);
        assert_eq!(spread(std::iter::empty()), None);
    }
}
