//! Chooses the columns of `ols` and solves for their weights.

use std::sync::Arc;

use linfa::{dataset::DatasetBase, traits::Fit};
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2, Axis, concatenate, s};

use super::{
    super::{
        checked::varying,
        collinear::{independent, r_factor},
    },
    Checked, FitError,
};
use crate::{Coefficient, ColumnRange, DropReason, Dropped, Fitted, Form, Linear};

/// Rows beyond the counters kept that a fit needs.
const SPARE_ROWS: usize = 2;

/// The factor by which leaving out a row can shrink a combination of counters: with leverage h it keeps √(1 − h) of its
/// length or more, at 0.9 about a third.
const LEVERAGE_SHRINKS: f64 = 3.2;

/// A fit, and whether it would stand without a row.
pub(super) struct Solved {
    pub(super) linear: Linear,
    ranges: Vec<ColumnRange>,
    dropped: Vec<Dropped>,
    /// Whether the same counters would be kept without any one row that has a leverage of 0.9 or less.
    pub(super) settled: bool,
}

impl Solved {
    pub(super) fn new(checked: &Checked) -> Result<Self, FitError> {
        let (rows, ranges) = (checked.y.len(), checked.ranges());
        let too_few = |counters: usize| FitError::TooFewRows {
            rows,
            counters,
            needed: counters + SPARE_ROWS,
        };
        if rows <= SPARE_ROWS {
            return Err(too_few(ranges.len()));
        }
        let (varying, mut dropped) = varying(&ranges, rows)?;
        let Scaled {
            z,
            scale,
            y,
            intercept,
        } = Scaled::new(checked, &ranges, &varying)?;
        // R says of the rows all that least squares need.
        let r = r_factor(concatenate![Axis(1), z, y.insert_axis(Axis(1))]);
        let z = r.slice(s![.., ..varying.len()]);
        let independent = independent(z.view());
        // Judged after dropping, so that repeated counters do no harm; it also catches p ≥ n, where
        // the rows' own number, not the counters, makes some columns look dependent.
        if rows < independent.columns.len() + SPARE_ROWS {
            return Err(too_few(varying.len()));
        }
        let z = z.select(Axis(1), &independent.columns);
        let solution = solve(&z, r.column(varying.len()).to_owned())?;

        let coefficient = |(&at, &weight): (&usize, &f64)| Coefficient {
            column: varying[at],
            mean: ranges[varying[at]].mean,
            scale: scale[at],
            weight,
        };
        let coefficients = independent.columns.iter().zip(&solution).map(coefficient);
        let linear = Linear {
            intercept,
            coefficients: coefficients.collect(),
        };
        let collinear = independent.dependent.into_iter().map(|(at, with)| Dropped {
            column: varying[at],
            reason: DropReason::Collinear {
                with: with.into_iter().map(|at| varying[at]).collect(),
            },
        });
        dropped.extend(collinear);
        dropped.sort_by_key(|dropped| dropped.column);
        let spread = |(&column, &scale): (&usize, &f64)| spread_is_clear(&ranges[column], scale);
        Ok(Self {
            settled: rows > z.ncols() + SPARE_ROWS
                && independent.margin > 2.0 * LEVERAGE_SHRINKS
                && varying.iter().zip(&scale).all(spread),
            linear,
            ranges,
            dropped,
        })
    }

    pub(super) fn fitted(self) -> Fitted {
        Fitted {
            ranges: self.ranges,
            dropped: self.dropped,
            form: Form::Linear(self.linear),
        }
    }
}

/// Rows whose columns have mean 0 and variance 1, each times the root of its weight.
struct Scaled {
    /// Counters (n × k).
    z: Array2<f64>,
    /// Standard deviations of the counters (k).
    scale: Array1<f64>,
    /// The response less its mean (n).
    y: Array1<f64>,
    /// The mean of the response.
    intercept: f64,
}

impl Scaled {
    fn new(checked: &Checked, ranges: &[ColumnRange], columns: &[usize]) -> Result<Self, FitError> {
        let Checked { x, y, weights, .. } = checked;
        // Means first: R of the values themselves would lose the digits that large counters share.
        let total = weights.sum();
        let roots = weights.mapv(f64::sqrt);
        let means: Array1<f64> = columns.iter().map(|&column| ranges[column].mean).collect();
        let mut z = (x.select(Axis(1), columns) - means) * roots.view().insert_axis(Axis(1));
        let scale = z.map_axis(Axis(0), |column| (column.dot(&column) / total).sqrt());
        if let Some((at, &scale)) = scale.indexed_iter().find(|(_, scale)| !scale.is_normal()) {
            let column = columns[at];
            return Err(FitError::Spread { column, scale });
        }
        z /= &scale;
        let intercept = y.dot(weights) / total;
        let y = (y - intercept) * roots;
        Ok(Self {
            z,
            scale,
            y,
            intercept,
        })
    }
}

/// Least-squares coefficients (k) of `z` (rows × k) for `y` (rows).
fn solve(z: &Array2<f64>, y: Array1<f64>) -> Result<Array1<f64>, FitError> {
    let fit = LinearRegression::new()
        .with_intercept(false)
        .fit(&DatasetBase::new(z.view(), y))
        .map_err(|error| FitError::Solver(Arc::new(error)))?;
    if fit.params().iter().all(|value| value.is_finite()) {
        Ok(fit.params().to_owned())
    } else {
        Err(FitError::NotFinite)
    }
}

/// Whether a counter's spread could shrink by [`LEVERAGE_SHRINKS`] and still be told from rounding and underflow.
fn spread_is_clear(ranges: &ColumnRange, scale: f64) -> bool {
    let size = f64::max(ranges.min.abs(), ranges.max.abs());
    scale > 1e-10 * size && (1e-100..1e100).contains(&scale)
}
