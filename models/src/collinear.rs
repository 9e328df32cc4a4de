//! Which columns repeat what earlier ones say, and how near the rest come to that.

use faer::{
    Mat, MatRef, Par, linalg::triangular_solve::solve_upper_triangular_in_place as solve_upper,
};
use ndarray::ArrayView2;

/// A column is dependent where less than this share of its length is left after the columns before it
/// are taken out. The rule is that of R's `lm` (LINPACK's `dqrdc2`), the number that of scikit-learn's
/// `LinearRegression`: rounding leaves about 1e-15, and no time is known well enough to say what a
/// millionth of a counter costs.
const TOLERANCE: f64 = 1e-6;

/// Shares of a combination below this part of the largest one are not named.
const NEGLIGIBLE: f64 = 1e-4;

/// Columns to keep, and columns to drop with those that they combine.
pub(crate) struct Independent {
    /// Columns of which none combines others, in their order.
    pub(crate) kept: Vec<usize>,
    /// (column, the kept columns it combines).
    pub(crate) dependent: Vec<(usize, Vec<usize>)>,
    /// How many times more or less than the tolerance is left of the column that is nearest to it.
    pub(crate) margin: f64,
}

/// Sorts the columns of `z` (n × p, centred, no column 0) into independent and dependent ones.
///
/// Earlier columns win, so that the caller's order is its preference and the outcome does not hang on
/// rounding. A column-pivoted QR would pick by length instead, and scaled columns all have the same.
/// QR without pivoting gives the wanted rule: |R_jj| is what is left of column j after the columns
/// before it. It is only true up to the first dependent column, so that one leaves, and what remains
/// of R is factored again; the n rows are factored once.
pub(crate) fn independent(z: ArrayView2<'_, f64>) -> Independent {
    let mut kept: Vec<usize> = (0..z.ncols()).collect();
    let mut dependent = Vec::new();
    let mut margin = f64::INFINITY;
    let mut r = r_factor(z);
    while let Some(first) = first_dependent(r.as_ref()) {
        margin = margin.min(TOLERANCE / left(r.as_ref(), first));
        let with = combination(r.as_ref(), first);
        dependent.push((kept[first], with.iter().map(|&at| kept[at]).collect()));
        kept.remove(first);
        let without = Mat::from_fn(r.nrows(), kept.len(), |row, column| {
            r[(row, column + usize::from(column >= first))]
        });
        r = without.qr().thin_R().to_owned();
    }
    let kept_margin = |at| left(r.as_ref(), at) / TOLERANCE;
    margin = (0..kept.len()).map(kept_margin).fold(margin, f64::min);
    Independent {
        kept,
        dependent,
        margin,
    }
}

/// Largest over smallest singular value of `z` (n × p, p ≤ n): how much a relative error of the
/// counters can grow in the coefficients. Infinite where the columns are dependent.
pub(crate) fn condition_number(z: ArrayView2<'_, f64>) -> f64 {
    // R has the singular values of z. An iteration that fails to converge tells no good news.
    match r_factor(z).singular_values().as_deref() {
        Ok([largest, .., smallest]) => largest / smallest,
        Ok([_]) => 1.0,
        Ok([]) | Err(_) => f64::INFINITY,
    }
}

/// R of z = QR, min(n, p) × p.
pub(crate) fn r_factor(z: ArrayView2<'_, f64>) -> Mat<f64> {
    let z = Mat::from_fn(z.nrows(), z.ncols(), |row, column| z[(row, column)]);
    z.qr().thin_R().to_owned()
}

fn first_dependent(r: MatRef<'_, f64>) -> Option<usize> {
    (0..r.ncols()).find(|&j| left(r, j) <= TOLERANCE)
}

/// What share of column j's length is left after the columns before it are taken out.
fn left(r: MatRef<'_, f64>, j: usize) -> f64 {
    let length = r.col(j).norm_l2();
    match j < r.nrows() && length > 0.0 {
        true => r[(j, j)].abs() / length,
        false => 0.0,
    }
}

/// The columns before `column` whose combination it is.
fn combination(r: MatRef<'_, f64>, column: usize) -> Vec<usize> {
    let mut share = r.submatrix(0, column, column, 1).to_owned();
    solve_upper(r.submatrix(0, 0, column, column), share.as_mut(), Par::Seq);
    let largest = share.norm_max();
    (0..column)
        .filter(|&j| share[(j, 0)].abs() > NEGLIGIBLE * largest)
        .collect()
}
