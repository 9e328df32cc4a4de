use faer::{Mat, Par, linalg::triangular_solve::solve_lower_triangular_in_place as solve_lower};
use ndarray::{Array1, ArrayView1, ArrayView2, Axis};
use rayon::prelude::*;

use super::{FitError, Solved};
use crate::{Coefficient, Linear, Moments, Rows, collinear::r_factor, summary::without_each};

/// Folds that are merged at a time, so that memory does not grow with their number.
const TOGETHER: usize = 256;

/// Above this leverage a row's own time all but decides its forecast: what is left of the fit without it
/// is worked out from the other rows. There are hardly more such rows than counters, since leverages add
/// up to the counters' number and one.
const HIGH_LEVERAGE: f64 = 0.9;

/// Every row forecast without its fold: single rows by their leverage, others by merging what sums up the
/// other folds.
///
/// Which counters are dropped as collinear is decided in each fold, as refits do; where a counter is so
/// near the tolerance that rounding decides, the two can differ.
pub(super) fn forecasts(rows: &Rows<'_>, folds: &[usize]) -> Option<Vec<Result<f64, FitError>>> {
    let samples = Samples::new(rows)?;
    let count = folds.iter().max().map_or(0, |last| last + 1);
    let mut members = vec![Vec::new(); count];
    for (row, &fold) in folds.iter().enumerate() {
        members[fold].push(row);
    }
    let single = count == folds.len();
    let mut forecasts = match single {
        true => {
            let mut all = by_leverage(&samples);
            all.truncate(folds.len());
            all
        }
        false => vec![None; folds.len()],
    };
    let open: Vec<&Vec<usize>> = members
        .iter()
        .filter(|rows| rows.iter().any(|&row| forecasts[row].is_none()))
        .collect();
    for together in open.chunks(TOGETHER) {
        for (rows, fit) in together.iter().zip(fits_without(&samples, together)) {
            for &row in *rows {
                let forecast = |fit: &Linear| fit.predict(samples.x.row(row));
                forecasts[row] = Some(fit.as_ref().map(forecast).map_err(Clone::clone));
            }
        }
    }
    forecasts.into_iter().collect()
}

/// Counters (n × p) and response (n), as they are: a copy would cost as much as half of the rest.
struct Samples<'a> {
    x: ArrayView2<'a, f64>,
    y: ArrayView1<'a, f64>,
    ones: Array1<f64>,
}

impl<'a> Samples<'a> {
    /// None where rows are weighted, or refits would say of each fold what is wrong with its numbers.
    fn new(rows: &Rows<'a>) -> Option<Self> {
        let Rows { x, y, weights, .. } = *rows;
        let sound = weights.is_none()
            && x.nrows() == y.len()
            && x.rows().into_iter().all(is_finite)
            && is_finite(y);
        let ones = Array1::ones(y.len());
        sound.then_some(Self { x, y, ones })
    }

    fn moments(&self, rows: &[usize]) -> Moments {
        Moments::of(self.x, self.y, self.ones.view(), rows)
    }
}

/// Looks at all values, since stopping at the first would be slower.
fn is_finite(values: ArrayView1<'_, f64>) -> bool {
    values.fold(true, |finite, value| finite & value.is_finite())
}

/// For each of the folds, given by its rows, the fit to all other rows.
fn fits_without(samples: &Samples<'_>, folds: &[&Vec<usize>]) -> Vec<Result<Linear, FitError>> {
    let mut others = vec![true; samples.y.len()];
    for &row in folds.iter().copied().flatten() {
        others[row] = false;
    }
    let others: Vec<usize> = (0..others.len()).filter(|&row| others[row]).collect();
    // Nearly all time goes there.
    let parts = folds.par_iter().map(|rows| samples.moments(rows));
    let parts: Vec<Moments> = parts.collect();
    without_each(&parts, &samples.moments(&others))
        .iter()
        .map(|moments| Solved::new(moments).map(|solved| solved.linear))
        .collect()
}

/// Each row (n) forecast without itself, where a fit to all rows says what that is: with leverage h and
/// error e the forecast moves by e · h ÷ (1 − h) (Allen, "The relationship between variable selection
/// and data augmentation and a method for prediction", 1974).
fn by_leverage(samples: &Samples<'_>) -> Vec<Option<Result<f64, FitError>>> {
    let Samples { x, y, .. } = samples;
    let rows: Vec<usize> = (0..y.len()).collect();
    let solved = Solved::new(&samples.moments(&rows));
    let Some(Solved { linear, z, .. }) = solved.ok().filter(|solved| solved.settled) else {
        return vec![None; y.len()];
    };
    let without = |(row, leverage): (usize, f64)| {
        let forecast = linear.predict(x.row(row));
        let moved = (y[row] - forecast) * leverage / (1.0 - leverage);
        (leverage <= HIGH_LEVERAGE).then(|| Ok(forecast - moved))
    };
    let leverages = leverages(&linear, z.view(), *x);
    leverages.into_iter().enumerate().map(without).collect()
}

/// How much each row's own time (n) counts in its forecast, from 1/n to 1. Rows of `z` sum the scaled
/// counters of all rows up.
fn leverages(linear: &Linear, z: ArrayView2<'_, f64>, x: ArrayView2<'_, f64>) -> Vec<f64> {
    let n = x.nrows() as f64;
    let r = r_factor(z);
    let mut leverages = Vec::with_capacity(x.nrows());
    for rows in x.axis_chunks_iter(Axis(0), 1024) {
        let mut scaled = Mat::from_fn(linear.coefficients.len(), rows.nrows(), |at, row| {
            let Coefficient {
                column,
                mean,
                scale,
                ..
            } = linear.coefficients[at];
            (rows[(row, column)] - mean) / scale
        });
        solve_lower(r.transpose(), scaled.as_mut(), Par::Seq);
        leverages.extend(scaled.col_iter().map(|row| 1.0 / n + row.squared_norm_l2()));
    }
    leverages
}
