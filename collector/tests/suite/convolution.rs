//! Convolutions, an image at another size, and in other colours.

use crate::assert_each;

const WIDTH: usize = 64;
const HEIGHT: usize = 32;
const SIZES: [(&str, usize); 2] = [("width", WIDTH), ("height", HEIGHT)];

#[test]
fn convolve_rows_weighs_17_along_a_row() {
    let sum = |[image, weights]: &[Vec<f64>; 2], i: usize| {
        let first = i / WIDTH * (WIDTH + 16) + i % WIDTH;
        (0..17).map(|r| weights[r] * image[first + r]).sum()
    };
    assert_each(
        "convolve_rows",
        SIZES,
        (["image", "weights"], "convolved"),
        5e-7,
        sum,
    );
}

#[test]
fn convolve_columns_weighs_17_along_a_column() {
    let sum = |[image, weights]: &[Vec<f64>; 2], i: usize| {
        (0..17).map(|r| weights[r] * image[i + r * WIDTH]).sum()
    };
    assert_each(
        "convolve_columns",
        SIZES,
        (["image", "weights"], "convolved"),
        5e-7,
        sum,
    );
}

#[test]
fn convolve_5x5_weighs_25_around_each_point() {
    let sum = |[image, weights]: &[Vec<f64>; 2], i: usize| {
        let point = |k: usize| image[(i / WIDTH + k / 5) * (WIDTH + 4) + i % WIDTH + k % 5];
        (0..25).map(|k| weights[k] * point(k)).sum()
    };
    assert_each(
        "convolve_5x5",
        SIZES,
        (["image", "weights"], "convolved"),
        5e-7,
        sum,
    );
}

/// Each source pixel counts by its nearness on both axes: a tent of the pixels' width.
#[test]
fn bilinear_resize_weighs_by_nearness() {
    let [(source_width, source_height), (width, height)] = [(40, 24), (64, 32)];
    let pixel = |[source]: &[Vec<f64>; 1], i: usize| {
        let (column, row, channel) = (i / 4 % width, i / 4 / width, i % 4);
        let tents = |place: usize, from: usize, to: usize| -> Vec<f64> {
            let last = (from - 1) as f64;
            let centre = ((place as f64 + 0.5) * from as f64 / to as f64 - 0.5).clamp(0.0, last);
            (0..from)
                .map(|k| (1.0 - (k as f64 - centre).abs()).max(0.0))
                .collect()
        };
        let across = tents(column, source_width, width);
        let down = tents(row, source_height, height);
        let each = (0..source_width * source_height)
            .map(|k| across[k % source_width] * down[k / source_width] * source[4 * k + channel]);
        each.sum()
    };
    let sizes = [
        ("source_width", source_width),
        ("source_height", source_height),
        ("width", width),
        ("height", height),
    ];
    // Half a step by rounding, and float's error.
    assert_each(
        "bilinear_resize",
        sizes,
        (["source"], "target"),
        0.5 + 1e-3,
        pixel,
    );
}

/// ITU-R BT.601 in real numbers; the kernel's factors are rounded to 1/256.
#[test]
fn rgb_to_yuv_is_bt_601() {
    let component = |[colours]: &[Vec<f64>; 1], i: usize| {
        let [red, green, blue] = [0, 1, 2].map(|channel| colours[i / 4 * 4 + channel] / 255.0);
        let luminance = 0.299 * red + 0.587 * green + 0.114 * blue;
        match i % 4 {
            0 => 16.0 + 219.0 * luminance,
            1 => 128.0 + 224.0 * (blue - luminance) / 1.772,
            2 => 128.0 + 224.0 * (red - luminance) / 1.402,
            _ => colours[i],
        }
    };
    assert_each(
        "rgb_to_yuv",
        [("pixels", 512)],
        (["colours"], "yuv"),
        1.2,
        component,
    );
}
