//! Fits [`Costs`], by least squares on relative errors.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

use super::super::{FitError, checked::Checked};
use crate::{
    fitted::across::{Costs, Roles},
    non_negative::non_negative,
};

impl Costs {
    /// Fits every possible term to `times` (n) of the rows, on either device. Nothing is chosen: costs that can't be
    /// below 0 leave out by themselves what does not help.
    pub(super) fn fit(
        roles: &Roles,
        rows: &Checked,
        times: ArrayView1<'_, f64>,
    ) -> Result<Self, FitError> {
        let terms = roles.terms();
        let value = |(row, term): (usize, usize)| terms[term].value(roles, rows.x.row(row));
        let values = Array2::from_shape_fn((rows.y.len(), terms.len()), value);
        let seconds = relative(values.view(), times, &rows.shares())?;
        Ok(Self {
            roles: roles.clone(),
            terms,
            seconds,
        })
    }
}

/// Strength of the ridge, relative to a column's own length: keeps proportional columns solvable, and moves nothing
/// that counts.
const RIDGE: f64 = 1e-8;

/// Non-negative least squares on relative error: minimises Σ w (Σ c·v ÷ y − 1)² over c ≥ 0, with values v
/// (n × k), times y (n) and weights w (n). Squares of ratios punish a forecast that is too long more than one
/// that is too short, as APE does. A column of zeros gets 0.
pub(super) fn relative(
    values: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    weights: &[f64],
) -> Result<Vec<f64>, FitError> {
    let roots: Array1<f64> = weights.iter().map(|weight| weight.sqrt()).collect();
    let ratio = |(i, k): (usize, usize)| roots[i] * (values[(i, k)] / y[i]);
    let ratios = Array2::from_shape_fn(values.dim(), ratio);
    let (gram, target) = (ratios.t().dot(&ratios), ratios.t().dot(&roots));
    // Columns are scaled to length 1.
    let k = target.len();
    let lengths: Vec<f64> = (0..k).map(|i| gram[(i, i)].sqrt()).collect();
    let usable = |i: usize| lengths[i].is_normal();
    let scaled = Array2::from_shape_fn((k, k), |(i, j)| match (usable(i), usable(j)) {
        (true, true) if i == j => 1.0 + RIDGE,
        (true, true) => gram[(i, j)] / lengths[i] / lengths[j],
        _ => 0.0,
    });
    let by_length = |i: usize, value: f64| if usable(i) { value / lengths[i] } else { 0.0 };
    let aim: Array1<f64> = (0..k).map(|i| by_length(i, target[i])).collect();
    let solution = non_negative(&scaled, &aim, &vec![false; k]);
    let costs: Vec<f64> = (0..k).map(|i| by_length(i, solution[i])).collect();
    if costs.iter().all(|cost| cost.is_finite()) {
        Ok(costs)
    } else {
        Err(FitError::NotFinite)
    }
}
