use ndarray::{Array1, Array2};

use crate::non_negative::non_negative as solve;

/// Relative to a column's own length: keeps proportional columns solvable, and moves nothing that counts.
const RIDGE: f64 = 1e-8;

/// The b ≥ 0 that minimises bᵀGb ÷ 2 − bᵀr, for a Gram matrix G (k × k) and r (k), on columns scaled to
/// length 1. A column of zeros gets 0.
pub(super) fn non_negative(gram: &Array2<f64>, target: &Array1<f64>) -> Vec<f64> {
    let k = target.len();
    let scale: Vec<f64> = (0..k).map(|i| gram[(i, i)].sqrt()).collect();
    let usable = |i: usize| scale[i].is_normal();
    let scaled = Array2::from_shape_fn((k, k), |(i, j)| match (usable(i), usable(j)) {
        (true, true) if i == j => 1.0 + RIDGE,
        (true, true) => gram[(i, j)] / scale[i] / scale[j],
        _ => 0.0,
    });
    let share = |i: usize, value: f64| if usable(i) { value / scale[i] } else { 0.0 };
    let aim: Array1<f64> = (0..k).map(|i| share(i, target[i])).collect();
    let solution = solve(&scaled, &aim, &vec![false; k]);
    (0..k).map(|i| share(i, solution[i])).collect()
}
