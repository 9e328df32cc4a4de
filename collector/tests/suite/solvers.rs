//! Solvers by what they solve, factors by their product.

use crate::{RunOnce, for_each_variant, numbers};

fn inputs<const N: usize>(run: &RunOnce, names: [&str; N]) -> [Vec<f64>; N] {
    names.map(|name| numbers(&run.inputs[name]))
}

/// The number at `i`, or 0 beyond the ends.
fn at(numbers: &[f64], i: Option<usize>) -> f64 {
    i.and_then(|i| numbers.get(i)).copied().unwrap_or(0.0)
}

#[track_caller]
fn assert_near(actual: f64, expected: f64, tolerance: f64) {
    let difference = (actual - expected).abs();
    assert!(
        difference <= tolerance,
        "{actual}, expected {expected} within {tolerance}"
    );
}

#[test]
fn lu_tiles_multiply_to_the_matrices() {
    const SIDE: usize = 40;
    for_each_variant("lu_tiles", [("matrices", 2), ("side", SIDE)], |run| {
        let [matrices] = inputs(run, ["matrices"]);
        let factors = numbers(&run.outputs["factors"]);
        let tiles = factors.chunks_exact(SIDE * SIDE);
        for (matrix, lu) in matrices.chunks_exact(SIDE * SIDE).zip(tiles) {
            for (row, column) in (0..SIDE * SIDE).map(|i| (i / SIDE, i % SIDE)) {
                let lower = |k: usize| if k == row { 1.0 } else { lu[row * SIDE + k] };
                let product: f64 = (0..=row.min(column))
                    .map(|k| lower(k) * lu[k * SIDE + column])
                    .sum();
                let shift = if row == column { 65.0 } else { 0.0 };
                assert_near(product, matrix[row * SIDE + column] + shift, 1e-4);
            }
        }
    });
}

#[test]
fn back_substitution_solves_its_equations() {
    const N: usize = 50;
    const SYSTEMS: usize = 64;
    let sizes = [("n", N), ("systems", SYSTEMS)];
    for_each_variant("back_substitution", sizes, |run| {
        let [triangle, diagonal, right] = inputs(run, ["triangle", "diagonal", "unknowns"]);
        let x = numbers(&run.outputs["unknowns"]);
        for (i, right) in right.iter().enumerate() {
            let (row, system) = (i / SYSTEMS, i % SYSTEMS);
            let others: f64 = (row + 1..N)
                .map(|k| triangle[row * N + k] * x[k * SYSTEMS + system])
                .sum();
            assert_near(diagonal[row] * x[i] + others, *right, 1e-5);
        }
    });
}

#[test]
fn tridiagonal_systems_are_solved() {
    const SYSTEMS: usize = 64;
    let sizes = [("n", 40), ("systems", SYSTEMS)];
    for_each_variant("tridiagonal_systems", sizes, |run| {
        let [below, diagonal, above, right] = inputs(run, ["below", "diagonal", "above", "right"]);
        let x = numbers(&run.outputs["solutions"]);
        for i in 0..x.len() {
            let left = below[i] * at(&x, i.checked_sub(SYSTEMS));
            let sum = left + diagonal[i] * x[i] + above[i] * at(&x, Some(i + SYSTEMS));
            assert_near(sum, right[i], 1e-6);
        }
    });
}

#[test]
fn cyclic_reduction_solves_every_equation() {
    for_each_variant("cyclic_reduction", [("systems", 3)], |run| {
        let [equations] = inputs(run, ["equations"]);
        let solutions = numbers(&run.outputs["solutions"]);
        for (equations, x) in equations.chunks_exact(512).zip(solutions.chunks_exact(128)) {
            for (i, equation) in equations.chunks_exact(4).enumerate() {
                let left = equation[0] * at(x, i.checked_sub(1));
                let sum = left + (equation[1] + 4.0) * x[i] + equation[2] * at(x, Some(i + 1));
                assert_near(sum, equation[3], 2e-6);
            }
        }
    });
}

#[test]
fn conjugate_gradients_balance_the_heat() {
    for_each_variant("conjugate_gradients", [("rods", 3), ("steps", 64)], |run| {
        let [leaks, heat] = inputs(run, ["leaks", "heat"]);
        let temperatures = numbers(&run.outputs["temperatures"]);
        for (rod, t) in temperatures.chunks_exact(64).enumerate() {
            for i in 0..64_usize {
                let flows = at(t, i.checked_sub(1)) + at(t, Some(i + 1));
                let balance = (2.0 + leaks[64 * rod + i]) * t[i] - flows;
                assert_near(balance, heat[64 * rod + i], 1e-5);
            }
        }
    });
}

#[test]
fn implicit_rows_give_back_the_old_field() {
    const COLUMNS: usize = 50;
    let sizes = [("rows", 32), ("columns", COLUMNS)];
    for_each_variant("implicit_rows", sizes, |run| {
        let [before] = inputs(run, ["field"]);
        let after = numbers(&run.outputs["field"]);
        let rows = before.chunks_exact(COLUMNS);
        for (before, after) in rows.zip(after.chunks_exact(COLUMNS)) {
            for i in 0..COLUMNS {
                let beside = at(after, i.checked_sub(1)) + at(after, Some(i + 1));
                assert_near(2.5 * after[i] - 0.75 * beside, before[i], 1e-4);
            }
        }
    });
}

#[test]
fn small_inverses_times_their_matrices_are_1() {
    const SIDE: usize = 6;
    for_each_variant("small_inverses", [("matrices", 64)], |run| {
        let [matrices] = inputs(run, ["matrices"]);
        let inverses = numbers(&run.outputs["inverses"]);
        let tiles = matrices.chunks_exact(SIDE * SIDE);
        for (matrix, inverse) in tiles.zip(inverses.chunks_exact(SIDE * SIDE)) {
            // An inverse is as exact as its matrix is far from having none.
            let largest = inverse.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            for (row, column) in (0..SIDE * SIDE).map(|i| (i / SIDE, i % SIDE)) {
                let product: f64 = (0..SIDE)
                    .map(|k| matrix[row * SIDE + k] * inverse[k * SIDE + column])
                    .sum();
                let one = if row == column { 1.0 } else { 0.0 };
                assert_near(product, one, 4e-6 * largest);
            }
        }
    });
}

/// A matrix has as many eigenvalues below s as its LDLᵀ factors, shifted by s, have negative pivots
/// (Sylvester's law of inertia).
#[test]
fn jacobi_eigenvalues_lie_where_pivots_change_their_sign() {
    const SIDE: usize = 8;
    let below = |matrix: &[f64], shift: f64| -> usize {
        let mut a: Vec<Vec<f64>> = (0..SIDE)
            .map(|i| {
                (0..SIDE)
                    .map(|j| matrix[i.min(j) * SIDE + i.max(j)])
                    .collect()
            })
            .collect();
        for (i, row) in a.iter_mut().enumerate() {
            row[i] -= shift;
        }
        for pivot in 0..SIDE {
            let first = a[pivot].clone();
            for row in &mut a[pivot + 1..] {
                let factor = row[pivot] / first[pivot];
                for (number, first) in row.iter_mut().zip(&first).skip(pivot) {
                    *number -= factor * first;
                }
            }
        }
        (0..SIDE).filter(|i| a[*i][*i] < 0.0).count()
    };
    let sizes = [("matrices", 64), ("sweeps", 8)];
    for_each_variant("jacobi_eigenvalues", sizes, |run| {
        let [matrices] = inputs(run, ["matrices"]);
        let eigenvalues = numbers(&run.outputs["eigenvalues"]);
        let tiles = matrices.chunks_exact(SIDE * SIDE);
        for (matrix, eigenvalues) in tiles.zip(eigenvalues.chunks_exact(SIDE)) {
            for (k, eigenvalue) in eigenvalues.iter().enumerate() {
                assert!(below(matrix, eigenvalue - 1e-5) <= k, "{eigenvalues:?}");
                assert!(below(matrix, eigenvalue + 1e-5) > k, "{eigenvalues:?}");
            }
        }
    });
}
