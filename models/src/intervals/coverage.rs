//! How many measured times lie within their intervals.

use kerncast_wire::{Coverage, Warning};

use super::{Calibration, Interval, ranked::Ranked};
use crate::{
    Dataset, FitError, HoldOut,
    averages::{mean, middle_median},
    folds::fold_count,
};

/// Puts an interval around every held-out forecast, from the errors of the other folds alone, and counts which measured
/// times lie within.
///
/// The other folds' errors are of fits that had seen this fold, as in the jackknife+ (Barber, Candès, Ramdas,
/// Tibshirani, "Predictive inference with the jackknife+", 2021), not of fits without both, which would cost a fit for
/// each pair of folds. One fold among many moves the others' errors little.
///
/// # Errors
/// The [`Warning`] of the first row, where no row has an interval.
///
/// # Panics
/// Where `hold_out` was made from a dataset with another number of rows.
pub fn coverage(dataset: &Dataset, hold_out: &HoldOut, level: f64) -> Result<Coverage, Warning> {
    let folds = dataset.folds(hold_out.key);
    let calibration = Calibration::new(dataset, hold_out);
    let ranked = Ranked::new(&calibration.scores);
    // No better without a fold than with all.
    ranked.bound(level, None)?;
    let factors: Vec<Result<f64, Warning>> = (0..calibration.scores.len())
        .map(|fold| ranked.bound(level, Some(fold)).map(f64::exp))
        .collect();
    let interval =
        |(&fold, (forecast, expected_error)): (&usize, (&Result<f64, FitError>, &f64))| {
            // Where there is no forecast, there is no time.
            let forecast = forecast.as_ref().map_or(f64::NAN, |it| *it);
            Interval::new(
                forecast,
                factors[fold].clone()?.powf(*expected_error),
                level,
            )
        };
    let rows = hold_out.forecasts.iter().zip(&hold_out.expected_errors);
    let intervals: Vec<_> = folds.iter().zip(rows).map(interval).collect();
    within(dataset, hold_out, level, &intervals)
}

/// Coverage of rows whose intervals come from another hold-out.
///
/// # Errors
/// The [`Warning`] of the first row, where no row has an interval.
///
/// # Panics
/// Where `hold_out` was made from a dataset with another number of rows.
pub fn coverage_by(
    calibration: &Calibration,
    dataset: &Dataset,
    hold_out: &HoldOut,
    level: f64,
) -> Result<Coverage, Warning> {
    let factor = calibration.factor(level);
    let interval = |(forecast, expected_error): (&Result<f64, FitError>, &f64)| {
        let forecast = forecast.as_ref().map_or(f64::NAN, |it| *it);
        Interval::new(forecast, factor.clone()?.powf(*expected_error), level)
    };
    let rows = hold_out.forecasts.iter().zip(&hold_out.expected_errors);
    let intervals: Vec<_> = rows.map(interval).collect();
    within(dataset, hold_out, level, &intervals)
}

/// Counts the measured times within their intervals.
fn within(
    dataset: &Dataset,
    hold_out: &HoldOut,
    level: f64,
    intervals: &[Result<Interval, Warning>],
) -> Result<Coverage, Warning> {
    if intervals.iter().all(Result::is_err) {
        let first = intervals.first().and_then(|it| it.as_ref().err());
        return Err(first.cloned().unwrap_or(Warning::NothingForecast));
    }

    let folds = dataset.folds(hold_out.key);
    let mut widths = Vec::new();
    let mut hits = vec![Vec::new(); fold_count(&folds)];
    for ((interval, &fold), &measured) in intervals.iter().zip(&folds).zip(dataset.y()) {
        if let Ok(Interval { low, high, .. }) = interval {
            widths.push((high / low).sqrt());
            hits[fold].push(f64::from(*low <= measured && measured <= *high));
        }
    }
    widths.sort_by(f64::total_cmp);
    let of_folds: Vec<f64> = hits.iter().filter_map(|fold| mean(fold)).collect();
    let counted = "at least one row has an interval";
    Ok(Coverage {
        level,
        covered: mean(&of_folds).expect(counted),
        covered_rows: mean(&hits.concat()).expect(counted),
        typical_factor: middle_median(&widths).expect(counted),
        n: widths.len(),
        without: intervals.len() - widths.len(),
    })
}
