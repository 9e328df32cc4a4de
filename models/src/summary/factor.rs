use faer::{
    Mat, MatMut, Par, Spec,
    dyn_stack::{MemBuffer, MemStack},
    linalg::qr::no_pivoting::factor::{qr_in_place, qr_in_place_scratch, recommended_block_size},
    reborrow::ReborrowMut,
};
use ndarray::{Array2, ArrayView2};

use super::Merge;

/// R of rows A = QR: all that least squares on them needs. Unlike A'A, which squares the condition number,
/// it keeps every digit; like it, it does not grow with the rows.
///
/// Rows come block by block: the R of [R; more rows] is the R of all of them (Golub, Van Loan, *Matrix
/// Computations*, 4th edition, section 5.2; as "TSQR" Demmel, Grigori, Hoemmen, Langou,
/// "Communication-optimal parallel and sequential QR and LU factorizations", 2012).
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// R (m × m), 0 below the diagonal. Where columns depend on each other, diagonal entries can be 0.
    pub r: Array2<f64>,
}

impl Factor {
    /// Of no rows with so many columns.
    #[must_use]
    pub fn new(columns: usize) -> Self {
        let r = Array2::zeros((columns, columns));
        Self { r }
    }

    /// With more rows (b × m). Costs 2·(m + b)·m² operations: hundreds of rows at once cost less a row.
    ///
    /// # Panics
    /// Where `rows` has another number of columns.
    pub fn add(&mut self, rows: ArrayView2<'_, f64>) {
        let m = self.r.ncols();
        assert_eq!(rows.ncols(), m, "columns");
        let mut stacked = Mat::zeros(m + rows.nrows(), m);
        for ((row, column), value) in rows.indexed_iter() {
            stacked[(m + row, column)] = *value;
        }
        self.add_below(stacked.as_mut());
    }

    /// With more rows, m rows down in `stacked` ((m + b) × m): the first m are free. What it holds is lost.
    pub(super) fn add_below(&mut self, mut stacked: MatMut<'_, f64>) {
        for ((row, column), entry) in self.r.indexed_iter() {
            stacked[(row, column)] = *entry;
        }
        factor_in_place(stacked.rb_mut());
        for ((row, column), entry) in self.r.indexed_iter_mut() {
            *entry = if row <= column {
                stacked[(row, column)]
            } else {
                0.0
            };
        }
    }
}

/// Leaves R on and above the diagonal of `a`. `Mat::qr` would copy `a` and keep Q, which is as large.
fn factor_in_place(a: MatMut<'_, f64>) {
    let (rows, columns) = a.shape();
    let size = recommended_block_size::<f64>(rows, columns);
    let scratch = qr_in_place_scratch::<f64>(rows, columns, size, Par::Seq, Spec::default());
    qr_in_place(
        a,
        Mat::zeros(size, rows.min(columns)).as_mut(),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Spec::default(),
    );
}

impl Merge for Factor {
    /// # Panics
    /// Where they have different numbers of columns.
    fn merge(&mut self, other: &Self) {
        self.add(other.r.view());
    }
}
