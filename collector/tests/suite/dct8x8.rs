//! The blocks' cosine transform against rustdct's.

use rustdct::DctPlanner;

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

/// The orthonormal transform: rustdct leaves the scaling to its caller.
fn transform(eight: &mut [f64]) {
    DctPlanner::new().plan_dct2(BLOCK).process_dct2(eight);
    for (frequency, coefficient) in eight.iter_mut().enumerate() {
        *coefficient *= if frequency == 0 {
            0.125_f64.sqrt()
        } else {
            0.5
        };
    }
}
