//! One time step of n bodies against Newton's law (softened as Plummer's sphere), in double precision.

use crate::{assert_close, for_each_variant, to_f64};

const N: usize = 192;
const TIME_STEP: f64 = 0.005;
const SOFTENING_SQUARED: f64 = 0.01;

#[test]
fn moves_every_body_by_the_pull_of_all_others() {
    for_each_variant("n_body", [("n", N)], |run| {
        let positions = to_f64(run.inputs["positions"].as_f32());
        let velocities = to_f64(run.inputs["velocities"].as_f32());
        let mut new_positions = positions.clone();
        let mut new_velocities = velocities.clone();
        for body in 0..N {
            for axis in 0..3 {
                let at = 4 * body + axis;
                let acceleration: f64 = (0..N)
                    .filter(|other| *other != body)
                    .map(|other| pull(&positions, body, other, axis))
                    .sum();
                new_positions[at] +=
                    velocities[at] * TIME_STEP + acceleration * TIME_STEP.powi(2) / 2.0;
                new_velocities[at] += acceleration * TIME_STEP;
            }
        }
        // float's rounding: a velocity gains up to 5 from 192 pulls of up to 1000 · TIME_STEP in all.
        assert_close(run.outputs["new_positions"].as_f32(), &new_positions, 1e-5);
        assert_close(
            run.outputs["new_velocities"].as_f32(),
            &new_velocities,
            1e-4,
        );
    });
}

/// m d / (|d|² + ε²)^(3/2), one component of it.
fn pull(positions: &[f64], body: usize, other: usize, axis: usize) -> f64 {
    let difference = |axis: usize| positions[4 * other + axis] - positions[4 * body + axis];
    let distance_squared: f64 = (0..3).map(|axis| difference(axis).powi(2)).sum();
    positions[4 * other + 3] * difference(axis) / (distance_squared + SOFTENING_SQUARED).powf(1.5)
}
