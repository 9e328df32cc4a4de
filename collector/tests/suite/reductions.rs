//! Sums, a dot product, softmax and running sums.

use crate::assert_each;

#[test]
fn sum_adds_chunks() {
    let sum = |[values]: &[Vec<f64>; 1], c: usize| values[2048 * c..][..2048].iter().sum();
    assert_each("sum", [("chunks", 64)], (["values"], "sums"), 2e-3, sum);
}

#[test]
fn dot_is_one_part_a_work_group() {
    const PART: usize = 256 * 5;
    let dot =
        |[x, y]: &[Vec<f64>; 2], g: usize| (g * PART..(g + 1) * PART).map(|i| x[i] * y[i]).sum();
    assert_each(
        "dot",
        [("groups", 3), ("per_item", 5)],
        (["x", "y"], "sums"),
        2e-5,
        dot,
    );
}

#[test]
fn softmax_shares_out_each_row() {
    const COLUMNS: usize = 100;
    let share = |[scores]: &[Vec<f64>; 1], i: usize| {
        let row = &scores[i / COLUMNS * COLUMNS..][..COLUMNS];
        scores[i].exp() / row.iter().copied().map(f64::exp).sum::<f64>()
    };
    let sizes = [("rows", 64), ("columns", COLUMNS)];
    assert_each("softmax", sizes, (["scores"], "shares"), 1e-6, share);
}

#[test]
fn scan_blocks_runs_anew_in_every_block() {
    let sum = |[values]: &[Vec<f64>; 1], i: usize| values[i / 256 * 256..=i].iter().sum();
    assert_each("scan_blocks", [("n", 1024)], (["values"], "sums"), 0.0, sum);
}
