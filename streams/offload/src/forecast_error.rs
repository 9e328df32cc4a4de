//! What earlier checks and runs say about a forecast: by what factor to stretch it, and how far it may be off.

use crate::{
    ElementType, FirstCallRun, StreamCheck, StreamRates, StreamWay, StreamWork, TimedWork,
    rates::MoveRate,
};

/// How far such forecasts were off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForecastError {
    /// The largest factor, above 1.
    pub factor: f64,
    /// Whether arrays about as long were checked.
    pub is_near: bool,
}

impl ForecastError {
    /// The interval of a time in seconds; none where no array about as long was checked.
    #[must_use]
    pub fn interval(self, seconds: f64) -> Option<[f64; 2]> {
        self.is_near
            .then(|| [seconds / self.factor, seconds * self.factor])
    }
}

/// Checks of array lengths at most so many octaves apart speak for each other; lengths farther apart do not: on the H200 a sort of 32 GiB from
/// pinned memory took 1.66 s where 2.56 s were forecast from checks of up to 640 MiB, which were off by ×1.16.
const NEAR_OCTAVES: f64 = 5.0;

impl StreamRates {
    /// How fast arrays move in a way; none where they were not measured.
    pub(crate) fn move_rate(&self, way: StreamWay) -> Option<&MoveRate> {
        self.moves.iter().find(|it| it.way == way)
    }

    /// Seconds that the device computes for an element; none where that was not measured.
    #[must_use]
    pub fn kernel(&self, work: StreamWork, element: ElementType) -> Option<f64> {
        let kernel = |it: &&TimedWork| it.work == work && it.element == element;
        let timed = self.kernels.iter().find(kernel)?;
        Some(timed.seconds / timed.elements as f64)
    }

    /// By what factor streams take longer than their parts alone, because the parts hinder each other: the median of measured
    /// ÷ forecast of the longest checks with this work, this way (`by`) and one trip, or several. 1 where there is none.
    #[must_use]
    pub fn stretch(&self, work: StreamWork, by: &str, trip_count: usize) -> f64 {
        let longest = self.longest(work, by, trip_count);
        let ratios = longest.iter().map(|it| it.measured_s / it.forecast_s);
        let mut ratios: Vec<f64> = ratios.collect();
        median(&mut ratios).unwrap_or(1.0)
    }

    /// The longest checks of a kind: one, or several of the same length.
    fn longest(&self, work: StreamWork, by: &str, trip_count: usize) -> Vec<&StreamCheck> {
        let alike = |it: &&StreamCheck| {
            it.work == work && it.by == by && it.trip_count.min(2) == trip_count.min(2)
        };
        let alike = self.checks.iter().filter(alike);
        let most = alike.clone().map(|it| it.elements).max();
        alike.filter(|it| Some(it.elements) == most).collect()
    }

    /// Whether a check is one that forecasts are stretched by.
    pub(crate) fn is_fitted_to(&self, it: &StreamCheck) -> bool {
        let longest = self.longest(it.work, &it.by, it.trip_count);
        it.trip_count > 0
            && longest
                .iter()
                .any(|longest| longest.elements == it.elements)
    }

    /// How far forecasts were off for arrays about as long; none where there is no check. `by` names a way (`staged`) or the
    /// host. For the host only checks of this work count. For a way checks of all works count, except those that a
    /// [`stretch`](Self::stretch) comes from: several such checks of one length count for their own work, each compared with
    /// the median of the others.
    #[must_use]
    pub fn error(&self, work: StreamWork, by: &str, elements: u64) -> Option<ForecastError> {
        let off = self.checks.iter().filter(|it| it.by == by);
        let off = off.filter_map(|it| match it.trip_count {
            0 if it.work != work => None,
            0 => Some((it.elements, it.measured_s / it.forecast_s)),
            trip_count => {
                let ratio = it.measured_s / it.forecast_s;
                if !self.is_fitted_to(it) {
                    let stretch = self.stretch(it.work, by, trip_count);
                    return Some((it.elements, ratio / stretch));
                }
                let longest = self.longest(it.work, by, trip_count);
                let others = longest.iter().filter(|other| !std::ptr::eq(**other, it));
                let mut others: Vec<f64> = others.map(|it| it.measured_s / it.forecast_s).collect();
                let others = median(&mut others).filter(|_| it.work == work)?;
                Some((it.elements, ratio / others))
            }
        });
        // Checks of another work that its forecasts are fitted to say nothing about this one.
        let lengths = self.checks.iter().filter(|it| it.by == by);
        let lengths = lengths.filter(|it| it.work == work || !self.is_fitted_to(it));
        let lengths: Vec<u64> = lengths.map(|it| it.elements).collect();
        worst(&off.collect::<Vec<_>>(), elements, &lengths)
    }

    /// By what factor first calls of this work take longer than their start and trips add up to: the weighted mean over known
    /// calls, where calls of about this length weigh most, and over one call that took exactly what was forecast. 1 where no
    /// call is known.
    #[must_use]
    pub fn call_stretch(&self, work: StreamWork, by: &str, elements: u64) -> f64 {
        stretch_of(self.calls(by).iter(), work, elements)
    }

    /// How far forecasts of first calls were off, over all works, each call judged by the stretch of the others. Where no call
    /// of this work is known, its stretch isn't either: then the calls are compared with unstretched forecasts. None where
    /// fewer than three calls are known.
    #[must_use]
    pub fn first_error(&self, work: StreamWork, by: &str, elements: u64) -> Option<ForecastError> {
        let calls = self.calls(by);
        if calls.len() < 3 {
            return None;
        }
        let is_known = calls.iter().any(|it| it.work == work);
        let off = calls.iter().enumerate().map(|(place, call)| {
            let others = calls.iter().enumerate().filter(|it| it.0 != place);
            let others = if is_known {
                stretch_of(others.map(|it| it.1), call.work, call.elements)
            } else {
                1.0
            };
            (call.elements, call.ratio / others)
        });
        let off: Vec<(u64, f64)> = off.collect();
        let lengths: Vec<u64> = off.iter().map(|it| it.0).collect();
        worst(&off, elements, &lengths)
    }

    /// First calls of a way: those that were checked when the rates were measured, and later runs.
    fn calls(&self, by: &str) -> Vec<CallRatio> {
        let checks = self.checks.iter().filter_map(|it| {
            let first = it.first?;
            Some(FirstCallRun {
                work: it.work,
                by: it.by.clone(),
                elements: it.elements,
                trip_count: it.trip_count,
                trips_s: it.forecast_s,
                start_s: (first.forecast_s - it.forecast_s).max(0.0),
                measured_s: first.measured_s,
            })
        });
        let calls = checks.chain(self.first_runs.iter().cloned());
        let ratios = calls.filter(|it| it.by == by).map(|it| CallRatio {
            work: it.work,
            elements: it.elements,
            ratio: it.measured_s
                / (it.trips_s * self.stretch(it.work, by, it.trip_count) + it.start_s),
        });
        ratios.collect()
    }
}

/// A first call that was measured.
struct CallRatio {
    work: StreamWork,
    elements: u64,
    /// Measured time ÷ what its start and trips add up to by today's rates.
    ratio: f64,
}

/// The weighted geometric mean of the calls' ratios; a weight is the shorter length ÷ the longer one.
fn stretch_of<'c>(
    calls: impl Iterator<Item = &'c CallRatio>,
    work: StreamWork,
    elements: u64,
) -> f64 {
    // One call that took what was forecast.
    let (mut sum, mut weights) = (0.0, 1.0);
    for call in calls.filter(|it| it.work == work) {
        let weight = (-octaves(call.elements, elements)).exp2();
        sum += weight * call.ratio.ln();
        weights += weight;
    }
    (sum / weights).exp()
}

/// The distance of two lengths, octaves.
fn octaves(a: u64, b: u64) -> f64 {
    (a.max(1) as f64 / b.max(1) as f64).log2().abs()
}

/// None of an empty slice. Sorts it.
fn median(all: &mut [f64]) -> Option<f64> {
    all.sort_by(f64::total_cmp);
    let (low, high) = (all.len().checked_sub(1)? / 2, all.len() / 2);
    Some(f64::midpoint(all[low], all[high]))
}

/// The largest error among `off` (length, measured ÷ forecast) of about this length, or else of the nearest length.
/// `lengths`: all lengths that were checked.
pub(crate) fn worst(off: &[(u64, f64)], elements: u64, lengths: &[u64]) -> Option<ForecastError> {
    let distance = |length: u64| octaves(length, elements);
    let nearest = off.iter().map(|it| distance(it.0)).min_by(f64::total_cmp)?;
    let near = off
        .iter()
        .filter(|it| distance(it.0) <= nearest.max(NEAR_OCTAVES));
    let worst = near
        .map(|it| it.1.ln().abs())
        .max_by(f64::total_cmp)
        .map(f64::exp)?;
    Some(ForecastError {
        factor: worst,
        is_near: lengths.iter().any(|it| distance(*it) <= NEAR_OCTAVES),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ForecastAndTime;

    #[test]
    fn a_stream_is_stretched_as_its_longest_check_was() {
        let check = |work, by: &str, trip_count, elements, measured_s| StreamCheck {
            work,
            element: ElementType::U32,
            elements,
            by: by.to_owned(),
            trip_count,
            forecast_s: 1.0,
            measured_s,
            first: None,
        };
        let rates = StreamRates {
            checks: vec![
                check(StreamWork::Sort, "pinned", 1, 10, 1.1),
                check(StreamWork::Sort, "pinned", 2, 30, 1.8),
                check(StreamWork::Scan, "pinned", 1, 10, 1.5),
                check(StreamWork::Scan, "pinned", 1, 30, 1.2),
                check(StreamWork::Scan, "one core", 0, 10, 0.5),
                check(StreamWork::Sort, "one core", 0, 10, 0.9),
            ],
            ..StreamRates::default()
        };
        let stretches =
            [1, 2, 3].map(|trip_count| rates.stretch(StreamWork::Sort, "pinned", trip_count));
        let scan = rates.stretch(StreamWork::Scan, "pinned", 1);
        for (stretch, right) in stretches
            .into_iter()
            .chain([scan])
            .zip([1.1, 1.8, 1.8, 1.2])
        {
            assert!((stretch - right).abs() < 1e-12, "{stretch} for {right}");
        }
        // Scan's shorter one is 1.25 times what its longer one has it; the others are what they are stretched by.
        let error = |work, by| rates.error(work, by, 20).expect("there are checks").factor;
        assert!((error(StreamWork::Sort, "pinned") - 1.25).abs() < 1e-12);
        assert!((error(StreamWork::Scan, "one core") - 2.0).abs() < 1e-12);
        assert_eq!(rates.error(StreamWork::Scan, "staged", 20), None);
    }

    #[test]
    fn first_calls_are_stretched_by_those_like_them() {
        let call = |work, elements, measured_s| FirstCallRun {
            work,
            by: "file".to_owned(),
            elements,
            trip_count: 1,
            trips_s: 0.5,
            start_s: 0.5,
            measured_s,
        };
        let with_calls = |first_runs| StreamRates {
            first_runs,
            ..StreamRates::default()
        };
        let stretch =
            |rates: &StreamRates, elements| rates.call_stretch(StreamWork::Sort, "file", elements);
        let close =
            |value: f64, right: f64| assert!((value - right).abs() < 1e-9, "{value} for {right}");
        close(stretch(&with_calls(vec![]), 64), 1.0);
        // One says half of it, beside one that was right; of three times the length it weighs a third.
        let one = with_calls(vec![call(StreamWork::Sort, 64, 4.0)]);
        close(stretch(&one, 64), 2.0);
        close(stretch(&one, 64 * 3), 4.0_f64.powf(0.25));
        close(one.call_stretch(StreamWork::Scan, "file", 64), 1.0);
        close(one.call_stretch(StreamWork::Sort, "staged", 64), 1.0);
        let many = with_calls((0..3).map(|_| call(StreamWork::Sort, 64, 4.0)).collect());
        close(stretch(&many, 64), 4.0_f64.powf(0.75));
        // Each is judged by the others alone.
        assert_eq!(one.first_error(StreamWork::Sort, "file", 64), None);
        let error = |work| many.first_error(work, "file", 64).expect("calls").factor;
        close(error(StreamWork::Sort), 4.0_f64.powf(1.0 / 3.0));
        // What stretches a work that nobody did is not known.
        close(error(StreamWork::Scan), 4.0);
        // A check that was measured with the rates is one, too, and what stretches its trips counts first.
        let check = StreamCheck {
            work: StreamWork::Sort,
            element: ElementType::U32,
            elements: 64,
            by: "file".to_owned(),
            trip_count: 1,
            forecast_s: 1.0,
            measured_s: 2.0,
            first: Some(ForecastAndTime {
                forecast_s: 3.0,
                measured_s: 16.0,
            }),
        };
        let checked = StreamRates {
            checks: vec![check],
            ..StreamRates::default()
        };
        close(stretch(&checked, 64), 2.0);
    }

    #[test]
    fn short_arrays_are_judged_by_short_ones() {
        let check = |elements, measured_s| StreamCheck {
            work: StreamWork::Scan,
            element: ElementType::U32,
            elements,
            by: "staged".to_owned(),
            trip_count: 1,
            forecast_s: 1.0,
            measured_s,
            first: None,
        };
        let rates = StreamRates {
            checks: vec![
                check(1 << 10, 3.0),
                check(1 << 22, 1.1),
                check(1 << 24, 1.0),
            ],
            ..StreamRates::default()
        };
        let error = |elements| {
            rates
                .error(StreamWork::Scan, "staged", elements)
                .expect("checks")
        };
        assert!((error(1 << 9).factor - 3.0).abs() < 1e-12);
        assert!((error(1 << 23).factor - 1.1).abs() < 1e-12);
        assert!((error(1 << 30).factor - 1.1).abs() < 1e-12);
        let near = [1, 1 << 9, 1 << 23, 1 << 29, 1 << 30].map(|it| error(it).is_near);
        assert_eq!(near, [false, true, true, true, false]);
    }
}
