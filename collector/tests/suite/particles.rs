//! Gravity in double precision, and Lennard-Jones forces.

use crate::{assert_each, whole};

#[test]
fn n_body_double_is_newtons_law() {
    const N: usize = 128;
    let component = |[bodies]: &[Vec<f64>; 1], i: usize| {
        let difference =
            |other: usize, axis: usize| bodies[4 * other + axis] - bodies[i / 4 * 4 + axis];
        let pull = |other: usize| {
            let squared: f64 = (0..3).map(|axis| difference(other, axis).powi(2)).sum();
            bodies[4 * other + 3] * difference(other, i % 4) / (squared + 0.01).powf(1.5)
        };
        if i % 4 == 3 {
            0.0
        } else {
            (0..N).map(pull).sum()
        }
    };
    assert_each(
        "n_body_double",
        [("n", N)],
        (["bodies"], "accelerations"),
        1e-9,
        component,
    );
}

/// Minus the derivative of 4 (r⁻¹² − r⁻⁶), along the line between the atoms.
#[test]
fn lennard_jones_pushes_and_pulls_listed_neighbours() {
    const ATOMS: usize = 1024;
    const NEIGHBOURS: usize = 12;
    let component = |[positions, lists]: &[Vec<f64>; 2], i: usize| {
        let atom = i / 4;
        let force = |k: usize| {
            let other = whole(lists[k * ATOMS + atom]);
            let difference = |axis: usize| positions[4 * atom + axis] - positions[4 * other + axis];
            let squared: f64 = (0..3).map(|axis| difference(axis).powi(2)).sum();
            let distance = squared.max(0.8).sqrt();
            let strength = 48.0 * distance.powi(-14) - 24.0 * distance.powi(-8);
            if squared < 4.0 {
                strength * difference(i % 4)
            } else {
                0.0
            }
        };
        if i % 4 == 3 {
            0.0
        } else {
            (0..NEIGHBOURS).map(force).sum()
        }
    };
    let sizes = [("atoms", ATOMS), ("neighbours", NEIGHBOURS)];
    assert_each(
        "lennard_jones",
        sizes,
        (["positions", "lists"], "forces"),
        1e-3,
        component,
    );
}
