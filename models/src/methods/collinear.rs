//! Which columns repeat what earlier ones say, and how near the rest come to that.

use linfa_linalg::{
    qr::QRInto,
    triangular::{SolveTriangularInplace, UPLO},
};
use ndarray::{Array2, ArrayView2, Axis, concatenate, s};

/// A column is dependent where less than this share of its length is left after the columns before it
/// are taken out. The rule is that of R's `lm` (LINPACK's `dqrdc2`), the number that of scikit-learn's
/// `LinearRegression`: rounding leaves about 1e-15, and no time is known well enough to say what a
/// millionth of a counter costs.
const TOLERANCE: f64 = 1e-6;

/// Shares of a combination below this part of the largest one are not named.
const NEGLIGIBLE: f64 = 1e-4;

/// Independent columns, and columns that depend on them.
pub(crate) struct Independent {
    /// Columns of which none is a combination of others, ascending.
    pub(crate) columns: Vec<usize>,
    /// (column, the independent columns whose combination it is).
    pub(crate) dependent: Vec<(usize, Vec<usize>)>,
    /// Factor, 1 or more, between the tolerance and the share that is left of the column nearest to it.
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
    let mut columns: Vec<usize> = (0..z.ncols()).collect();
    let mut dependent = Vec::new();
    let mut margin = f64::INFINITY;
    let mut r = r_factor(z.to_owned());
    while let Some(first) = first_dependent(&r) {
        margin = margin.min(TOLERANCE / independent_share(&r, first));
        let with = combination(&r, first);
        dependent.push((columns[first], with.iter().map(|&at| columns[at]).collect()));
        columns.remove(first);
        let others: Vec<usize> = (0..r.ncols()).filter(|at| *at != first).collect();
        r = r_factor(r.select(Axis(1), &others));
    }
    let own_margin = |at| independent_share(&r, at) / TOLERANCE;
    margin = (0..columns.len()).map(own_margin).fold(margin, f64::min);
    Independent {
        columns,
        dependent,
        margin,
    }
}

/// Largest over smallest singular value of `z` (n × p, p ≤ n): how much a relative error of the
/// counters can grow in the coefficients. Infinite where the columns are dependent.
pub(crate) fn condition_number(z: Array2<f64>) -> f64 {
    let values = singular_values(r_factor(z));
    let largest = values.iter().copied().fold(0.0, f64::max);
    largest / values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Singular values of a square matrix R, which are those of QR: pairs of columns are rotated until all are orthogonal;
/// their lengths are then the singular values (Hestenes, "Inversion of matrices by biorthogonalization and related
/// results", 1958).
fn singular_values(mut a: Array2<f64>) -> Vec<f64> {
    const ROUNDING: f64 = 1e-15;
    /// The most sweeps, far more than needed.
    const SWEEPS: usize = 50;
    for _ in 0..SWEEPS {
        let mut turned = false;
        for (i, j) in (1..a.ncols()).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let (one, other) = (a.column(i).to_owned(), a.column(j).to_owned());
            let (square, other_square) = (one.dot(&one), other.dot(&other));
            let product = one.dot(&other);
            if product.abs() > ROUNDING * (square * other_square).sqrt() {
                turned = true;
                let cotangent = (other_square - square) / (2.0 * product);
                let tangent = cotangent.signum() / (cotangent.abs() + cotangent.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                a.column_mut(i)
                    .assign(&((&one - tangent * &other) * cosine));
                a.column_mut(j)
                    .assign(&((&other + tangent * &one) * cosine));
            }
        }
        if !turned {
            break;
        }
    }
    a.columns()
        .into_iter()
        .map(|it| it.dot(&it).sqrt())
        .collect()
}

/// R of z = QR (p × p). If z has fewer rows than columns, zeros are appended.
pub(super) fn r_factor(z: Array2<f64>) -> Array2<f64> {
    let lacking = Array2::zeros((z.ncols().saturating_sub(z.nrows()), z.ncols()));
    let tall = concatenate![Axis(0), z, lacking];
    tall.qr_into().expect("as many rows as columns").into_r()
}

fn first_dependent(r: &Array2<f64>) -> Option<usize> {
    (0..r.ncols()).find(|&j| independent_share(r, j) <= TOLERANCE)
}

/// The share of column j's length that is independent of the columns before it.
fn independent_share(r: &Array2<f64>, j: usize) -> f64 {
    let length = r.column(j).dot(&r.column(j)).sqrt();
    if length > 0.0 {
        r[(j, j)].abs() / length
    } else {
        0.0
    }
}

/// The earlier columns whose combination `column` is.
fn combination(r: &Array2<f64>, column: usize) -> Vec<usize> {
    let mut share = r.slice(s![..column, column..=column]).to_owned();
    let before = r.slice(s![..column, ..column]);
    before
        .solve_triangular_inplace(&mut share, UPLO::Upper)
        .expect("columns before it are independent");
    let largest = share.iter().fold(0.0, |most: f64, it| most.max(it.abs()));
    (0..column)
        .filter(|&j| share[(j, 0)].abs() > NEGLIGIBLE * largest)
        .collect()
}
