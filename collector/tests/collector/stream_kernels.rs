//! What streams launch (docs/streams.md), as kernels' folders: measured as any kernel, and given data that the launch is
//! meant for, so that what it makes is right.

use std::collections::{BTreeMap, HashMap};

use kerncast_suite::load;

use crate::common::{
    Place, expect_exit, rows,
    run_once::{RunOnce, run_once},
};

const FOLDERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../primitives/kernels");
/// Some tiles of 4096.
const N: u32 = 65536;

#[test]
fn each_folder_is_measured() {
    let place = Place::new();
    let arguments = [
        "run",
        "--json",
        "--no-upload",
        "--provider",
        "launch",
        "--first-sizes",
        "1",
        "--kernels",
        FOLDERS,
    ];
    let rows = rows(&expect_exit(place.kerncast(&arguments), 0));
    for kernel in load(FOLDERS.as_ref()).expect("kernels") {
        let mut its = rows.iter().filter(|row| row["kernel"] == kernel.name);
        for variant in &kernel.variants {
            assert!(
                its.any(|row| row["variant"] == variant.name && row["status"] == "measured"),
                "{} {}: {rows:?}",
                kernel.name,
                variant.name
            );
        }
    }
}

/// Runs every variant of a folder, of `N` elements, and hands each to `check`.
fn each_variant(name: &str, sizes: &[(&str, u32)], check: impl Fn(&RunOnce)) {
    let kernels = load(format!("{FOLDERS}/{name}").as_ref()).expect("a kernel");
    let sizes = [("n", N)].into_iter().chain(sizes.iter().copied());
    let sizes = sizes.map(|(name, size)| (name.to_owned(), size.into()));
    let sizes = sizes.collect();
    for variant in &kernels[0].variants {
        eprintln!("{name}, {}", variant.name); // shown when the check fails
        check(&run_once(&kernels[0], &variant.name, &sizes).expect("it runs"));
    }
}

#[test]
fn a_histogram_counts_what_lies_between_edges() {
    for bins in [256, 2048] {
        each_variant("stream_histogram", &[("bins", bins)], |run| {
            let edges = run.inputs["edges"].as_u32();
            let last = edges.len() - 2;
            let mut expected = vec![0_u32; edges.len() - 1];
            for x in run.inputs["in"].as_u32() {
                let bin = edges.partition_point(|edge| edge <= x) - 1;
                expected[bin.min(last)] += 1;
            }
            assert_eq!(run.outputs["counts"].as_u32(), expected);
        });
    }
}

#[test]
fn runs_are_counted_by_tiles_and_their_first_keys_kept() {
    each_variant("stream_runs", &[], |run| {
        let keys = run.inputs["keys"].as_u32();
        let begins = |at: &usize| *at == 0 || keys[*at] != keys[at - 1];
        let tiles = (0..keys.len()).step_by(4096);
        let counts = tiles.map(|tile| (tile..tile + 4096).filter(begins).count());
        let counts: Vec<u32> = counts.map(|it| it.try_into().expect("a few")).collect();
        assert_eq!(run.outputs["heads"].as_u32(), counts);
        // Of 4 on average.
        let runs: u32 = counts.iter().sum();
        assert!((N / 5..N / 3).contains(&runs), "{runs}");
    });
    each_variant("stream_unique", &[], |run| {
        let mut kept = run.inputs["keys"].as_u32().to_vec();
        kept.dedup();
        kept.resize(N as usize, u32::MAX); // not written
        assert_eq!(run.outputs["out"].as_u32(), kept);
    });
}

#[test]
fn values_of_a_key_become_one_also_where_tiles_meet() {
    each_variant("stream_reduce_by_key", &[], |run| {
        let mut sums = BTreeMap::<u32, u32>::new();
        let keys = run.inputs["keys"].as_u32();
        for (key, value) in keys.iter().zip(run.inputs["values"].as_u32()) {
            *sums.entry(*key).or_default() += value;
        }
        let mut tiles = (4096..keys.len()).step_by(4096);
        assert!(
            tiles.any(|tile| keys[tile] == keys[tile - 1]),
            "a run of two tiles"
        );
        let (mut keys, mut values): (Vec<u32>, Vec<u32>) = sums.into_iter().unzip();
        keys.resize(N as usize, u32::MAX);
        values.resize(N as usize, u32::MAX);
        assert_eq!(run.outputs["keys_out"].as_u32(), keys);
        assert_eq!(run.outputs["values_out"].as_u32(), values);
    });
}

#[test]
fn what_may_be_among_the_greatest_goes_behind_those_that_are_held() {
    const K: u32 = 1000;
    each_variant("stream_top_k", &[("k", K)], |run| {
        let least = run.inputs["bounds"].as_u32()[0];
        let above = run.inputs["in"].as_u32().iter().copied();
        let mut above: Vec<u32> = above.filter(|it| *it > least).collect();
        above.sort_unstable();
        let held = run.outputs["state"].as_u32()[0] as usize;
        assert_eq!(held, K as usize + above.len());
        // As a set: what is not written last.
        above.resize((K + N) as usize, u32::MAX);
        assert_eq!(run.outputs["held"].as_u32(), above);
    });
}

#[test]
fn two_sorted_arrays_become_one() {
    each_variant("stream_merge", &[], |run| {
        let (a, b) = (run.inputs["a"].as_u32(), run.inputs["b"].as_u32());
        assert!(a.is_sorted() && b.is_sorted() && a != b);
        let mut expected = [a, b].concat();
        expected.sort_unstable();
        assert_eq!(run.outputs["out"].as_u32(), expected);
    });
}

#[test]
fn needles_are_found_in_a_sorted_array() {
    each_variant("stream_sorted_search", &[], |run| {
        let sorted = run.inputs["sorted"].as_u32();
        assert!(sorted.is_sorted());
        let needles = run.inputs["needles"].as_u32().iter();
        let places = needles.map(|needle| sorted.partition_point(|it| it < needle) as u64);
        assert!(run.outputs["out"].as_u64().iter().copied().eq(places));
    });
}

#[test]
fn elements_are_told_their_segments() {
    each_variant("stream_segmented_sort", &[], |run| {
        let starts = run.inputs["starts"].as_u32();
        assert!(starts.is_sorted_by(|a, b| a < b) && *starts.last().expect("some") < N);
        let found = run.outputs["segments"].as_u16();
        let places = (0..N).map(|at| starts.partition_point(|start| *start <= at) - 1);
        assert!(found.iter().map(|it| usize::from(*it)).eq(places));
    });
}

#[test]
fn the_first_of_equal_keys_comes_into_the_table_once() {
    each_variant("stream_hash_insert", &[], |run| {
        let mut first = HashMap::new();
        for (key, entry) in run.inputs["keys"].as_u32().iter().zip(1..) {
            first.entry(*key).or_insert(entry);
        }
        let mut entries: Vec<u32> = first.into_values().collect();
        entries.resize(2 * N as usize, 0);
        entries.sort_unstable(); // as a set is compared
        assert_eq!(run.outputs["table"].as_u32(), entries);
    });
}

/// How many entries a search for a hash looks at until `is_it`.
fn steps(hash: u64, table: &[u32], is_it: impl Fn(usize) -> bool) -> usize {
    let upper = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let first = usize::try_from((upper * table.len() as u64) >> 32).expect("an entry");
    let places = (first..table.len()).chain(0..first);
    for (before, entry) in places.enumerate() {
        match table[entry] {
            0 => break,
            place if is_it(place as usize - 1) => return before + 1,
            _ => {}
        }
    }
    panic!("{hash:x} is not in the table");
}

#[test]
fn keys_are_looked_up_in_a_table_that_is_as_one_that_was_filled() {
    each_variant("stream_look_up", &[], |run| {
        let (keys, table) = (run.inputs["keys"].as_i64(), run.inputs["table"].as_u32());
        let mut all = 0;
        for (place, key) in keys.iter().enumerate() {
            all += steps(key.cast_unsigned(), table, |it| it == place);
        }
        // As in one half full (Knuth): one and a half for each.
        assert_eq!(2 * all, 3 * keys.len());
        let values = keys.iter().zip(run.inputs["values"].as_u32());
        let values: HashMap<_, _> = values.collect();
        assert_eq!(values.len(), keys.len(), "keys that are there once");
        let asked = run.inputs["asked"].as_i64().iter();
        let expected: Vec<u32> = asked.map(|key| *values[key]).collect();
        assert_eq!(run.outputs["out"].as_u32(), expected);
    });
}
