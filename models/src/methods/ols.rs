use std::sync::Arc;

use linfa::{dataset::DatasetBase, traits::Fit};
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2, Axis, concatenate};

use super::{FitError, Method, checked::Checked};
use crate::{
    Coefficient, DropReason, Dropped, Fitted, Form, Linear, Scaler, Seen, Training,
    collinear::independent,
};

/// The paper's method: T = a0 + Σ ai·pi by ordinary least squares, each counter pi scaled to mean 0 and
/// variance 1 over the rows fitted (Shimada, Endo, Maruyama, Matsuoka 2010).
///
/// Around the solver stand guards, since it answers without a word where there is no answer. Constant
/// counters, and counters that combine earlier ones, are dropped with the reason. A fit that would pass
/// through every row, for want of rows, is refused: it needs two rows more than it keeps counters, one
/// for the intercept and one to be off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrdinaryLeastSquares;

/// Rows beyond the counters kept that a fit needs.
const SPARE_ROWS: usize = 2;

impl Method for OrdinaryLeastSquares {
    fn name(&self) -> &'static str {
        "ols"
    }

    fn fit(&self, training: &Training<'_>) -> Result<Fitted, FitError> {
        let Checked { x, y, weights } = Checked::new(training)?;
        let rows = x.nrows();
        let too_few = |counters: usize| FitError::TooFewRows {
            rows,
            counters,
            needed: counters + SPARE_ROWS,
        };
        if rows <= SPARE_ROWS {
            return Err(too_few(x.ncols()));
        }
        let seen = Seen::learn(x.view(), weights.view());
        let (constant, varying): (Vec<usize>, Vec<usize>) =
            (0..x.ncols()).partition(|&column| seen[column].is_constant());
        if varying.is_empty() {
            let counters = x.ncols();
            return Err(FitError::NothingVaries { rows, counters });
        }
        let varying_x = x.select(Axis(1), &varying);
        let scaler = Scaler::learn(varying_x.view(), weights.view());
        if let Some((at, &scale)) = scaler.scale.indexed_iter().find(|(_, s)| !s.is_normal()) {
            let column = varying[at];
            return Err(FitError::Spread { column, scale });
        }
        // Least squares with weights is least squares on rows times √w.
        let root = weights.mapv(f64::sqrt);
        let z = scaler.transform(varying_x.view()) * root.view().insert_axis(Axis(1));
        let columns = independent(z.view());
        // Judged after dropping, so that repeated counters do no harm; it also catches p ≥ n, where
        // the rows' own number, not the counters, makes some columns look dependent.
        if rows < columns.kept.len() + SPARE_ROWS {
            return Err(too_few(varying.len()));
        }
        let (intercept, solution) = solve(z.select(Axis(1), &columns.kept), y * &root, root)?;

        let coefficient = |(&at, &weight): (&usize, &f64)| Coefficient {
            column: varying[at],
            mean: scaler.mean[at],
            scale: scaler.scale[at],
            weight,
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
        let coefficients = columns.kept.iter().zip(&solution).map(coefficient);
        Ok(Fitted {
            seen,
            dropped,
            form: Form::Linear(Linear {
                intercept,
                coefficients: coefficients.collect(),
            }),
        })
    }
}

/// Intercept and coefficients of `z` (n × k), where `ones` (n) is the intercept's column.
fn solve(z: Array2<f64>, y: Array1<f64>, ones: Array1<f64>) -> Result<(f64, Vec<f64>), FitError> {
    let k = z.ncols();
    let ones = ones.insert_axis(Axis(1));
    let design = concatenate(Axis(1), &[z.view(), ones.view()]).expect("equally many rows");
    let fit = LinearRegression::new()
        .with_intercept(false)
        .fit(&DatasetBase::new(design, y))
        .map_err(|error| FitError::Solver(Arc::new(error)))?;
    if fit.params().iter().any(|value| !value.is_finite()) {
        return Err(FitError::NotFinite);
    }
    let mut solution = fit.params().to_vec();
    let intercept = solution.remove(k);
    Ok((intercept, solution))
}
