//! Edit distances against the crate strsim's, and local alignments over the whole table.

use crate::{assert_each, for_each_variant};

#[test]
fn levenshtein_is_the_edit_distance() {
    const PAIRS: usize = 64;
    for_each_variant("levenshtein", [("pairs", PAIRS), ("length", 20)], |run| {
        let word = |name: &str, pair: usize| -> String {
            run.inputs[name].as_u8()[pair..]
                .iter()
                .step_by(PAIRS)
                .copied()
                .map(char::from)
                .collect()
        };
        for (pair, distance) in run.outputs["distances"].as_u16().iter().enumerate() {
            let expected = strsim::levenshtein(&word("words", pair), &word("others", pair));
            assert_eq!(usize::from(*distance), expected, "pair {pair}");
        }
    });
}

#[test]
fn smith_waterman_finds_the_best_local_alignment() {
    const QUERY: usize = 128;
    const TARGET: usize = 50;
    let score = |[queries, targets]: &[Vec<f64>; 2], pair: usize| {
        let (query, target) = (
            &queries[pair * QUERY..][..QUERY],
            &targets[pair * TARGET..][..TARGET],
        );
        let mut table = vec![[0.0_f64; TARGET + 1]; QUERY + 1];
        for i in 1..=QUERY {
            for j in 1..=TARGET {
                let same = (query[i - 1] - target[j - 1]).abs() < 0.5;
                let along = table[i - 1][j - 1] + if same { 3.0 } else { -2.0 };
                let gap = table[i - 1][j].max(table[i][j - 1]) - 2.0;
                table[i][j] = along.max(gap).max(0.0);
            }
        }
        table.into_iter().flatten().fold(0.0, f64::max)
    };
    let sizes = [("pairs", 3), ("length", TARGET)];
    assert_each(
        "smith_waterman",
        sizes,
        (["queries", "targets"], "scores"),
        0.0,
        score,
    );
}
