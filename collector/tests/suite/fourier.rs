//! Fourier transforms of blocks against rustfft's, and one stage against its definition.

use std::f64::consts::TAU;

use rustfft::{FftPlanner, num_complex::Complex};

use crate::{assert_each, for_each_variant, numbers, to_f64};

#[test]
fn fft_blocks_is_the_fourier_transform() {
    for_each_variant("fft_blocks", [("blocks", 3)], |run| {
        let samples = to_f64(run.inputs["samples"].as_f32());
        let mut spectra: Vec<_> = samples
            .chunks_exact(2)
            .map(|pair| Complex::new(pair[0], pair[1]))
            .collect();
        FftPlanner::new()
            .plan_fft_forward(256)
            .process(&mut spectra);
        let actual = numbers(&run.outputs["spectra"]);
        for (actual, expected) in actual.chunks_exact(2).zip(spectra) {
            let apart = (Complex::new(actual[0], actual[1]) - expected).norm();
            assert!(apart < 2e-5, "{actual:?}, expected {expected}");
        }
    });
}

/// Number f of a transform of length 4 d = Σ over its four parts q of part q's number f mod d, turned by
/// q f / (4 d) of a circle.
#[test]
fn fft_stage_joins_four_transforms() {
    const N: usize = 1024;
    const DONE: usize = 16;
    let component = |[samples]: &[Vec<f64>; 1], i: usize| {
        let (transform, frequency) = (i / 2 / (4 * DONE), i / 2 % (4 * DONE));
        let each = (0..4).map(|q| {
            let at = 2 * (q * N / 4 + transform * DONE + frequency % DONE);
            let turn = -TAU * (q * frequency) as f64 / (4 * DONE) as f64;
            Complex::new(samples[at], samples[at + 1]) * Complex::cis(turn)
        });
        let sum: Complex<f64> = each.sum();
        if i.is_multiple_of(2) { sum.re } else { sum.im }
    };
    let sizes = [("n", N), ("done", DONE)];
    assert_each(
        "fft_stage",
        sizes,
        (["samples"], "combined"),
        2e-6,
        component,
    );
}
