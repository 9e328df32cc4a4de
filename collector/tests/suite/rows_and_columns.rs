//! What goes along the rows of a matrix, or down its columns.

use crate::assert_each;

const ROWS: usize = 64;
const COLUMNS: usize = 96;
const SIZES: [(&str, usize); 2] = [("rows", ROWS), ("columns", COLUMNS)];

fn row(matrix: &[f64], r: usize) -> &[f64] {
    &matrix[r * COLUMNS..][..COLUMNS]
}

fn column(matrix: &[f64], c: usize) -> impl Iterator<Item = f64> + Clone + '_ {
    matrix[c..].iter().copied().step_by(COLUMNS)
}

fn dot<'a>(a: impl IntoIterator<Item = f64>, b: impl IntoIterator<Item = &'a f64>) -> f64 {
    a.into_iter().zip(b).map(|(a, b)| a * b).sum()
}

fn mean(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    numbers.clone().sum::<f64>() / numbers.count() as f64
}

fn variance(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let middle = mean(numbers.clone());
    mean(numbers.map(|number| (number - middle).powi(2)))
}

#[test]
fn gemv_transposed_is_the_product() {
    let product = |[a, x]: &[Vec<f64>; 2], c: usize| dot(column(a, c), x);
    assert_each("gemv_transposed", SIZES, (["a", "x"], "y"), 1e-5, product);
}

#[test]
fn covariance_is_that_of_every_pair() {
    const VARIABLES: usize = 32;
    const SAMPLES: usize = 40;
    let covariance = |[samples, means]: &[Vec<f64>; 2], at: usize| {
        let (i, j) = (at / VARIABLES, at % VARIABLES);
        let products = samples
            .chunks_exact(VARIABLES)
            .map(|sample| (sample[i] - means[i]) * (sample[j] - means[j]));
        products.sum::<f64>() / (SAMPLES - 1) as f64
    };
    assert_each(
        "covariance",
        [("variables", VARIABLES), ("samples", SAMPLES)],
        (["samples", "means"], "matrix"),
        1e-6,
        covariance,
    );
}

#[test]
fn column_variances_are_those_of_two_passes() {
    let middle = |[matrix]: &[Vec<f64>; 1], c: usize| mean(column(matrix, c));
    let spread = |[matrix]: &[Vec<f64>; 1], c: usize| variance(column(matrix, c));
    let kernel = "column_variances";
    assert_each(kernel, SIZES, (["matrix"], "means"), 1e-5, middle);
    assert_each(kernel, SIZES, (["matrix"], "variances"), 1e-4, spread);
}

#[test]
fn layer_norm_makes_mean_0_and_variance_1() {
    let normal = |[inputs, gains, biases]: &[Vec<f64>; 3], i: usize| {
        let own = || row(inputs, i / COLUMNS).iter().copied();
        let (c, deviation) = (i % COLUMNS, (variance(own()) + 1e-5).sqrt());
        (inputs[i] - mean(own())) / deviation * gains[c] + biases[c]
    };
    let buffers = (["inputs", "gains", "biases"], "outputs");
    assert_each("layer_norm", SIZES, buffers, 1e-5, normal);
}

#[test]
fn gram_schmidt_step_leaves_what_is_at_right_angles() {
    let left = |[direction, vectors]: &[Vec<f64>; 2], i: usize| {
        let vector = row(vectors, i / COLUMNS).iter().copied();
        let share = dot(vector, direction) / dot(direction.iter().copied(), direction);
        vectors[i] - share * direction[i % COLUMNS]
    };
    assert_each(
        "gram_schmidt_step",
        [("vectors", ROWS), ("length", COLUMNS)],
        (["direction", "vectors"], "vectors"),
        1e-5,
        left,
    );
}

#[test]
fn gauss_eliminate_clears_the_first_column_and_keeps_factors() {
    let eliminated = |[matrix]: &[Vec<f64>; 1], i: usize| {
        let factor = matrix[i / COLUMNS * COLUMNS] / matrix[0];
        match (i / COLUMNS, i % COLUMNS) {
            (0, _) => matrix[i],
            (_, 0) => factor,
            (_, c) => matrix[i] - factor * matrix[c],
        }
    };
    let buffers = (["matrix"], "matrix");
    assert_each("gauss_eliminate", SIZES, buffers, 1e-6, eliminated);
}

#[test]
fn prefix_rows_adds_along_rows() {
    let sizes = [("rows", 64), ("columns", 192)];
    let sum = |[values]: &[Vec<f64>; 1], i: usize| values[i / 192 * 192..=i].iter().sum();
    assert_each("prefix_rows", sizes, (["values"], "sums"), 0.0, sum);
}

#[test]
fn prefix_columns_adds_down_columns() {
    let sum = |[matrix]: &[Vec<f64>; 1], i: usize| {
        column(matrix, i % COLUMNS).take(i / COLUMNS + 1).sum()
    };
    assert_each("prefix_columns", SIZES, (["matrix"], "matrix"), 0.0, sum);
}

/// Off by half a last bit of a sum of 1.5 million at most; added up plainly it would be off by several.
#[test]
fn compensated_sum_loses_nothing() {
    const COLUMNS: usize = 32;
    let sum = |[matrix]: &[Vec<f64>; 1], c: usize| matrix[c..].iter().step_by(COLUMNS).sum();
    assert_each(
        "compensated_sum",
        [("rows", 3000), ("columns", COLUMNS)],
        (["matrix"], "sums"),
        0.0626,
        sum,
    );
}
