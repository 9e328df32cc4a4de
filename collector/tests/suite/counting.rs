//! A histogram, hits in a circle, random and binary numbers.

use std::f64::consts::FRAC_PI_4;

use crate::{assert_each, for_each_variant, numbers, whole};

#[test]
fn histogram_adds_to_the_counts() {
    let count = |[values, counts]: &[Vec<f64>; 2], bin: usize| {
        counts[bin]
            + values
                .iter()
                .filter(|value| whole(**value) % 16 == bin)
                .count() as f64
    };
    let sizes = [("n", 8192), ("bins", 16)];
    assert_each(
        "histogram",
        sizes,
        (["values", "counts"], "counts"),
        0.0,
        count,
    );
}

#[test]
fn monte_carlo_pi_hits_the_quarter_circle() {
    const ITEMS: u32 = 512;
    const DRAWS: u32 = 10;
    const COUNTERS: usize = 3;
    let inside = |draw: u32| {
        let bits = murmur3_finaliser(draw + 1);
        let [x, y] = [bits % 0x8000, bits >> 17].map(|coordinate| f64::from(coordinate) / 32768.0);
        x.hypot(y) < 1.0
    };
    let hits = |[hits]: &[Vec<f64>; 1], counter: usize| {
        let counted = |draw: &u32| (draw / DRAWS / 128) as usize % COUNTERS == counter;
        let draws = (0..ITEMS * DRAWS).filter(counted);
        hits[counter] + draws.filter(|draw| inside(*draw)).count() as f64
    };
    let sizes = [
        ("items", ITEMS as usize),
        ("draws", DRAWS as usize),
        ("counters", COUNTERS),
    ];
    assert_each("monte_carlo_pi", sizes, (["hits"], "hits"), 0.0, hits);
}

#[test]
fn monte_carlo_pi_comes_near_pi() {
    for_each_variant(
        "monte_carlo_pi",
        [("items", 2048), ("draws", 50), ("counters", 2)],
        |run| {
            let [before, after] = [&run.inputs, &run.outputs]
                .map(|buffers| numbers(&buffers["hits"]).iter().sum::<f64>());
            // The share's standard deviation over 102,400 draws is 0.0013.
            assert!(((after - before) / 102_400.0 - FRAC_PI_4).abs() < 4.0 * 0.0013);
        },
    );
}

/// Appleby's MurmurHash3, `fmix32`, in 64-bit arithmetic.
pub(crate) fn murmur3_finaliser(number: u32) -> u32 {
    let times = |a: u32, b: u64| u32::try_from(u64::from(a) * b % (1 << 32)).expect("32 bits");
    let once = times(number ^ number >> 16, 0x85EB_CA6B);
    let twice = times(once ^ once >> 13, 0xC2B2_AE35);
    twice ^ twice >> 16
}

/// Marsaglia's xor128, word by word.
#[test]
fn xorshift_makes_the_twentieth_number() {
    for_each_variant("xorshift", [("streams", 128), ("steps", 20)], |run| {
        let seeds = run.inputs["seeds"].as_u32().chunks_exact(4);
        for (seed, number) in seeds.zip(run.outputs["numbers"].as_u32()) {
            let mut words = seed.to_vec();
            for step in 0..20 {
                let t = words[step] ^ words[step] << 11;
                let w = words[step + 3];
                words.push(w ^ w >> 19 ^ t ^ t >> 8);
            }
            assert_eq!(words.last(), Some(number));
        }
    });
}

#[test]
fn hamming_distances_count_bits() {
    for_each_variant(
        "hamming_distances",
        [("queries", 16), ("codes", 32)],
        |run| {
            let [queries, codes] = ["queries", "codes"].map(|name| run.inputs[name].as_u64());
            let mut distances = run.outputs["distances"].as_u16().iter();
            for query in queries.chunks_exact(4) {
                for code in codes.chunks_exact(4) {
                    let bits: u32 = query
                        .iter()
                        .zip(code)
                        .map(|(q, c)| (q ^ c).count_ones())
                        .sum();
                    assert_eq!(
                        distances.next().map(|distance| u32::from(*distance)),
                        Some(bits)
                    );
                }
            }
        },
    );
}
