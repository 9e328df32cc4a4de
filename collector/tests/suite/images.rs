//! The median and Sobel filters, by their definitions; beyond the edge the outermost pixels go on.

use crate::{for_each_variant, numbers};

// Not square, so that a mix-up of the axes shows.
const WIDTH: usize = 48;
const HEIGHT: usize = 32;
const SIZES: [(&str, usize); 2] = [("width", WIDTH), ("height", HEIGHT)];

/// The nine values around one of a pixel's four channels, row by row; `i` is its place in the image.
fn around(image: &[f64], i: usize) -> [f64; 9] {
    let (column, row, channel) = (i / 4 % WIDTH, i / 4 / WIDTH, i % 4);
    std::array::from_fn(|k| {
        let x = (column + k % 3).clamp(1, WIDTH) - 1;
        let y = (row + k / 3).clamp(1, HEIGHT) - 1;
        image[4 * (y * WIDTH + x) + channel]
    })
}

#[test]
fn median_filter_takes_the_median_of_nine() {
    for_each_variant("median_filter", SIZES, |run| {
        let image = numbers(&run.inputs["image"]);
        for (i, filtered) in numbers(&run.outputs["filtered"]).into_iter().enumerate() {
            let mut nine = around(&image, i);
            nine.sort_by(f64::total_cmp);
            assert_eq!(filtered.to_bits(), nine[4].to_bits(), "byte {i}");
        }
    });
}

#[test]
fn sobel_filter_is_half_the_gradient() {
    const ACROSS: [f64; 9] = [-1.0, 0.0, 1.0, -2.0, 0.0, 2.0, -1.0, 0.0, 1.0];
    const DOWN: [f64; 9] = [-1.0, -2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 1.0];
    for_each_variant("sobel_filter", SIZES, |run| {
        let image = numbers(&run.inputs["image"]);
        for (i, edge) in numbers(&run.outputs["edges"]).into_iter().enumerate() {
            let nine = around(&image, i);
            let along = |weights: [f64; 9]| -> f64 {
                nine.iter()
                    .zip(weights)
                    .map(|(it, weight)| it * weight)
                    .sum()
            };
            let expected = (along(ACROSS).hypot(along(DOWN)) / 2.0).min(255.0);
            // Cut down to a whole number, whose root may have been off by its last bit.
            let cut = expected - edge;
            assert!(
                (-1e-3..1.001).contains(&cut),
                "byte {i}: {edge}, expected {expected}"
            );
        }
    });
}
