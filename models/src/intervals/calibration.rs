//! Intervals of any level, from the errors of forecasts of what was left out.

use kerncast_wire::Warning;

use super::ranked::Ranked;
use crate::{Dataset, HoldOut, folds::fold_count};

/// Errors of held-out forecasts, from which the interval of any level comes. The scores are all there is to it: stored
/// and read back, they give the same intervals.
///
/// The interval of a forecast f with expected error d is f ÷ q^d … f · q^d, where ln q is the quantile of the scores.
/// Times span decades, so errors are ratios, also those of methods that fit differences. Divided by the fit's expected
/// error of each row, they are alike where rows are not, and intervals are as wide as the row is hard: normalised
/// scores (Papadopoulos, Gammerman, Vovk, "Normalized nonconformity measures for regression conformal prediction",
/// 2008).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(from = "crate::json::Scores", into = "crate::json::Scores")]
pub struct Calibration {
    /// |ln(forecast ÷ measured)| ÷ expected error of the rows of each fold of the hold-out, ascending. Infinite where no
    /// forecast above 0 was made, which is as far off as can be.
    pub scores: Vec<Vec<f64>>,
}

/// The interval that contains the time with probability `level`, seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The probability that was asked for: 0.9 is 90 %.
    pub level: f64,
    /// Its lower end, above 0.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Calibration {
    /// Calibration by a `hold_out` of `dataset`. Its key says for what the intervals hold: those of single rows are far
    /// too narrow for unseen kernels.
    ///
    /// # Panics
    /// Where `hold_out` was made from a dataset with another number of rows.
    #[must_use]
    pub fn new(dataset: &Dataset, hold_out: &HoldOut) -> Self {
        let folds = dataset.folds(hold_out.key);
        assert_eq!(folds.len(), hold_out.forecasts.len(), "rows");
        let mut scores = vec![Vec::new(); fold_count(&folds)];
        let rows = hold_out.forecasts.iter().zip(&hold_out.expected_errors);
        for ((fold, (forecast, expected_error)), measured) in
            folds.iter().zip(rows).zip(dataset.y())
        {
            scores[*fold].push(score(forecast.as_ref().ok().copied(), *measured) / expected_error);
        }
        scores
            .iter_mut()
            .for_each(|fold| fold.sort_by(f64::total_cmp));
        Self { scores }
    }

    /// The factor q between a forecast of expected error 1 and either end of its interval, 1 or more.
    ///
    /// # Errors
    /// A [`Warning`] where the folds are too few or too far off.
    pub fn factor(&self, level: f64) -> Result<f64, Warning> {
        Ranked::new(&self.scores).bound(level, None).map(f64::exp)
    }

    /// The interval of a forecast (seconds) of a kernel that is in no fold. `expected_error`: the fit's
    /// [expected error](crate::Fitted::expected_error) of it.
    ///
    /// # Errors
    /// A [`Warning`] where the folds are too few or too far off, or `forecast` is no time.
    pub fn interval(
        &self,
        forecast: f64,
        expected_error: f64,
        level: f64,
    ) -> Result<Interval, Warning> {
        Interval::new(forecast, self.factor(level)?.powf(expected_error), level)
    }
}

impl Interval {
    pub(super) fn new(forecast: f64, factor: f64, level: f64) -> Result<Self, Warning> {
        if !(forecast > 0.0 && forecast.is_finite()) {
            return Err(Warning::NothingToBound { time_s: forecast });
        }
        Ok(Self {
            level,
            low: forecast / factor,
            high: forecast * factor,
        })
    }
}

/// |ln(forecast ÷ measured)|.
fn score(forecast: Option<f64>, measured: f64) -> f64 {
    match forecast {
        Some(forecast) if forecast > 0.0 => (forecast / measured).ln().abs(),
        _ => f64::INFINITY,
    }
}
