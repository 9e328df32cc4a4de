use faer::Mat;
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
        let stacked = Mat::from_fn(m + rows.nrows(), m, |row, column| {
            match row.checked_sub(m) {
                None => self.r[(row, column)],
                Some(row) => rows[(row, column)],
            }
        });
        let factored = stacked.qr();
        let r = factored.thin_R();
        self.r = Array2::from_shape_fn((m, m), |(row, column)| match row <= column {
            true => r[(row, column)],
            false => 0.0,
        });
    }
}

impl Merge for Factor {
    /// # Panics
    /// Where they have different numbers of columns.
    fn merge(&mut self, other: &Self) {
        self.add(other.r.view());
    }
}
