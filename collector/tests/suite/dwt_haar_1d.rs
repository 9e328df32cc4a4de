//! The blocks' wavelet transform against the Haar functions, its energy and its inverse.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::{assert_close, for_each_variant, to_f64};

const BLOCKS: usize = 3;
const BLOCK: usize = 256;

#[test]
fn each_coefficient_is_the_product_with_its_haar_function() {
    for_each_variant("dwt_haar_1d", [("blocks", BLOCKS)], |run| {
        let samples = to_f64(run.inputs["samples"].as_f32());
        let expected: Vec<f64> = samples
            .chunks_exact(BLOCK)
            .flat_map(|block| {
                (0..BLOCK).map(|index| {
                    block
                        .iter()
                        .enumerate()
                        .map(|(t, x)| x * haar(index, t))
                        .sum()
                })
            })
            .collect();
        assert_close(run.outputs["coefficients"].as_f32(), &expected, 1e-5);
    });
}

#[test]
fn keeps_the_energy_and_can_be_undone() {
    for_each_variant("dwt_haar_1d", [("blocks", BLOCKS)], |run| {
        let samples = to_f64(run.inputs["samples"].as_f32());
        let coefficients = to_f64(run.outputs["coefficients"].as_f32());
        let energy = |signal: &[f64]| signal.iter().map(|x| x * x).sum::<f64>();
        assert!((energy(&coefficients) / energy(&samples) - 1.0).abs() < 1e-5);

        let undone: Vec<f64> = coefficients.chunks_exact(BLOCK).flat_map(inverse).collect();
        assert_close(run.inputs["samples"].as_f32(), &undone, 1e-5);
    });
}

/// Haar's function number `index` at sample `t` of a block: 0 is constant; 2^j + k is positive on the
/// first half of the k-th of 2^j equal parts, negative on its second half, and 0 elsewhere.
fn haar(index: usize, t: usize) -> f64 {
    let parts = if index == 0 { 1 } else { 1 << index.ilog2() };
    let support = BLOCK / parts;
    let height = 1.0 / (support as f64).sqrt();
    match index {
        0 => height,
        _ if t / support != index - parts => 0.0,
        _ if t % support < support / 2 => height,
        _ => -height,
    }
}

fn inverse(coefficients: &[f64]) -> Vec<f64> {
    let mut signal = coefficients[..1].to_vec();
    while signal.len() < BLOCK {
        let details = &coefficients[signal.len()..2 * signal.len()];
        let pairs = signal.iter().zip(details);
        signal = pairs
            .flat_map(|(a, d)| [(a + d) * FRAC_1_SQRT_2, (a - d) * FRAC_1_SQRT_2])
            .collect();
    }
    signal
}
