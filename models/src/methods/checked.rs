use ndarray::{Array1, Array2, Axis};

use super::FitError;
use crate::Training;

/// The rows that a fit learns from: checked, those of weight 0 left out.
pub(super) struct Checked {
    /// Raw counter values (n × p).
    pub(super) x: Array2<f64>,
    /// Response (n).
    pub(super) y: Array1<f64>,
    /// Weights (n), all above 0.
    pub(super) weights: Array1<f64>,
}

impl Checked {
    /// Checks shapes and that every number is finite: solvers turn one NaN into a fit of NaN.
    pub(super) fn new(training: &Training<'_>) -> Result<Self, FitError> {
        let Training { x, y, kernels, .. } = training;
        let rows = x.nrows();
        let weights = training
            .weights
            .map_or_else(|| Array1::ones(rows), |w| w.to_owned());
        for (field, found) in [
            ("response", y.len()),
            ("list of weights", weights.len()),
            ("list of kernels", kernels.len()),
        ] {
            if found != rows {
                return Err(FitError::Shape { field, found, rows });
            }
        }
        if let Some(((row, column), &value)) = x.indexed_iter().find(|(_, v)| !v.is_finite()) {
            return Err(FitError::Counter { row, column, value });
        }
        if let Some((row, &value)) = y.indexed_iter().find(|(_, v)| !v.is_finite()) {
            return Err(FitError::Response { row, value });
        }
        let impossible = |w: f64| !w.is_finite() || w < 0.0;
        if let Some((row, &value)) = weights.indexed_iter().find(|&(_, &w)| impossible(w)) {
            return Err(FitError::Weight { row, value });
        }
        let counted: Vec<usize> = (0..rows).filter(|&row| weights[row] > 0.0).collect();
        Ok(Self {
            x: x.select(Axis(0), &counted),
            y: y.select(Axis(0), &counted),
            weights: weights.select(Axis(0), &counted),
        })
    }
}
