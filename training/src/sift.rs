//! Rows that no fit should learn from: what a fit without their kernels forecasts is absurdly far off.
//!
//! Methods weigh relative errors, so a time that is a thousand times too long hardly moves them, and one that is
//! a thousand times too short counts as a thousand others: what is too short is absurd much earlier. Rows that
//! are merely hard to forecast stay: models are to learn from them.

use std::collections::BTreeSet;

use kerncast_models::{Dataset, FitError, HoldOut};

/// A time that is so many times shorter than its forecast …
const SHORT: f64 = 8.0;
/// … or longer is absurd, …
const LONG: f64 = 1000.0;
/// … where it is so many standard deviations off beside all other rows, too.
const DEVIATIONS: f64 = 10.0;
/// More of the rows than this are no exceptions: then the method is what is wrong, or the rest.
const MOST: f64 = 0.05;

/// The absurd ones among the rows, by their forecasts from fits without their kernels.
pub(crate) fn absurd(dataset: &Dataset, hold_out: &HoldOut) -> BTreeSet<usize> {
    let rows = hold_out.forecasts.iter().zip(dataset.y());
    let logs: Vec<Option<f64>> = rows
        .map(|(forecast, measured)| match forecast {
            Ok(forecast) | Err(FitError::Forecast { forecast }) if *forecast > 0.0 => {
                Some(forecast.ln() - measured.ln())
            }
            _ => None,
        })
        .collect();
    let mut sizes: Vec<f64> = logs.iter().flatten().map(|it| it.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let Some(typical) = sizes.get(sizes.len() / 2) else {
        return BTreeSet::new();
    };
    // Of a normal distribution the median of absolute values is 1 ÷ 1.4826 standard deviations.
    let usual = DEVIATIONS * 1.4826 * typical;
    let (short, long) = (usual.max(SHORT.ln()), usual.max(LONG.ln()));
    let absurd: BTreeSet<usize> = (logs.iter().enumerate())
        .filter(|(_, log)| log.is_some_and(|log| log > short || log < -long))
        .map(|(row, _)| row)
        .collect();
    match absurd.len() as f64 <= MOST * logs.len() as f64 {
        true => absurd,
        false => BTreeSet::new(),
    }
}
