//! Reads and writes in random order, walks along lists, and binary search.

use crate::{assert_each, for_each_variant, whole};

#[test]
fn gather_reads_where_it_is_told() {
    let sizes = [("n", 512), ("entries", 100)];
    assert_each(
        "gather",
        sizes,
        (["table", "indices"], "gathered"),
        0.0,
        |[table, indices], i| table[whole(indices[i])],
    );
}

#[test]
fn scatter_writes_where_it_is_told() {
    for_each_variant("scatter", [("n", 1024)], |run| {
        let scattered = run.outputs["scattered"].as_f32();
        let places = run.inputs["places"].as_u32();
        let gathered: Vec<f32> = places
            .iter()
            .map(|place| scattered[*place as usize])
            .collect();
        assert_eq!(gathered, run.inputs["values"].as_f32());
        assert!(
            scattered.iter().all(|number| number.is_finite()),
            "a place nobody wrote to"
        );
    });
}

/// Knuth's generator after 77 steps at once: x → a x + c, 77 times, is a' x + c'.
#[test]
fn pointer_chase_comes_where_the_generator_does() {
    const N: usize = 1024;
    const HOPS: usize = 77;
    let (factor, summand) = (0..HOPS).fold((1, 0), |(factor, summand), _| {
        (
            factor * 1_664_525 % N,
            (summand * 1_664_525 + 1_013_904_223) % N,
        )
    });
    let end = |_: &[Vec<f64>; 0], walk: usize| ((factor * walk * (N / 64) + summand) % N) as f64;
    let sizes = [("n", N), ("walks", 64), ("hops", HOPS)];
    assert_each("pointer_chase", sizes, ([], "ends"), 0.0, end);
}

#[test]
fn binary_search_counts_the_smaller_entries() {
    let rank = |[table, queries]: &[Vec<f64>; 2], q: usize| {
        table.iter().filter(|entry| **entry < queries[q]).count() as f64
    };
    let sizes = [("queries", 256), ("entries", 1024)];
    assert_each(
        "binary_search",
        sizes,
        (["table", "queries"], "ranks"),
        0.0,
        rank,
    );
}
