use ndarray::{Array1, Array2, ArrayView2};

use super::{AcrossError, folds::weights, non_negative::non_negative};

/// Non-negative least squares on relative error, kernels counted once each: minimises
/// Σ w (Σ c·v ÷ y − 1)² over c ≥ 0, with w one over the rows of the row's kernel. Squares of ratios
/// punish a forecast that is too long more than one that is too short, as APE does.
pub(super) fn relative(
    values: ArrayView2<'_, f64>,
    y: &[f64],
    kernels: &[usize],
) -> Result<Vec<f64>, AcrossError> {
    let roots: Array1<f64> = weights(kernels)
        .iter()
        .map(|weight| weight.sqrt())
        .collect();
    let ratio = |(i, k): (usize, usize)| roots[i] * (values[(i, k)] / y[i]);
    let ratios = Array2::from_shape_fn(values.dim(), ratio);
    let costs = non_negative(&ratios.t().dot(&ratios), &ratios.t().dot(&roots));
    if costs.iter().all(|cost| cost.is_finite()) {
        Ok(costs)
    } else {
        Err(AcrossError::NotFinite)
    }
}
