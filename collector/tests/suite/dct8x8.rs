//! The blocks' cosine transform, by its definition.

use std::f64::consts::PI;

use crate::{assert_close, for_each_variant, to_f64};

const WIDTH: usize = 128;
const HEIGHT: usize = 24;
const BLOCK: usize = 8;

#[test]
fn is_the_dct_of_every_block() {
    for_each_variant("dct8x8", [("width", WIDTH), ("height", HEIGHT)], |run| {
        let mut image = to_f64(run.inputs["image"].as_f32());
        for row in image.chunks_exact_mut(BLOCK) {
            transform(row);
        }
        for top in (0..HEIGHT).step_by(BLOCK) {
            for x in 0..WIDTH {
                let mut column: Vec<f64> =
                    (top..top + BLOCK).map(|y| image[y * WIDTH + x]).collect();
                transform(&mut column);
                for (y, coefficient) in (top..).zip(column) {
                    image[y * WIDTH + x] = coefficient;
                }
            }
        }
        assert_close(run.outputs["coefficients"].as_f32(), &image, 1e-2);
    });
}

/// The orthonormal transform, by its definition.
fn transform(eight: &mut [f64]) {
    let values = eight.to_vec();
    for (frequency, coefficient) in eight.iter_mut().enumerate() {
        let wave = |x: usize| ((x as f64 + 0.5) * frequency as f64 * PI / BLOCK as f64).cos();
        let sum: f64 = values.iter().enumerate().map(|(x, it)| it * wave(x)).sum();
        *coefficient = match frequency {
            0 => sum * 0.125_f64.sqrt(),
            _ => sum * 0.5,
        };
    }
}
