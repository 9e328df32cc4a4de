//! Fourier transforms of blocks, and one stage of a transform, by their definitions.

use std::f64::consts::TAU;

use crate::assert_each;

/// The real or the imaginary part (`part` 0 or 1) of a sum of complex numbers, each turned by so much of a circle.
fn turned(each: impl Iterator<Item = ([f64; 2], f64)>, part: usize) -> f64 {
    let parts = each.map(|([re, im], circle)| {
        let (sin, cos) = (TAU * circle).sin_cos();
        [re * cos - im * sin, re * sin + im * cos][part]
    });
    parts.sum()
}

#[test]
fn fft_blocks_is_the_fourier_transform() {
    const N: usize = 256;
    let component = |[samples]: &[Vec<f64>; 1], i: usize| {
        let (block, frequency) = (i / 2 / N, i / 2 % N);
        let each = (0..N).map(|k| {
            let at = 2 * (block * N + k);
            let circle = (k * frequency % N) as f64 / N as f64;
            ([samples[at], samples[at + 1]], -circle)
        });
        turned(each, i % 2)
    };
    let sizes = [("blocks", 3)];
    assert_each(
        "fft_blocks",
        sizes,
        (["samples"], "spectra"),
        2e-5,
        component,
    );
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
            let circle = (q * frequency) as f64 / (4 * DONE) as f64;
            ([samples[at], samples[at + 1]], -circle)
        });
        turned(each, i % 2)
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
