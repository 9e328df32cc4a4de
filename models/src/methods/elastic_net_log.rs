use std::{ops::Range, sync::Arc};

use linfa::{dataset::DatasetBase, traits::Fit};
use linfa_elasticnet::ElasticNet;
use ndarray::{Array1, Array2, Axis, concatenate};

use super::{
    FitError, Method,
    checked::Checked,
    logs::{Logs, Scaled},
};
use crate::{Fitted, Rows, collinear::r_factor};

/// ln(T) = a0 + Σ ai·ln(1 + pi), scaled, with an elastic net (Zou, Hastie, Journal of the Royal Statistical
/// Society B 67, 2005): half of the penalty on |ai|, which drops counters, half on ai². The penalty is
/// chosen by leaving kernels out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ElasticNetOnLogs;

/// Of the logarithm of time, whose spread is about 1. Weaker ones take the solver minutes where counters
/// are nearly collinear, and forecast no better.
const PENALTIES: [f64; 5] = [1e-2, 3e-2, 0.1, 0.3, 1.0];

impl Method for ElasticNetOnLogs {
    fn name(&self) -> &'static str {
        "elastic_net_log"
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        Logs::new(&Checked::counts(rows)?)?.choose(&PENALTIES, solve)
    }
}

fn solve(scaled: &Scaled, penalties: &[f64]) -> Result<Vec<Array1<f64>>, FitError> {
    // The R factor says all that squares say of the rows, in no more rows than columns: fewer to visit.
    let k = scaled.z.ncols();
    let rows = concatenate![Axis(1), scaled.z, scaled.y.view().insert_axis(Axis(1))];
    let r = r_factor(rows.view());
    // linfa divides the squares by the rows' number; here their weights add up to 1 already.
    let root = (r.nrows() as f64).sqrt();
    let part = |columns: Range<usize>| {
        Array2::from_shape_fn((r.nrows(), columns.len()), |(row, column)| {
            root * r[(row, columns.start + column)]
        })
    };
    let data = DatasetBase::new(part(0..k), part(k..k + 1).column(0).to_owned());
    let one = |&penalty: &f64| {
        ElasticNet::params()
            .penalty(penalty)
            .l1_ratio(0.5)
            .with_intercept(false)
            .tolerance(1e-3)
            .max_iterations(300)
            .fit(&data)
            .map(|fit| fit.hyperplane().to_owned())
            .map_err(|error| FitError::Solver(Arc::new(error)))
    };
    penalties.iter().map(one).collect()
}
