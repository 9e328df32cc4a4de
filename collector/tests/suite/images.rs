//! The median and Sobel filters against imageproc's.

use image::{GrayImage, RgbaImage};
use imageproc::{
    filter::median_filter,
    gradients::{horizontal_sobel, vertical_sobel},
};

use crate::for_each_variant;

// Not square, so that a mix-up of the axes shows.
const WIDTH: u32 = 48;
const HEIGHT: u32 = 32;
const SIZES: [(&str, usize); 2] = [("width", WIDTH as usize), ("height", HEIGHT as usize)];

fn image_of(bytes: &[u8]) -> RgbaImage {
    RgbaImage::from_raw(WIDTH, HEIGHT, bytes.to_vec()).expect("four bytes a pixel")
}

#[test]
fn median_filter_takes_the_median_of_nine() {
    for_each_variant("median_filter", SIZES, |run| {
        let expected = median_filter(&image_of(run.inputs["image"].as_u8()), 1, 1);
        assert_eq!(
            run.outputs["filtered"].as_u8(),
            expected.as_raw().as_slice()
        );
    });
}

#[test]
fn sobel_filter_is_half_the_gradient() {
    for_each_variant("sobel_filter", SIZES, |run| {
        let image = image_of(run.inputs["image"].as_u8());
        let edges = image_of(run.outputs["edges"].as_u8());
        for channel in 0..4 {
            let gray = GrayImage::from_fn(WIDTH, HEIGHT, |x, y| [image[(x, y)][channel]].into());
            let (horizontal, vertical) = (horizontal_sobel(&gray), vertical_sobel(&gray));
            for (x, y, edge) in edges.enumerate_pixels() {
                let [h, v] =
                    [&horizontal, &vertical].map(|gradient| f64::from(gradient[(x, y)][0]));
                let expected = (h.hypot(v) / 2.0).min(255.0);
                // Cut down to a whole number, whose root may have been off by its last bit.
                let cut = expected - f64::from(edge[channel]);
                assert!(
                    (-1e-3..1.001).contains(&cut),
                    "({x}, {y}): {edge:?}, expected {expected}"
                );
            }
        }
    });
}
