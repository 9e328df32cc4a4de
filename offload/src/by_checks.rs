//! What was measured of streams like those that are forecast, and says how long they take, and how far that is off.

use crate::{Check, Rates, Timed, Type, Way, Work, rates::Move};

/// How far forecasts of the like were off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Error {
    /// The largest factor, above 1.
    pub factor: f64,
    /// Whether arrays about as long were checked.
    pub is_near: bool,
}

impl Error {
    /// Where a time lies; none where no array about as long was checked.
    #[must_use]
    pub fn interval(self, seconds: f64) -> Option<[f64; 2]> {
        self.is_near
            .then(|| [seconds / self.factor, seconds * self.factor])
    }
}

/// Checks of lengths within so many octaves speak for each other. Farther ones do not: on the H200 a sort of 32 GiB from
/// pinned memory took 1.66 s where 2.56 s were forecast from checks of up to 640 MiB, which were off by ×1.16.
const NEAR: f64 = 5.0;

impl Rates {
    /// How a way moves; none where that was not measured.
    pub(crate) fn of(&self, way: Way) -> Option<&Move> {
        self.moves.iter().find(|it| it.way == way)
    }

    /// Seconds of the device's own for an element; none where that was not measured.
    #[must_use]
    pub fn kernel(&self, work: Work, element: Type) -> Option<f64> {
        let kernel = |it: &&Timed| it.work == work && it.element == element;
        let found = self.kernels.iter().find(kernel)?;
        Some(found.seconds / found.elements as f64)
    }

    /// By what factor streams take longer than their parts alone would have it, as these hinder each other: what the
    /// longest checks of such work and way, also in one pass or in several, were off by in the median. 1 where there is none.
    pub(crate) fn stretch(&self, work: Work, by: &str, passes: usize) -> f64 {
        let longest = self.longest(work, by, passes);
        let ratios = longest.iter().map(|it| it.measured_s / it.forecast_s);
        let mut ratios: Vec<f64> = ratios.collect();
        median(&mut ratios).unwrap_or(1.0)
    }

    /// The longest of a kind: one, or several that are as long.
    fn longest(&self, work: Work, by: &str, passes: usize) -> Vec<&Check> {
        let alike =
            |it: &&Check| it.work == work && it.by == by && it.passes.min(2) == passes.min(2);
        let alike = self.checks.iter().filter(alike);
        let most = alike.clone().map(|it| it.elements).max();
        alike.filter(|it| Some(it.elements) == most).collect()
    }

    /// Whether a check is one that others are stretched by.
    pub(crate) fn is_fitted_to(&self, it: &Check) -> bool {
        let longest = self.longest(it.work, &it.by, it.passes);
        it.passes > 0
            && longest
                .iter()
                .any(|longest| longest.elements == it.elements)
    }

    /// How far forecasts by these (as `staged`) were off for arrays about as long; none where there is no check. Of the host
    /// those of this work; of a way those of all works, but for the checks that a [`stretch`](Self::stretch) comes from: where
    /// several are as long, each says of its own work how far off it is from the others' median.
    #[must_use]
    pub fn error(&self, work: Work, by: &str, elements: u64) -> Option<Error> {
        let off = self.checks.iter().filter(|it| it.by == by);
        let off = off.filter_map(|it| match it.passes {
            0 if it.work != work => None,
            0 => Some((it.elements, it.measured_s / it.forecast_s)),
            passes => {
                let ratio = it.measured_s / it.forecast_s;
                if !self.is_fitted_to(it) {
                    let stretch = self.stretch(it.work, by, passes);
                    return Some((it.elements, ratio / stretch));
                }
                // Of the same work only, and held against the others: it takes part in the stretch.
                let longest = self.longest(it.work, by, passes);
                let others = longest.iter().filter(|other| !std::ptr::eq(**other, it));
                let mut others: Vec<f64> = others.map(|it| it.measured_s / it.forecast_s).collect();
                let others = median(&mut others).filter(|_| it.work == work)?;
                Some((it.elements, ratio / others))
            }
        });
        // Those of another work that its forecasts are fitted to say nothing of this one's.
        let lengths = self.checks.iter().filter(|it| it.by == by);
        let lengths = lengths.filter(|it| it.work == work || !self.is_fitted_to(it));
        let lengths: Vec<u64> = lengths.map(|it| it.elements).collect();
        worst(&off.collect::<Vec<_>>(), elements, &lengths)
    }

    /// The same of first calls.
    #[must_use]
    pub fn first_error(&self, by: &str, elements: u64) -> Option<Error> {
        let checks = self.checks.iter().filter(|it| it.by == by);
        let checks = checks.filter_map(|it| Some((it.elements, it.first?)));
        let calls = self.first_runs.iter().filter(|it| it.by == by);
        let all = checks.chain(calls.map(|it| (it.elements, it.told)));
        let off: Vec<(u64, f64)> = all
            .map(|(elements, first)| (elements, first.measured_s / first.forecast_s))
            .collect();
        let lengths: Vec<u64> = off.iter().map(|it| it.0).collect();
        worst(&off, elements, &lengths)
    }
}

/// None of none; of an even number half way between the two in the middle.
pub(crate) fn median(all: &mut [f64]) -> Option<f64> {
    all.sort_by(f64::total_cmp);
    let (low, high) = (all.len().checked_sub(1)? / 2, all.len() / 2);
    Some(f64::midpoint(all[low], all[high]))
}

/// Of the lengths about as long, or else of those that are the nearest. `lengths` are all that were checked.
pub(crate) fn worst(off: &[(u64, f64)], elements: u64, lengths: &[u64]) -> Option<Error> {
    let apart = |of: u64| (of.max(1) as f64 / elements.max(1) as f64).log2().abs();
    let nearest = off.iter().map(|it| apart(it.0)).min_by(f64::total_cmp)?;
    let near = off.iter().filter(|it| apart(it.0) <= nearest.max(NEAR));
    let worst = near
        .map(|it| it.1.ln().abs())
        .max_by(f64::total_cmp)
        .map(f64::exp)?;
    Some(Error {
        factor: worst,
        is_near: lengths.iter().any(|it| apart(*it) <= NEAR),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_stretched_as_its_longest_check_was() {
        let check = |work, by: &str, passes, elements, measured_s| Check {
            work,
            element: Type::U32,
            elements,
            by: by.to_owned(),
            passes,
            forecast_s: 1.0,
            measured_s,
            first: None,
        };
        let rates = Rates {
            checks: vec![
                check(Work::Sort, "pinned", 1, 10, 1.1),
                check(Work::Sort, "pinned", 2, 30, 1.8),
                check(Work::Scan, "pinned", 1, 10, 1.5),
                check(Work::Scan, "pinned", 1, 30, 1.2),
                check(Work::Scan, "one core", 0, 10, 0.5),
                check(Work::Sort, "one core", 0, 10, 0.9),
            ],
            ..Rates::default()
        };
        let stretches = [1, 2, 3].map(|passes| rates.stretch(Work::Sort, "pinned", passes));
        let scan = rates.stretch(Work::Scan, "pinned", 1);
        for (found, right) in stretches
            .into_iter()
            .chain([scan])
            .zip([1.1, 1.8, 1.8, 1.2])
        {
            assert!((found - right).abs() < 1e-12, "{found} for {right}");
        }
        // Scan's shorter one is 1.25 times what its longer one has it; the others are what they are stretched by.
        let error = |work, by| rates.error(work, by, 20).expect("there are checks").factor;
        assert!((error(Work::Sort, "pinned") - 1.25).abs() < 1e-12);
        assert!((error(Work::Scan, "one core") - 2.0).abs() < 1e-12);
        assert_eq!(rates.error(Work::Scan, "staged", 20), None);
    }

    #[test]
    fn short_arrays_are_judged_by_short_ones() {
        let check = |elements, measured_s| Check {
            work: Work::Scan,
            element: Type::U32,
            elements,
            by: "staged".to_owned(),
            passes: 1,
            forecast_s: 1.0,
            measured_s,
            first: None,
        };
        let rates = Rates {
            checks: vec![
                check(1 << 10, 3.0),
                check(1 << 22, 1.1),
                check(1 << 24, 1.0),
            ],
            ..Rates::default()
        };
        let error = |elements| rates.error(Work::Scan, "staged", elements).expect("checks");
        assert!((error(1 << 9).factor - 3.0).abs() < 1e-12);
        assert!((error(1 << 23).factor - 1.1).abs() < 1e-12);
        assert!((error(1 << 30).factor - 1.1).abs() < 1e-12);
        let near = [1, 1 << 9, 1 << 23, 1 << 29, 1 << 30].map(|it| error(it).is_near);
        assert_eq!(near, [false, true, true, true, false]);
    }
}
