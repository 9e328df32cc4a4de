//! What the tests share.

use kerncast_models::{Coefficient, Dataset, FitError, Fitted, Form, Linear, Method, Rows};
use kerncast_profilers::catalogue::roles;
use ndarray::{Array1, Array2, ArrayView2};

/// A dataset with counters c0, c1, …, rows given as (kernel, counters, response).
pub(crate) fn dataset<const P: usize>(rows: &[(&str, [f64; P], f64)]) -> Dataset {
    let names = (0..P).map(|column| format!("c{column}")).collect();
    let kernels = rows.iter().map(|row| row.0.to_owned()).collect();
    let x = Array2::from_shape_fn((rows.len(), P), |(row, column)| rows[row].1[column]);
    let y = Array1::from_iter(rows.iter().map(|row| row.2));
    Dataset::new(names, kernels, x, y).expect("a sound dataset")
}

/// With the roles that the columns' names tell.
pub(crate) fn with_roles(dataset: Dataset) -> Dataset {
    let roles = roles(dataset.counters());
    dataset.with_roles(roles).expect("a role a column")
}

#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64, relative: f64) {
    let difference = (found - expected).abs();
    assert!(
        difference <= relative * expected.abs(),
        "found {found}, expected {expected}, off by {difference:e}"
    );
}

/// Fits numbers that need not be sound, each row a kernel of its own.
pub(crate) fn fit(
    method: &dyn Method,
    x: &Array2<f64>,
    y: &Array1<f64>,
    weights: Option<&Array1<f64>>,
) -> Result<Fitted, FitError> {
    let counters: Vec<String> = (0..x.ncols()).map(|column| format!("c{column}")).collect();
    let kernels: Vec<usize> = (0..x.nrows()).collect();
    method.fit(&Rows {
        counters: &counters,
        roles: &[],
        x: x.view(),
        y: y.view(),
        kernels: &kernels,
        generated: 0,
        weights: weights.map(|it| it.view()),
    })
}

/// The forecast of each row of `x`.
pub(crate) fn forecasts(fit: &Fitted, x: ArrayView2<'_, f64>) -> Array1<f64> {
    x.rows().into_iter().map(|row| fit.predict(row)).collect()
}

pub(crate) fn linear(fit: &Fitted) -> &Linear {
    let Form::Linear(linear) = &fit.form else {
        panic!("{:?}", fit.form)
    };
    linear
}

pub(crate) fn coefficients(fit: &Fitted) -> &[Coefficient] {
    &linear(fit).coefficients
}
