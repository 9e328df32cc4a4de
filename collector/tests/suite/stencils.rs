//! Heat steps, a wide stencil and a fluid's step, and the transpose.

use crate::{assert_each, for_each_variant, numbers};

#[test]
fn transpose_changes_rows_and_columns() {
    const ROWS: usize = 48;
    const COLUMNS: usize = 32;
    let turned = |[source]: &[Vec<f64>; 1], i: usize| source[i % ROWS * COLUMNS + i / ROWS];
    let sizes = [("rows", ROWS), ("columns", COLUMNS)];
    assert_each("transpose", sizes, (["source"], "target"), 0.0, turned);
}

#[test]
fn stencil_5_point_spreads_heat_in_a_plane() {
    const WIDTH: usize = 32;
    let step = |[before]: &[Vec<f64>; 1], i: usize| {
        let at = |dx: usize, dy: usize| before[(i / WIDTH + dy) * (WIDTH + 2) + i % WIDTH + dx];
        0.2 * at(1, 1) + 0.2 * (at(0, 1) + at(2, 1) + at(1, 0) + at(1, 2))
    };
    let sizes = [("width", WIDTH), ("height", 48)];
    assert_each("stencil_5_point", sizes, (["before"], "after"), 1e-6, step);
}

#[test]
fn stencil_7_point_spreads_heat_in_space() {
    const NX: usize = 32;
    const NY: usize = 8;
    let step = |[before]: &[Vec<f64>; 1], i: usize| {
        let (x, y, z) = (i % NX, i / NX % NY, i / NX / NY);
        let at = |dx, dy, dz| before[((z + dz) * (NY + 2) + y + dy) * (NX + 2) + x + dx];
        let pairs =
            at(0, 1, 1) + at(2, 1, 1) + at(1, 0, 1) + at(1, 2, 1) + at(1, 1, 0) + at(1, 1, 2);
        0.4 * at(1, 1, 1) + 0.1 * pairs
    };
    let sizes = [("nx", NX), ("ny", NY), ("nz", 12)];
    assert_each("stencil_7_point", sizes, (["before"], "after"), 1e-6, step);
}

#[test]
fn stencil_wide_weighs_both_sides_alike() {
    const RADIUS: usize = 5;
    let sum = |[values, weights]: &[Vec<f64>; 2], i: usize| {
        (0..=2 * RADIUS)
            .map(|j| weights[j.abs_diff(RADIUS)] * values[i + j])
            .sum()
    };
    let sizes = [("n", 256), ("radius", RADIUS)];
    assert_each(
        "stencil_wide",
        sizes,
        (["values", "weights"], "sums"),
        1e-6,
        sum,
    );
}

const WIDTH: usize = 64;
const HEIGHT: usize = 8;
const CELLS: usize = WIDTH * HEIGHT;
/// Where the nine populations of a cell go, in the kernel's order.
const VELOCITIES: [[i8; 2]; 9] = [
    [0, 0],
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [1, 1],
    [-1, -1],
    [1, -1],
    [-1, 1],
];

/// Qian's equilibrium, as a product over the axes: Σ over a cell's populations of 1, v and v v is right.
#[test]
fn lattice_boltzmann_pulls_and_relaxes() {
    let from = |place: usize, by: i8, size: usize| {
        (place + size).wrapping_add_signed(-isize::from(by)) % size
    };
    let step = |[before]: &[Vec<f64>; 1], i: usize| {
        let (x, y) = (i % WIDTH, i % CELLS / WIDTH);
        let pulled: Vec<f64> = (0..9)
            .map(|q| {
                let [vx, vy] = VELOCITIES[q];
                before[q * CELLS + from(y, vy, HEIGHT) * WIDTH + from(x, vx, WIDTH)]
            })
            .collect();
        let density: f64 = pulled.iter().sum();
        let flow = [0, 1].map(|axis| {
            let momenta = pulled
                .iter()
                .zip(VELOCITIES)
                .map(|(p, v)| p * f64::from(v[axis]));
            momenta.sum::<f64>() / density
        });
        let here = VELOCITIES[i / CELLS].map(f64::from);
        let weight = match here.iter().map(|v| v * v).sum::<f64>() {
            squared if squared < 0.5 => 4.0 / 9.0,
            squared if squared < 1.5 => 1.0 / 9.0,
            _ => 1.0 / 36.0,
        };
        let along = here[0] * flow[0] + here[1] * flow[1];
        let squared = flow[0] * flow[0] + flow[1] * flow[1];
        let equilibrium =
            weight * density * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * squared);
        -0.25 * pulled[i / CELLS] + 1.25 * equilibrium
    };
    let sizes = [("width", WIDTH), ("height", HEIGHT)];
    assert_each(
        "lattice_boltzmann",
        sizes,
        (["before"], "after"),
        1e-6,
        step,
    );
}

#[test]
fn lattice_boltzmann_keeps_mass_and_momentum() {
    for_each_variant(
        "lattice_boltzmann",
        [("width", WIDTH), ("height", HEIGHT)],
        |run| {
            let moments = |populations: &[f64]| {
                let of = |factor: &dyn Fn([i8; 2]) -> i8| -> f64 {
                    let each = populations.iter().enumerate();
                    each.map(|(i, p)| p * f64::from(factor(VELOCITIES[i / CELLS])))
                        .sum()
                };
                [of(&|_| 1), of(&|v| v[0]), of(&|v| v[1])]
            };
            let before = moments(&numbers(&run.inputs["before"]));
            let after = moments(&numbers(&run.outputs["after"]));
            for (before, after) in before.iter().zip(after) {
                assert!((before - after).abs() < 1e-3, "{before}, then {after}");
            }
        },
    );
}
