//! Solves linear systems by Cholesky factorisation, in blocks.

use linfa_linalg::{
    cholesky::CholeskyInplace,
    triangular::{SolveTriangularInplace, UPLO},
};
use ndarray::{Array1, Array2, Axis, s};

/// Number of columns that are factored at a time: nearly all that is left are products of matrices then, which are
/// fast.
const BLOCK: usize = 64;

/// Solves A·x = b for x (n), with a symmetric A (n × n); none where A is not positive definite.
pub(super) fn solve(mut a: Array2<f64>, b: Array1<f64>) -> Option<Array1<f64>> {
    let n = a.nrows();
    for start in (0..n).step_by(BLOCK) {
        let end = (start + BLOCK).min(n);
        let (mut head, mut rest) = a.view_mut().split_at(Axis(0), end);
        let mut block = head.slice_mut(s![start.., start..end]);
        block.cholesky_inplace_dirty().ok()?;
        let mut below = rest.slice_mut(s![.., start..end]).reversed_axes();
        block
            .solve_triangular_inplace(&mut below, UPLO::Lower)
            .ok()?;
        let product = below.t().dot(&below);
        let mut right = rest.slice_mut(s![.., end..]);
        right -= &product;
    }
    let mut x = b.insert_axis(Axis(1));
    a.solve_triangular_inplace(&mut x, UPLO::Lower).ok()?;
    a.t().solve_triangular_inplace(&mut x, UPLO::Upper).ok()?;
    Some(x.remove_axis(Axis(1)))
}
