//! How far a model's forecasts are from those of the one before it.

/// A median shift beyond this is news …
const MEDIAN: f64 = 0.05;
/// … and so is a single one beyond this.
const WORST: f64 = 0.25;

/// By how much forecasts of the same workloads moved: 0.25 for a factor of 1.25, or of 1 ÷ 1.25.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// Half of the workloads moved by less.
    pub median: f64,
    /// The most that one moved by.
    pub worst: f64,
    /// Which one that is: its place among the forecasts.
    pub worst_at: usize,
}

impl Moved {
    /// Whether somebody who uses the forecasts would want to know.
    #[must_use]
    pub fn is_news(&self) -> bool {
        self.median > MEDIAN || self.worst > WORST
    }
}

/// How far forecasts of some workloads moved, given in seconds, in one order. Pairs with a forecast
/// at or below 0, or that is no number, are left out; none where none is left.
#[must_use]
pub fn moved(before: &[f64], after: &[f64]) -> Option<Moved> {
    let all = before.iter().zip(after).enumerate();
    let mut shifts: Vec<(f64, usize)> = all
        .map(|(place, (before, after))| ((after / before).ln().abs(), place, *before))
        .filter(|(shift, _, before)| *before > 0.0 && shift.is_finite())
        .map(|(shift, place, _)| (shift.exp_m1().min(f64::MAX), place))
        .collect();
    shifts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let &(median, _) = shifts.get(shifts.len() / 2)?;
    let &(worst, worst_at) = shifts.last()?;
    Some(Moved {
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
        let moved = moved(&[1.0, 1.0, 1.0], &[1.02, 0.5, 0.99]).expect("three");
        assert!((moved.median - 0.02).abs() < 1e-12, "{moved:?}");
        assert!((moved.worst - 1.0).abs() < 1e-12, "{moved:?}");
        assert_eq!(moved.worst_at, 1);
    }

    #[test]
    fn news_is_a_median_beyond_a_twentieth_or_one_beyond_a_quarter() {
        let by = |factors: &[f64]| moved(&[1.0; 3], factors).expect("three");
        assert!(!by(&[1.04, 1.04, 1.2]).is_news());
        assert!(by(&[1.06, 1.06, 1.06]).is_news());
        assert!(by(&[1.0, 1.0, 1.26]).is_news());
        assert!(by(&[1.0, 1.0, 1.0 / 1.26]).is_news());
    }

    #[test]
    fn what_is_no_time_tells_nothing() {
        assert_eq!(moved(&[], &[]), None);
        assert_eq!(moved(&[-1.0, 1.0, 0.0], &[-2.0, -1.0, 1.0]), None);
        assert_eq!(moved(&[f64::NAN], &[1.0]), None);
        let moved = moved(&[-1.0, 1.0], &[-3.0, 1.1]).expect("one");
        assert_eq!(moved.worst_at, 1);
    }
}
