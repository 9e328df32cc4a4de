//! The shift of a model's forecasts from those of its predecessor.

/// A median shift beyond this share is news …
const NEWS_MEDIAN: f64 = 0.05;
/// … and so is a shift of a single workload beyond this share.
const NEWS_WORST: f64 = 0.25;

/// The change of forecasts of the same workloads: 0.25 for a factor of 1.25, or of 1 ÷ 1.25.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// The upper median over the workloads.
    pub median: f64,
    /// The largest change.
    pub worst: f64,
    /// The place of the workload with the largest change among the forecasts.
    pub worst_at: usize,
}

impl Shift {
    /// Whether somebody who uses the forecasts would want to know.
    #[must_use]
    pub fn is_news(&self) -> bool {
        self.median > NEWS_MEDIAN || self.worst > NEWS_WORST
    }
}

/// The change of forecasts of some workloads (seconds, in the same order). Pairs with a forecast at or below 0 or not
/// finite are left out; none where no pair is left.
#[must_use]
pub fn forecast_shift(before: &[f64], after: &[f64]) -> Option<Shift> {
    let all = before.iter().zip(after).enumerate();
    let mut shifts: Vec<(f64, usize)> = all
        .map(|(place, (before, after))| ((after / before).ln().abs(), place, *before))
        .filter(|(shift, _, before)| *before > 0.0 && shift.is_finite())
        .map(|(shift, place, _)| (shift.exp_m1().min(f64::MAX), place))
        .collect();
    shifts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let &(median, _) = shifts.get(shifts.len() / 2)?;
    let &(worst, worst_at) = shifts.last()?;
    Some(Shift {
        median,
        worst,
        worst_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_are_factors_up_or_down() {
        let shift = forecast_shift(&[1.0, 1.0, 1.0], &[1.02, 0.5, 0.99]).expect("three");
        assert!((shift.median - 0.02).abs() < 1e-12, "{shift:?}");
        assert!((shift.worst - 1.0).abs() < 1e-12, "{shift:?}");
        assert_eq!(shift.worst_at, 1);
    }

    #[test]
    fn news_is_a_median_beyond_a_twentieth_or_one_beyond_a_quarter() {
        let by = |factors: &[f64]| forecast_shift(&[1.0; 3], factors).expect("three");
        assert!(!by(&[1.04, 1.04, 1.2]).is_news());
        assert!(by(&[1.06, 1.06, 1.06]).is_news());
        assert!(by(&[1.0, 1.0, 1.26]).is_news());
        assert!(by(&[1.0, 1.0, 1.0 / 1.26]).is_news());
    }

    #[test]
    fn what_is_no_time_tells_nothing() {
        assert_eq!(forecast_shift(&[], &[]), None);
        assert_eq!(forecast_shift(&[-1.0, 1.0, 0.0], &[-2.0, -1.0, 1.0]), None);
        assert_eq!(forecast_shift(&[f64::NAN], &[1.0]), None);
        let shift = forecast_shift(&[-1.0, 1.0], &[-3.0, 1.1]).expect("one");
        assert_eq!(shift.worst_at, 1);
    }
}
