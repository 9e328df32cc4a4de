use ndarray::Axis;

use crate::{Dataset, FitError, Fitted, Method, Training};

/// A forecast so many times its measured time says nothing, and some more of its kind would overflow.
const ABSURD: f64 = 1e100;

/// What one fold of a hold-out leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HoldOutKey {
    /// One row.
    Row,
    /// All rows of a kernel: the headline, since a new kernel is what a model is asked about.
    Kernel,
    /// All rows of a family: sibling kernels know each other's times.
    Family,
    /// All rows of a device.
    Device,
}

/// Every row forecast once, by a fit that has not seen its fold.
#[derive(Clone, Debug)]
pub struct HoldOut {
    /// What one fold left out.
    pub key: HoldOutKey,
    /// One for each row of the dataset, in its order: the forecast in seconds, or why there is none.
    pub forecasts: Vec<Result<f64, FitError>>,
}

/// Leaves every fold out in turn, fits the rest by `method`, scaling included, and forecasts the fold.
///
/// Where a fit is refused, each row of its fold keeps the refusal. Costs one fit a fold.
#[must_use]
pub fn hold_out(dataset: &Dataset, key: HoldOutKey, method: &dyn Method) -> HoldOut {
    let folds = dataset.folds(key);
    let count = folds.iter().max().map_or(0, |last| last + 1);
    let fits: Vec<_> = (0..count)
        .map(|fold| fit_without(dataset, &folds, fold, method))
        .collect();
    let forecasts = folds
        .iter()
        .enumerate()
        .map(|(row, &fold)| {
            fits[fold]
                .clone()
                .and_then(|fit| forecast(&fit, dataset, row))
        })
        .collect();
    HoldOut { key, forecasts }
}

fn fit_without(
    dataset: &Dataset,
    folds: &[usize],
    fold: usize,
    method: &dyn Method,
) -> Result<Fitted, FitError> {
    let rest: Vec<usize> = (0..folds.len()).filter(|&row| folds[row] != fold).collect();
    let x = dataset.x().select(Axis(0), &rest);
    let y = dataset.y().select(Axis(0), &rest);
    let kernels: Vec<usize> = rest
        .iter()
        .map(|&row| dataset.kernel_numbers()[row])
        .collect();
    method.fit(&Training {
        counters: dataset.counters(),
        x: x.view(),
        y: y.view(),
        kernels: &kernels,
        weights: None,
    })
}

/// Refuses a forecast that is no number or absurdly far off, so that errors always have a finite sum.
fn forecast(fit: &Fitted, dataset: &Dataset, row: usize) -> Result<f64, FitError> {
    let forecast = fit.predict(dataset.x().row(row));
    if (forecast / dataset.y()[row]).abs() < ABSURD {
        Ok(forecast)
    } else {
        Err(FitError::Forecast { forecast })
    }
}
