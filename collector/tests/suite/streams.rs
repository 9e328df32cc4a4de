//! Copies, sums of vectors, and chains of multiply-adds.

use crate::assert_each;

#[test]
fn vector_copy_copies() {
    assert_each(
        "vector_copy",
        [("n", 2048)],
        (["source"], "target"),
        0.0,
        |[source], i| source[i],
    );
}

#[test]
fn strided_copy_takes_every_third() {
    let sizes = [("n", 256), ("stride", 3)];
    assert_each(
        "strided_copy",
        sizes,
        (["source"], "target"),
        0.0,
        |[source], i| source[3 * i],
    );
}

#[test]
fn triad_adds_three_times_y() {
    let sum = |[x, y]: &[Vec<f64>; 2], i: usize| x[i] + 3.0 * y[i];
    assert_each("triad", [("n", 1024)], (["x", "y"], "sum"), 5e-7, sum);
}

#[test]
fn daxpy_rounds_once() {
    let sum = |[x, y]: &[Vec<f64>; 2], i: usize| (-1.7_f64).mul_add(x[i], y[i]);
    assert_each("daxpy", [("n", 512)], (["x", "y"], "sum"), 0.0, sum);
}

/// v → s v + o comes near its fixed point o / (1 − s) by the factor s a step.
#[test]
fn fma_chain_nears_its_fixed_point() {
    const SLOPE: f64 = -1023.0 / 1024.0;
    let fixed = 0.5 / (1.0 - SLOPE);
    let end = |[starts]: &[Vec<f64>; 1], i: usize| fixed + SLOPE.powi(100) * (starts[i] - fixed);
    let sizes = [("n", 1024), ("steps", 100)];
    assert_each("fma_chain", sizes, (["starts"], "ends"), 1e-5, end);
}
