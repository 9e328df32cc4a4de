//! One time step of the stencil against its definition, in double precision.

use crate::{assert_close, for_each_variant, to_f64};

const NX: usize = 64;
const NY: usize = 16;
const NZ: usize = 6;
const RADIUS: usize = 4;

#[test]
fn is_one_step_of_the_heat_equation() {
    for_each_variant("fdtd3d", [("nx", NX), ("ny", NY), ("nz", NZ)], |run| {
        let before = to_f64(run.inputs["before"].as_f32());
        let at = |x: usize, y: usize, z: usize| {
            before[(z * (NY + 2 * RADIUS) + y) * (NX + 2 * RADIUS) + x]
        };
        let mut after = Vec::new();
        for z in RADIUS..NZ + RADIUS {
            for y in RADIUS..NY + RADIUS {
                for x in RADIUS..NX + RADIUS {
                    let laplacian = second_derivative(|i| at(x + i - RADIUS, y, z))
                        + second_derivative(|i| at(x, y + i - RADIUS, z))
                        + second_derivative(|i| at(x, y, z + i - RADIUS));
                    after.push(at(x, y, z) + 0.1 * laplacian);
                }
            }
        }
        assert_close(run.outputs["after"].as_f32(), &after, 1e-6);
    });
}

/// The central difference of order 8 (Fornberg, Math. Comp. 51 (1988), table 1) at the middle of nine points.
pub(crate) fn second_derivative(point: impl Fn(usize) -> f64) -> f64 {
    let weights = [
        -1.0 / 560.0,
        8.0 / 315.0,
        -1.0 / 5.0,
        8.0 / 5.0,
        -205.0 / 72.0,
        8.0 / 5.0,
        -1.0 / 5.0,
        8.0 / 315.0,
        -1.0 / 560.0,
    ];
    weights
        .iter()
        .enumerate()
        .map(|(i, weight)| weight * point(i))
        .sum()
}
