//! Inner kernels of linear algebra: products against their definition, solvers by what they solve.

use crate::{assert_each, for_each_variant, numbers};

#[test]
fn gemv_is_the_product() {
    const COLUMNS: usize = 70;
    let product = |[a, x]: &[Vec<f64>; 2], row: usize| {
        (0..COLUMNS)
            .map(|column| a[row * COLUMNS + column] * x[column])
            .sum()
    };
    let sizes = [("rows", 64), ("columns", COLUMNS)];
    assert_each("gemv", sizes, (["a", "x"], "y"), 5e-6, product);
}

#[test]
fn rank_1_update_takes_off_the_outer_product() {
    const COLUMNS: usize = 48;
    let updated =
        |[a, column, row]: &[Vec<f64>; 3], i: usize| a[i] - column[i / COLUMNS] * row[i % COLUMNS];
    let sizes = [("rows", 32), ("columns", COLUMNS)];
    assert_each(
        "rank_1_update",
        sizes,
        (["a", "column", "row"], "updated"),
        1e-7,
        updated,
    );
}

#[test]
fn syrk_multiplies_rows_by_rows() {
    const N: usize = 32;
    const K: usize = 48;
    let product =
        |[a]: &[Vec<f64>; 1], i: usize| (0..K).map(|k| a[i / N * K + k] * a[i % N * K + k]).sum();
    assert_each("syrk", [("n", N), ("k", K)], (["a"], "c"), 5e-6, product);
}

#[test]
fn dgemm_is_the_product() {
    const N: usize = 48;
    let product = |[a, b]: &[Vec<f64>; 2], i: usize| {
        (0..N).map(|k| a[i / N * N + k] * b[k * N + i % N]).sum()
    };
    assert_each("dgemm", [("n", N)], (["a", "b"], "c"), 1e-13, product);
}

#[test]
fn cholesky_tiles_times_their_transposes_are_the_tiles() {
    const SIDE: usize = 16;
    for_each_variant("cholesky_tiles", [("tiles", 3)], |run| {
        let (tiles, factors) = (
            numbers(&run.inputs["tiles"]),
            numbers(&run.outputs["factors"]),
        );
        for (tile, l) in tiles
            .chunks_exact(SIDE * SIDE)
            .zip(factors.chunks_exact(SIDE * SIDE))
        {
            for (row, column) in (0..SIDE * SIDE).map(|i| (i / SIDE, i % SIDE)) {
                if row < column {
                    assert!(l[row * SIDE + column].abs() <= 0.0, "above the diagonal");
                    continue;
                }
                let product: f64 = (0..SIDE)
                    .map(|k| l[row * SIDE + k] * l[column * SIDE + k])
                    .sum();
                let shift = if row == column { 17.0 } else { 0.0 };
                assert!((product - tile[row * SIDE + column] - shift).abs() < 1e-5);
            }
        }
    });
}

#[test]
fn triangular_solve_gives_back_the_right_hand_sides() {
    const SIDE: usize = 32;
    const RIGHT_SIDES: usize = 64;
    for_each_variant("triangular_solve", [("blocks", 2)], |run| {
        let [l, b] = ["triangles", "right_sides"].map(|name| numbers(&run.inputs[name]));
        let x = numbers(&run.outputs["solutions"]);
        for (i, b) in b.iter().enumerate() {
            let (row, column) = (i / RIGHT_SIDES % SIDE, i % RIGHT_SIDES);
            let block = i / RIGHT_SIDES / SIDE;
            let known = (0..row).map(|k| {
                l[(block * SIDE + row) * SIDE + k] * x[(block * SIDE + k) * RIGHT_SIDES + column]
            });
            assert!((known.sum::<f64>() + x[i] - b).abs() < 1e-6);
        }
    });
}
