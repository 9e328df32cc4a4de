//! Blurs, votes for lines, and rays that meet spheres.

use crate::{RunOnce, assert_each, for_each_variant, whole};

const WIDTH: usize = 64;
const HEIGHT: usize = 32;
const SIZES: [(&str, usize); 2] = [("width", WIDTH), ("height", HEIGHT)];

#[test]
fn bilateral_filter_weighs_by_place_and_brightness() {
    let smoothed = |[image]: &[Vec<f64>; 1], i: usize| {
        let (left, top) = (i % WIDTH, i / WIDTH);
        let pixel = |x: usize, y: usize| image[(top + y) * (WIDTH + 6) + left + x];
        let weighed = (0..49).map(|k| {
            let (x, y) = (k % 7, k / 7);
            let difference = (x as f64 - 3.0).powi(2) + (y as f64 - 3.0).powi(2);
            let other = pixel(x, y) - pixel(3, 3);
            let weight = (-difference / 12.5 - other.powi(2) / 0.08).exp();
            (weight, weight * pixel(x, y))
        });
        let (weights, sum) = weighed.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        sum / weights
    };
    let buffers = (["image"], "smoothed");
    assert_each("bilateral_filter", SIZES, buffers, 1e-6, smoothed);
}

#[test]
fn box_blur_rows_takes_the_mean_around() {
    const COLUMNS: i64 = 50;
    const RADIUS: i64 = 4;
    for_each_variant(
        "box_blur_rows",
        [("rows", 32), ("columns", 50), ("radius", 4)],
        |run| {
            let rows = run.inputs["image"].as_u16().chunks_exact(50);
            for (row, blurred) in rows.zip(run.outputs["blurred"].as_u16().chunks_exact(50)) {
                let pixel = |c: i64| {
                    let inside = c.clamp(0, COLUMNS - 1);
                    u32::from(row[usize::try_from(inside).expect("inside")])
                };
                for (c, blurred) in (0..COLUMNS).zip(blurred) {
                    let sum: u32 = (c - RADIUS..=c + RADIUS).map(pixel).sum();
                    assert_eq!(u32::from(*blurred), sum / 9, "column {c}");
                }
            }
        },
    );
}

#[test]
fn hough_lines_counts_votes_of_bright_pixels() {
    const DISTANCES: usize = 2 * WIDTH + HEIGHT;
    let count = |[image, directions, votes]: &[Vec<f64>; 3], i: usize| {
        let (angle, distance) = (i / DISTANCES, (i % DISTANCES) as f64 - WIDTH as f64);
        let (cosine, sine) = (directions[2 * angle], directions[2 * angle + 1]);
        let bright = (0..WIDTH * HEIGHT).filter(|pixel| image[*pixel] > 230.0);
        let distances = bright.map(|pixel| {
            let (x, y) = ((pixel % WIDTH) as f64, (pixel / WIDTH) as f64);
            ((x * cosine + y * sine) / 16_384.0).floor()
        });
        votes[i] + distances.filter(|own| (own - distance).abs() < 0.5).count() as f64
    };
    let buffers = (["image", "directions", "votes"], "votes");
    assert_each("hough_lines", SIZES, buffers, 0.0, count);
}

/// The table is what it says it is: cosines and sines of multiples of π/16.
#[test]
fn hough_lines_has_sixteen_directions() {
    for_each_variant("hough_lines", SIZES, |run| {
        let directions = run.inputs["directions"].as_i32().chunks_exact(2);
        assert_eq!(directions.len(), 16);
        for (k, direction) in directions.enumerate() {
            let (sine, cosine) = (k as f64 * std::f64::consts::PI / 16.0).sin_cos();
            for (actual, exact) in direction.iter().zip([cosine, sine]) {
                assert!((f64::from(*actual) - 16_384.0 * exact).abs() < 0.51);
            }
        }
    });
}

/// By the quadratic equation for a point of the ray that lies on the sphere.
#[test]
fn ray_spheres_finds_the_nearest() {
    let depth = |[spheres]: &[Vec<f64>; 1], i: usize| {
        let ray = [
            ((i % WIDTH) as f64 + 0.5) / WIDTH as f64 - 0.5,
            ((i / WIDTH) as f64 + 0.5) / HEIGHT as f64 - 0.5,
            1.0,
        ];
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let meets = |sphere: &[f64]| {
            let away = [sphere[0], sphere[1], sphere[2] + 3.0];
            let radius = 0.05 + 0.05 * sphere[3].abs();
            let (a, b) = (dot(&ray, &ray), dot(&ray, &away));
            let discriminant = b * b - a * (dot(&away, &away) - radius * radius);
            (discriminant > 0.0).then(|| (b - discriminant.sqrt()) / a * a.sqrt())
        };
        let nearest = spheres.chunks_exact(4).filter_map(meets).reduce(f64::min);
        nearest.unwrap_or(-1.0)
    };
    let sizes = [("width", WIDTH), ("height", HEIGHT), ("spheres", 20)];
    assert_each("ray_spheres", sizes, (["spheres"], "depths"), 1e-3, depth);
    let hit = |run: &RunOnce| {
        let depths = run.outputs["depths"].as_f32();
        depths
            .iter()
            .filter(|depth| whole(f64::from(**depth)) > 1)
            .count()
    };
    for_each_variant("ray_spheres", sizes, |run| assert!(hit(run) > 20));
}
