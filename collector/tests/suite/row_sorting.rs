//! Sorts of rows, a pass of a merge sort, and the counts that begin a radix sort.

use crate::{assert_each, for_each_variant, whole};

/// Rows whose keys lie `rows` apart come out sorted.
#[track_caller]
fn assert_sorted_apart(before: &[u32], after: &[u32], rows: usize) {
    for row in 0..rows {
        let row =
            |keys: &[u32]| -> Vec<u32> { keys[row..].iter().step_by(rows).copied().collect() };
        let mut expected = row(before);
        expected.sort_unstable();
        assert_eq!(row(after), expected);
    }
}

#[test]
fn insertion_sort_rows_sorts_rows() {
    let sizes = [("rows", 64), ("length", 45)];
    for_each_variant("insertion_sort_rows", sizes, |run| {
        let [before, after] = [&run.inputs, &run.outputs].map(|buffers| buffers["keys"].as_u32());
        assert_sorted_apart(before, after, 64);
    });
}

#[test]
fn heap_sort_sorts_rows() {
    for_each_variant("heap_sort", [("rows", 128)], |run| {
        let (before, after) = (run.inputs["keys"].as_u32(), run.outputs["sorted"].as_u32());
        assert_sorted_apart(before, after, 128);
    });
}

#[test]
fn merge_runs_sorts_two_runs_together() {
    for_each_variant("merge_runs", [("n", 32 * 2 * 25), ("width", 25)], |run| {
        let mut expected = run.inputs["keys"].as_u32().to_vec();
        expected
            .chunks_exact_mut(50)
            .for_each(<[u32]>::sort_unstable);
        assert_eq!(run.outputs["merged"].as_u32(), expected);
    });
}

#[test]
fn odd_even_sort_sorts_rows() {
    for_each_variant("odd_even_sort", [("rows", 5)], |run| {
        let mut expected = run.inputs["keys"].as_u32().to_vec();
        expected
            .chunks_exact_mut(64)
            .for_each(<[u32]>::sort_unstable);
        assert_eq!(run.outputs["keys"].as_u32(), expected);
    });
}

#[test]
fn digit_counts_are_each_items_own() {
    const ITEMS: usize = 64;
    let count = |[keys]: &[Vec<f64>; 1], i: usize| {
        let own = keys[i % ITEMS..].iter().step_by(ITEMS);
        let digits = own.map(|key| whole(*key) / 256 % 16);
        digits.filter(|digit| *digit == i / ITEMS).count() as f64
    };
    assert_each(
        "digit_counts",
        [("items", ITEMS), ("per_item", 50)],
        (["keys"], "counts"),
        0.0,
        count,
    );
}
