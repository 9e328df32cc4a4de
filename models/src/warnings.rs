//! Warnings about a fit: few kernels, counters that are too alike, forecasts below 0.

use std::collections::BTreeSet;

use kerncast_wire::Warning;
use ndarray::Array2;

use crate::{Coefficient, Dataset, Fitted, Form, Rows, methods::collinear::condition_number};

/// Above 100 a dependence is more than strong: Belsley, Kuh, Welsch, *Regression Diagnostics*, 1980,
/// section 3.2, find 30 to 100 with "moderate to strong" ones.
const HIGH_CONDITION: f64 = 100.0;

/// Warnings about a fit made from all of `dataset`.
///
/// # Panics
/// Where `fitted` asks for columns that `dataset` lacks.
#[must_use]
pub fn warnings(dataset: &Dataset, fitted: &Fitted) -> Vec<Warning> {
    let Rows { x, kernels, .. } = dataset.rows();
    // Penalties, signs and trees keep the others from what few kernels or near collinearity do to plain
    // least squares.
    let coefficients: &[Coefficient] = match &fitted.form {
        Form::Linear(linear) => &linear.coefficients,
        _ => &[],
    };
    let counters = coefficients.len();
    let kernels = kernels.iter().collect::<BTreeSet<_>>().len();
    let z = Array2::from_shape_fn((x.nrows(), counters), |(row, at)| {
        (x[(row, coefficients[at].column)] - coefficients[at].mean) / coefficients[at].scale
    });
    let condition = if coefficients.is_empty() {
        1.0
    } else {
        condition_number(z)
    };
    let rows = x.nrows();
    let negative = x
        .rows()
        .into_iter()
        .filter(|&row| fitted.predict(row) <= 0.0)
        .count();
    [
        (!coefficients.is_empty() && kernels < counters + 2)
            .then_some(Warning::FewKernels { kernels, counters }),
        (condition > HIGH_CONDITION).then(|| Warning::NearlyCollinear {
            condition: Some(condition).filter(|it| it.is_finite()),
        }),
        (negative > 0).then_some(Warning::NegativeTimes {
            samples: negative,
            of: rows,
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}
