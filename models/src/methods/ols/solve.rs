use std::sync::Arc;

use linfa::{dataset::DatasetBase, traits::Fit};
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2, Axis};

use super::FitError;
use crate::{
    Coefficient, DropReason, Dropped, Fitted, Form, Linear, Moments, Seen, collinear::independent,
};

/// Rows beyond the counters kept that a fit needs.
const SPARE_ROWS: usize = 2;

/// Without a row of leverage h, a combination of counters keeps √(1 − h) of its length or more: at 0.9
/// about a third.
const LEVERAGE_SHRINKS: f64 = 3.2;

/// A fit, and what it was solved from.
pub(super) struct Solved {
    pub(super) linear: Linear,
    seen: Vec<Seen>,
    dropped: Vec<Dropped>,
    /// Rows that say the same of the k counters kept as all rows' scaled values do ((p + 1) × k).
    pub(super) z: Array2<f64>,
    /// Whether the same counters would be kept without any one row that has a leverage of 0.9 or less.
    pub(super) settled: bool,
}

impl Solved {
    pub(super) fn new(moments: &Moments) -> Result<Self, FitError> {
        let Moments {
            rows,
            weight,
            seen,
            factor,
        } = moments;
        let (response, seen) = seen.split_last().expect("the response is a column");
        let too_few = |counters: usize| FitError::TooFewRows {
            rows: *rows,
            counters,
            needed: counters + SPARE_ROWS,
        };
        if *rows <= SPARE_ROWS {
            return Err(too_few(seen.len()));
        }
        let (constant, varying): (Vec<usize>, Vec<usize>) =
            (0..seen.len()).partition(|&column| seen[column].is_constant());
        if varying.is_empty() {
            return Err(FitError::NothingVaries {
                rows: *rows,
                counters: seen.len(),
            });
        }
        let mut z = factor.r.select(Axis(1), &varying);
        let scale = z.map_axis(Axis(0), |column| (column.dot(&column) / weight).sqrt());
        if let Some((at, &scale)) = scale.indexed_iter().find(|(_, scale)| !scale.is_normal()) {
            return Err(FitError::Spread {
                column: varying[at],
                scale,
            });
        }
        z /= &scale;
        let columns = independent(z.view());
        // Judged after dropping, so that repeated counters do no harm; it also catches p ≥ n, where
        // the rows' own number, not the counters, makes some columns look dependent.
        if *rows < columns.kept.len() + SPARE_ROWS {
            return Err(too_few(varying.len()));
        }
        let z = z.select(Axis(1), &columns.kept);
        let solution = solve(&z, factor.r.column(seen.len()).to_owned())?;

        let coefficient = |(&at, &weight): (&usize, &f64)| Coefficient {
            column: varying[at],
            mean: seen[varying[at]].mean,
            scale: scale[at],
            weight,
        };
        let coefficients = columns.kept.iter().zip(&solution).map(coefficient);
        let linear = Linear {
            intercept: response.mean,
            coefficients: coefficients.collect(),
        };
        let constant = constant.into_iter().map(|column| Dropped {
            column,
            reason: DropReason::Constant,
        });
        let collinear = columns.dependent.into_iter().map(|(at, with)| Dropped {
            column: varying[at],
            reason: DropReason::Collinear {
                with: with.into_iter().map(|at| varying[at]).collect(),
            },
        });
        let mut dropped: Vec<Dropped> = constant.chain(collinear).collect();
        dropped.sort_by_key(|dropped| dropped.column);
        let spread = |(&column, &scale): (&usize, &f64)| spread_is_clear(&seen[column], scale);
        Ok(Self {
            settled: *rows > z.ncols() + SPARE_ROWS
                && columns.margin > 2.0 * LEVERAGE_SHRINKS
                && varying.iter().zip(&scale).all(spread),
            linear,
            seen: seen.to_vec(),
            dropped,
            z,
        })
    }

    pub(super) fn fitted(self) -> Fitted {
        Fitted {
            seen: self.seen,
            dropped: self.dropped,
            form: Form::Linear(self.linear),
        }
    }
}

/// Least-squares coefficients (k) of `z` (rows × k) for `y` (rows).
fn solve(z: &Array2<f64>, y: Array1<f64>) -> Result<Array1<f64>, FitError> {
    let fit = LinearRegression::new()
        .with_intercept(false)
        .fit(&DatasetBase::new(z.view(), y))
        .map_err(|error| FitError::Solver(Arc::new(error)))?;
    match fit.params().iter().all(|value| value.is_finite()) {
        true => Ok(fit.params().to_owned()),
        false => Err(FitError::NotFinite),
    }
}

/// Whether a counter's spread could shrink so and still be told from rounding and underflow.
fn spread_is_clear(seen: &Seen, scale: f64) -> bool {
    let size = f64::max(seen.min.abs(), seen.max.abs());
    scale > 1e-10 * size && (1e-100..1e100).contains(&scale)
}
