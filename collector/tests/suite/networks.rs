//! Layers of neural networks, by their definitions.

use std::f64::consts::SQRT_2;

use kerncast_suite::Data;

use crate::{assert_each, for_each_variant, numbers, whole};

/// The four-byte fields of structures, one after the other.
pub(crate) fn words(structures: &Data) -> Vec<[u8; 4]> {
    let fields = structures.as_u8().chunks_exact(4);
    fields
        .map(|field| [field[0], field[1], field[2], field[3]])
        .collect()
}

#[test]
fn batched_matmul_multiplies_pair_by_pair() {
    const M: usize = 24;
    const N: usize = 72;
    const K: usize = 32;
    let product = |[a, b]: &[Vec<f64>; 2], i: usize| {
        let (batch, row, column) = (i / N / M, i / N % M, i % N);
        let term = |k: usize| a[(batch * M + row) * K + k] * b[(batch * K + k) * N + column];
        0.5 * (0..K).map(term).sum::<f64>()
    };
    assert_each(
        "batched_matmul",
        [("m", M), ("n", N), ("k", K), ("batch", 3)],
        (["a", "b"], "c"),
        1e-5,
        product,
    );
}

#[test]
fn depthwise_convolution_normalises_and_activates() {
    const CHANNELS: usize = 20;
    const WIDTH: usize = 13;
    const HEIGHT: usize = 10;
    for (activation, stride) in [(0, 2), (1, 1), (2, 2)] {
        let sizes = [
            ("channels", CHANNELS),
            ("width", WIDTH),
            ("height", HEIGHT),
            ("stride", stride),
            ("activation", activation),
        ];
        let across = (WIDTH - 1) / stride + 1;
        for_each_variant("depthwise_convolution", sizes, |run| {
            let [inputs, weights] = ["inputs", "weights"].map(|name| numbers(&run.inputs[name]));
            let normals = words(&run.inputs["normals"]);
            for (i, actual) in numbers(&run.outputs["outputs"]).into_iter().enumerate() {
                let (channel, pixel) = (i % CHANNELS, i / CHANNELS);
                let term = |k: usize| {
                    // With a rim of 0.
                    let column = pixel % across * stride + k % 3;
                    let row = pixel / across * stride + k / 3;
                    if (1..=WIDTH).contains(&column) && (1..=HEIGHT).contains(&row) {
                        let input = ((row - 1) * WIDTH + column - 1) * CHANNELS + channel;
                        inputs[input] * weights[k * CHANNELS + channel]
                    } else {
                        0.0
                    }
                };
                let [mean, variance, gain, bias] = std::array::from_fn(|field| {
                    let place = channel / 4 * 16 + field * 4 + channel % 4;
                    f64::from(f32::from_ne_bytes(normals[place]))
                });
                let sum: f64 = (0..9).map(term).sum();
                let normal = (sum - mean) / (variance + 1e-5).sqrt() * gain + bias;
                let expected = match activation {
                    0 => normal.clamp(0.0, 6.0),
                    1 => normal * (normal + 3.0).clamp(0.0, 6.0) / 6.0,
                    _ => normal * (1.0 + libm::erf(normal / SQRT_2)) / 2.0,
                };
                // A half has eleven bits.
                let near = (actual - expected).abs() <= 1e-4 + 1e-3 * expected.abs();
                assert!(near, "outputs[{i}] is {actual}, expected {expected}");
            }
        });
    }
}

#[test]
fn quantised_linear_scales_rounds_and_saturates() {
    const ROWS: usize = 300;
    const CHANNELS: usize = 70;
    const DEPTH: usize = 128;
    let sizes = [("rows", ROWS), ("channels", CHANNELS), ("depth", DEPTH / 4)];
    for_each_variant("quantised_linear", sizes, |run| {
        let [inputs, weights] = ["inputs", "weights"].map(|name| numbers(&run.inputs[name]));
        let channels = words(&run.inputs["channels"]);
        let mut saturated = 0;
        for (i, actual) in numbers(&run.outputs["outputs"]).into_iter().enumerate() {
            let row = &inputs[i / CHANNELS * DEPTH..][..DEPTH];
            let column = &weights[i % CHANNELS * DEPTH..][..DEPTH];
            let products = row.iter().zip(column).map(|(x, w)| (x + 7.0) * w);
            let [bias, multiplier, shift] = [0, 1, 2]
                .map(|field| f64::from(i32::from_ne_bytes(channels[i % CHANNELS * 3 + field])));
            // Exact: no product has more than 53 bits.
            let sum = products.sum::<f64>() + bias;
            let scaled = (sum * multiplier / 2_f64.powi(31) + 0.5).floor();
            let expected = (scaled / shift.exp2() + 0.5).floor() + 11.0;
            let expected = expected.clamp(-128.0, 127.0);
            assert!((actual - expected).abs() < 0.5, "{i}: {actual}, {expected}");
            saturated += usize::from(expected.abs() > 126.5);
        }
        assert!((1..ROWS * CHANNELS / 2).contains(&saturated));
    });
}

/// By the plain sum of products.
#[test]
fn winograd_convolution_convolves() {
    const SIDE: usize = 18;
    const INPUTS: usize = 19;
    let result = |[images, weights, biases]: &[Vec<f64>; 3], i: usize| {
        let (output, y, x) = (i / SIDE / SIDE, i / SIDE % SIDE, i % SIDE);
        let term = |k: usize| {
            let (input, row, column) = (k / 9, y + k % 9 / 3, x + k % 3);
            let pixel = images[(input * (SIDE + 2) + row) * (SIDE + 2) + column];
            pixel * weights[output * INPUTS * 9 + k]
        };
        let sum = biases[output] + (0..9 * INPUTS).map(term).sum::<f64>();
        sum.max(0.125 * sum)
    };
    assert_each(
        "winograd_convolution",
        [("side", SIDE), ("inputs", INPUTS), ("outputs", 3)],
        (["images", "weights", "biases"], "results"),
        2e-5,
        result,
    );
}

#[test]
fn embedding_bag_pools_rows_of_the_table() {
    const SIZE: usize = 128;
    for mode in [0, 1, 2] {
        let pooled = |[table, starts, ids, weights]: &[Vec<f64>; 4], i: usize| {
            let own = whole(starts[i / SIZE])..whole(starts[i / SIZE + 1]);
            let words = own.filter(|word| ids[*word] >= 0.0);
            let value = |word: usize| table[whole(ids[word]) * SIZE + i % SIZE];
            let values = words.clone().map(value);
            match mode {
                0 => words.map(|word| weights[word] * value(word)).sum(),
                1 => values.clone().sum::<f64>() / values.count().max(1) as f64,
                _ => values.reduce(f64::max).unwrap_or(0.0),
            }
        };
        assert_each(
            "embedding_bag",
            [
                ("bags", 33),
                ("mean", 5),
                ("vocabulary", 100),
                ("mode", mode),
            ],
            (["table", "starts", "ids", "weights"], "vectors"),
            1e-5,
            pooled,
        );
    }
}

#[test]
fn top_k_rows_are_sorted_and_of_equals_the_first() {
    const COLUMNS: usize = 300;
    let sizes = [("rows", 70), ("columns", COLUMNS)];
    for_each_variant("top_k_rows", sizes, |run| {
        let rows = run.inputs["scores"].as_f32().chunks_exact(COLUMNS);
        let scores = run.outputs["best.score"].as_f32().chunks_exact(16);
        let places = run.outputs["best.place"].as_i32().chunks_exact(16);
        let mut equals = 0;
        for ((row, scores), places) in rows.zip(scores).zip(places) {
            let mut sorted: Vec<usize> = (0..COLUMNS).collect();
            sorted.sort_by(|a, b| row[*b].total_cmp(&row[*a]).then(a.cmp(b)));
            for (k, place) in places.iter().enumerate() {
                assert_eq!(usize::try_from(*place), Ok(sorted[k]));
                assert_eq!(scores[k].to_bits(), row[sorted[k]].to_bits());
                equals += usize::from(k > 0 && scores[k - 1] <= scores[k]);
            }
        }
        assert!(equals > 0, "no row has equal scores");
    });
}
