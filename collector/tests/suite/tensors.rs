//! Contractions, channels and attention, from their definitions.

use crate::assert_each;

#[test]
fn tensor_contraction_sums_over_two_indices() {
    const N: usize = 8;
    let sum = |[a, b]: &[Vec<f64>; 2], at: usize| {
        let (i, j, k) = (at / N / N, at / N % N, at % N);
        let term = |p: usize, q: usize| {
            a[p * N * N + i * N + q] * b[q * N * N * N + j * N * N + p * N + k]
        };
        (0..N * N).map(|both| term(both / N, both % N)).sum()
    };
    assert_each(
        "tensor_contraction",
        [("n", N)],
        (["a", "b"], "c"),
        1e-5,
        sum,
    );
}

#[test]
fn convolve_channels_adds_up_all_inputs() {
    const SIDE: usize = 16;
    const INPUTS: usize = 3;
    let result = |[images, weights]: &[Vec<f64>; 2], at: usize| {
        let (output, y, x) = (at / SIDE / SIDE, at / SIDE % SIDE, at % SIDE);
        let term = |input: usize, i: usize, j: usize| {
            let pixel = images[(input * (SIDE + 2) + y + i) * (SIDE + 2) + x + j];
            pixel * weights[(output * INPUTS + input) * 9 + 3 * i + j]
        };
        let terms = (0..9 * INPUTS).map(|k| term(k / 9, k % 9 / 3, k % 3));
        terms.sum::<f64>().max(0.0)
    };
    assert_each(
        "convolve_channels",
        [("side", SIDE), ("inputs", INPUTS), ("outputs", 2)],
        (["images", "weights"], "results"),
        1e-5,
        result,
    );
}

#[test]
fn attention_weighs_values_by_a_softmax() {
    const SIZE: usize = 32;
    let result = |[queries, keys, values]: &[Vec<f64>; 3], at: usize| {
        let query = &queries[at / SIZE * SIZE..][..SIZE];
        let weights = keys.chunks_exact(SIZE).map(|key| {
            let score: f64 = query.iter().zip(key).map(|(q, k)| q * k).sum();
            (score / (SIZE as f64).sqrt()).exp()
        });
        let weights: Vec<f64> = weights.collect();
        let column = values[at % SIZE..].iter().step_by(SIZE);
        let sum: f64 = weights.iter().zip(column).map(|(w, value)| w * value).sum();
        sum / weights.iter().sum::<f64>()
    };
    assert_each(
        "attention",
        [("queries", 64), ("keys", 80)],
        (["queries", "keys", "values"], "results"),
        1e-5,
        result,
    );
}
