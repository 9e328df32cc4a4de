//! What cameras and editors do to pictures, by its definitions.

use crate::{assert_each, for_each_variant, networks::words, numbers, whole};

// Not square, so that a mix-up of the axes shows, and no multiples of work-groups.
const WIDTH: usize = 52;
const HEIGHT: usize = 30;
const SIZES: [(&str, usize); 2] = [("width", WIDTH), ("height", HEIGHT)];

/// `i` + `step` − `radius`, but not beyond the ends of 0 to n − 1.
fn clamped(i: usize, step: usize, radius: usize, n: usize) -> usize {
    (i + step).clamp(radius, n - 1 + radius) - radius
}

/// Every colour of the table counts for as much as it is less than a cell away, along each axis.
#[test]
fn colour_lookup_lies_between_the_colours_of_a_table() {
    let curve = |k: usize| (k as f64 / 16.0).powf(0.8);
    let graded = |[pixels, table]: &[Vec<f64>; 2], i: usize| {
        if i % 4 == 3 {
            return pixels[i];
        }
        let places: [f64; 3] = std::array::from_fn(|axis| {
            let along = pixels[i / 4 * 4 + axis] / 255.0 * 16.0;
            let step = whole(along).min(15);
            8.0 * (curve(step) + (along - step as f64) * (curve(step + 1) - curve(step)))
        });
        let share = |cell: usize| -> f64 {
            let cells = [cell % 9, cell / 9 % 9, cell / 81];
            let near = places.iter().zip(cells);
            near.map(|(place, cell)| (1.0 - (place - cell as f64).abs()).max(0.0))
                .product()
        };
        let colour: f64 = (0..729)
            .map(|cell| share(cell) * table[4 * cell + i % 4])
            .sum();
        (0.25 * pixels[i] + 0.75 * 255.0 * colour).clamp(0.0, 255.0)
    };
    let extreme = |[pixels, extremes]: &[Vec<f64>; 2], i: usize| {
        let is_one = |pixel: &&[f64]| match i {
            0 => pixel[..3].iter().any(|channel| *channel > 254.0),
            _ => pixel[..3].iter().all(|channel| *channel < 16.0),
        };
        extremes[i] + pixels.chunks_exact(4).filter(is_one).count() as f64
    };
    let sizes = [("pixels", 1000), ("items", 256)];
    let kernel = "colour_lookup";
    // Rounded to whole numbers.
    assert_each(kernel, sizes, (["pixels", "table"], "graded"), 0.51, graded);
    let buffers = (["pixels", "extremes"], "extremes");
    assert_each(kernel, sizes, buffers, 0.0, extreme);
}

#[test]
fn local_contrast_counts_pixels_that_are_no_brighter() {
    const RADIUS: usize = 3;
    const LIMIT: usize = 2;
    let equalised = |[image]: &[Vec<f64>; 1], i: usize| {
        let mut bins = [0; 64];
        for k in 0..49 {
            let x = clamped(i % WIDTH, k % 7, RADIUS, WIDTH);
            let y = clamped(i / WIDTH, k / 7, RADIUS, HEIGHT);
            bins[whole(image[y * WIDTH + x]) / 4] += 1;
        }
        let own = whole(image[i]) / 4;
        let kept: usize = bins[..=own].iter().map(|count| LIMIT.min(*count)).sum();
        let dealt_out: usize = bins.iter().map(|count| count - LIMIT.min(*count)).sum();
        (255 * (64 * kept + (own + 1) * dealt_out) / (64 * 49)) as f64
    };
    let sizes = [("width", WIDTH), ("height", HEIGHT), ("radius", RADIUS)];
    let buffers = (["image"], "equalised");
    assert_each("local_contrast", sizes, buffers, 0.0, equalised);
}

/// Means of the neighbours that have seen a colour, and shares of how far the pixel's own colour lies above its
/// mean around.
#[test]
fn demosaic_estimates_the_colours_that_a_pixel_lacks() {
    const GAINS: [f64; 4] = [21.5, 16.0, 26.25, 0.0];
    let mirrored = |i: usize, n: usize| match i {
        0 | 1 => 2 - i,
        _ if i - 2 < n => i - 2,
        _ => 2 * n - i,
    };
    let colour = |[mosaic]: &[Vec<f64>; 1], i: usize| {
        let (x, y) = (i / 4 % WIDTH, i / 4 / WIDTH);
        let at = |dx: usize, dy: usize| {
            mosaic[mirrored(y + dy, HEIGHT) * WIDTH + mirrored(x + dx, WIDTH)]
        };
        let own = at(2, 2);
        let (beside, below) = (at(1, 2) + at(3, 2), at(2, 1) + at(2, 3));
        let (far_beside, far_below) = (at(0, 2) + at(4, 2), at(2, 0) + at(2, 4));
        let corners = at(1, 1) + at(1, 3) + at(3, 1) + at(3, 3);
        let above_mean = own - (far_beside + far_below) / 4.0;
        let green = (beside + below) / 4.0 + above_mean / 2.0;
        let diagonal = corners / 4.0 + 0.75 * above_mean;
        let along = |near: f64, far: f64, across: f64| {
            near / 2.0 + 0.625 * own - corners / 8.0 - far / 8.0 + across / 16.0
        };
        let row = along(beside, far_beside, far_below);
        let column = along(below, far_below, far_beside);
        let colours = match (y % 2, x % 2) {
            (0, 0) => [own, green, diagonal, 0.0],
            (0, _) => [row, own, column, 0.0],
            (_, 0) => [column, own, row, 0.0],
            _ => [diagonal, green, own, 0.0],
        };
        ((colours[i % 4] - 64.0) * GAINS[i % 4]).clamp(0.0, 65535.0)
    };
    // Rounded to whole numbers.
    assert_each("demosaic", SIZES, (["mosaic"], "colours"), 0.51, colour);
}

#[test]
fn dilation_takes_the_brightest_under_the_element() {
    let brightest = |[image, element]: &[Vec<f64>; 2], i: usize| {
        let under = (0..15 * 15).filter(|k| whole(element[k / 15]) >> (k % 15) & 1 == 1);
        let at = |k: usize| image[(i / WIDTH + k / 15) * (WIDTH + 14) + i % WIDTH + k % 15];
        under.map(at).fold(0.0, f64::max)
    };
    let buffers = (["image", "element"], "dilated");
    assert_each("dilation", SIZES, buffers, 0.0, brightest);
}

#[test]
fn detection_cascade_gives_up_where_votes_are_too_few() {
    const STAGES: usize = 4;
    const PITCH: usize = WIDTH + 1;
    const ACROSS: usize = WIDTH - 23;
    let within = |sums: &[f64], corner: usize, [left, top, width, height]: [usize; 4]| {
        let start = corner + top * PITCH + left;
        let end = start + height * PITCH;
        sums[end + width] - sums[start + width] - sums[end] + sums[start]
    };
    let sizes = [("width", WIDTH), ("height", HEIGHT), ("stages", STAGES)];
    for_each_variant("detection_cascade", sizes, |run| {
        let [sums, squares] = ["sums", "squares"].map(|name| numbers(&run.inputs[name]));
        let [features, stages] = ["features", "stages"].map(|name| words(&run.inputs[name]));
        let passed = |corner: usize| {
            let sum = within(&sums, corner, [0, 0, 24, 24]);
            let spread = within(&squares, corner, [0, 0, 24, 24]) * 576.0 - sum * sum;
            let scale = spread.max(1.0).sqrt();
            let vote = |feature: &[[u8; 4]]| {
                let [first, second] = [0, 1].map(|part| feature[part].map(usize::from));
                let area = |part: [usize; 4]| (part[2] * part[3]) as f64;
                let difference = within(&sums, corner, first) * area(second)
                    - within(&sums, corner, second) * area(first);
                let is_below = difference < f64::from(f32::from_ne_bytes(feature[2])) * scale;
                i32::from_ne_bytes(feature[if is_below { 4 } else { 5 }])
            };
            let passes = |stage: &&[[u8; 4]]| {
                let [begin, end, least] = [0, 1, 2].map(|i| i32::from_ne_bytes(stage[i]));
                let [begin, end] = [begin, end].map(|i| usize::try_from(i).expect("a feature"));
                let own = features[6 * begin..6 * end].chunks_exact(6);
                own.map(vote).sum::<i32>() >= least
            };
            stages.chunks_exact(3).take_while(passes).count()
        };
        let mut counts = numbers(&run.inputs["passes"]);
        let mut reached = [0; STAGES + 1];
        for (i, actual) in run.outputs["reached"].as_u8().iter().enumerate() {
            let expected = passed(i / ACROSS * PITCH + i % ACROSS);
            assert_eq!(usize::from(*actual), expected, "window {i}");
            reached[expected] += 1;
            if expected > 0 {
                counts[expected - 1] += 1.0;
            }
        }
        assert_eq!(numbers(&run.outputs["passes"]), counts);
        let some = reached.iter().filter(|windows| **windows > 0).count();
        assert!(some >= 3, "{reached:?}");
    });
}

#[test]
fn non_local_means_weighs_by_likeness_of_patches() {
    let denoised = |[image]: &[Vec<f64>; 1], i: usize| {
        let (x, y) = (i / 4 % WIDTH, i / 4 / WIDTH);
        let at = |dx: usize, dy: usize, channel: usize| {
            let (x, y) = (clamped(x, dx, 4, WIDTH), clamped(y, dy, 4, HEIGHT));
            image[4 * (y * WIDTH + x) + channel]
        };
        let weighed = (0..49).map(|k| {
            let (left, top) = (k % 7, k / 7);
            let difference = (0..27).map(|p| {
                let (dx, dy, channel) = (p % 9 / 3, p / 9, p % 3);
                (at(3 + dx, 3 + dy, channel) - at(left + dx, top + dy, channel)).powi(2)
            });
            let weight = (-2e-5 * difference.sum::<f64>()).exp();
            (weight, weight * at(left + 1, top + 1, i % 4))
        });
        let (weights, sum) = weighed.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        sum / weights
    };
    // Rounded to whole numbers.
    let buffers = (["image"], "denoised");
    assert_each("non_local_means", SIZES, buffers, 0.51, denoised);
}
