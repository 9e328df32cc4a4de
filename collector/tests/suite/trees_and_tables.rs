//! Searches in trees, forests of decisions, hash tables and Bloom filters.

use crate::{assert_each, counting::murmur3_finaliser, for_each_variant, whole};

#[test]
fn tree_search_counts_the_smaller_keys() {
    let rank = |[tree, queries]: &[Vec<f64>; 2], q: usize| {
        tree.iter().filter(|key| **key < queries[q]).count() as f64
    };
    let sizes = [("queries", 256), ("levels", 9)];
    assert_each(
        "tree_search",
        sizes,
        (["tree", "queries"], "ranks"),
        0.0,
        rank,
    );
}

#[test]
fn tree_range_count_counts_keys_within() {
    let within = |[tree, lows, spans]: &[Vec<f64>; 3], q: usize| {
        let range = lows[q]..=lows[q] + spans[q];
        tree.iter().filter(|key| range.contains(key)).count() as f64
    };
    assert_each(
        "tree_range_count",
        [("queries", 256), ("levels", 9), ("span", 700)],
        (["tree", "lows", "spans"], "counts"),
        0.0,
        within,
    );
}

#[test]
fn decision_forest_is_the_mean_of_its_trees() {
    const SAMPLES: usize = 64;
    const TREES: usize = 5;
    const DEPTH: u32 = 4;
    let leaf = |[samples, asked, limits, leaves]: &[Vec<f64>; 4], tree: usize, sample: usize| {
        let (inner, mut node, mut path) = (2_usize.pow(DEPTH) - 1, 0, 0);
        for _ in 0..DEPTH {
            let at = tree * inner + node;
            let right = samples[whole(asked[at]) * SAMPLES + sample] > limits[at];
            path = 2 * path + usize::from(right);
            node = 2 * node + 1 + usize::from(right);
        }
        leaves[tree * (inner + 1) + path]
    };
    let forecast = |inputs: &[Vec<f64>; 4], sample: usize| {
        let sum: f64 = (0..TREES).map(|tree| leaf(inputs, tree, sample)).sum();
        sum / TREES as f64
    };
    let sizes = [
        ("samples", SAMPLES),
        ("trees", TREES),
        ("depth", DEPTH as usize),
        ("features", 6),
    ];
    assert_each(
        "decision_forest",
        sizes,
        (["samples", "asked", "limits", "leaves"], "forecasts"),
        1e-6,
        forecast,
    );
}

/// Every key is there once, and on the way to it from where it belongs there are only larger ones.
#[test]
fn hash_insert_makes_the_one_ordered_table() {
    const SLOTS: usize = 512;
    for_each_variant("hash_insert", [("keys", 384), ("slots", SLOTS)], |run| {
        let table = run.outputs["table"].as_u32();
        let sorted = |mut keys: Vec<u32>| {
            keys.sort_unstable();
            keys
        };
        let mut keys = sorted(run.inputs["keys"].as_u32().to_vec());
        keys.dedup();
        let stored = table.iter().copied().filter(|key| *key >= 2);
        assert_eq!(sorted(stored.collect()), keys);
        for (slot, key) in table.iter().enumerate().filter(|(_, key)| **key >= 2) {
            let mut at = murmur3_finaliser(*key) as usize % SLOTS;
            while at != slot {
                assert!(table[at] > *key, "slot {at} on the way to {slot}");
                at = (at + 1) % SLOTS;
            }
        }
    });
}

#[test]
fn bloom_insert_sets_four_bits_a_key() {
    const WORDS: usize = 128;
    for_each_variant("bloom_insert", [("keys", 128), ("words", WORDS)], |run| {
        let mut expected = run.inputs["filter"].as_u32().to_vec();
        for key in run.inputs["keys"].as_u32() {
            let mut state = u64::from(*key);
            for _ in 0..4 {
                state = (state * 1_664_525 + 1_013_904_223) % (1 << 32);
                let word = usize::try_from(state / 32).expect("a word") % WORDS;
                expected[word] |= 1 << (state >> 27);
            }
        }
        assert_eq!(run.outputs["filter"].as_u32(), expected);
    });
}
