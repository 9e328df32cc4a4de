//! Sparse matrices times vectors.

use crate::{assert_each, whole};

#[test]
fn spmv_csr_adds_rows_of_any_length() {
    let product = |[values, columns, starts, x]: &[Vec<f64>; 4], row: usize| {
        let row = whole(starts[row])..whole(starts[row + 1]);
        row.map(|i| values[i] * x[whole(columns[i])]).sum()
    };
    let sizes = [("rows", 128), ("per_row", 9)];
    let inputs = ["values", "columns", "starts", "x"];
    assert_each("spmv_csr", sizes, (inputs, "y"), 2e-6, product);
}

#[test]
fn spmv_ell_adds_rows_of_equal_length() {
    const ROWS: usize = 128;
    let product = |[values, columns, x]: &[Vec<f64>; 3], row: usize| {
        (row..5 * ROWS)
            .step_by(ROWS)
            .map(|i| values[i] * x[whole(columns[i])])
            .sum()
    };
    let sizes = [("rows", ROWS), ("per_row", 5)];
    assert_each(
        "spmv_ell",
        sizes,
        (["values", "columns", "x"], "y"),
        1e-6,
        product,
    );
}
