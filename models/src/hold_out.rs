//! Leaving out: every row is forecast by a fit that has not seen its fold.

use std::collections::BTreeSet;

use kerncast_wire::HoldOutKey;
use ndarray::{ArrayView1, Axis};
use rayon::prelude::*;

use crate::{
    Dataset, FitError, Fitted, Method, Rows,
    folds::{fold_count, split_fold},
};

/// A forecast this many times its measured time says nothing, and much larger ones would overflow.
const ABSURD_RATIO: f64 = 1e100;

/// The most refits when single rows are left out.
const MOST_REFITS: usize = 50;

/// Forecasts of every row, each by a fit that has not seen the row's fold.
#[derive(Clone, Debug)]
pub struct HoldOut {
    /// The key: what one fold left out.
    pub key: HoldOutKey,
    /// One for each row of the dataset but those of generated kernels, in its order: the forecast in seconds, or why
    /// there is none.
    pub forecasts: Vec<Result<f64, FitError>>,
    /// The fit's [expected error](Fitted::expected_error) of each forecast, in the same order; 1 where there is no
    /// forecast.
    pub expected_errors: Vec<f64>,
}

/// A forecast, and the [expected error](Fitted::expected_error) of it.
type RowForecast = (f64, f64);

impl HoldOut {
    fn new(key: HoldOutKey, dataset: &Dataset, rows: Vec<Result<RowForecast, FitError>>) -> Self {
        let expected_error =
            |row: &Result<RowForecast, FitError>| row.as_ref().map_or(1.0, |it| it.1);
        let expected_errors = rows.iter().map(expected_error).collect();
        let forecast = |(row, &measured): (Result<RowForecast, FitError>, &f64)| {
            row.and_then(|(forecast, _)| sound(forecast, measured))
        };
        Self {
            key,
            forecasts: rows.into_iter().zip(dataset.y()).map(forecast).collect(),
            expected_errors,
        }
    }
}

/// A fit's forecast of a row, or why there is none.
fn forecast_row(
    fit: &Result<Fitted, FitError>,
    row: ArrayView1<'_, f64>,
) -> Result<RowForecast, FitError> {
    let fit = fit.as_ref().map_err(Clone::clone)?;
    Ok((fit.predict(row), fit.expected_error(row)))
}

/// Leaves every fold out in turn, fits the rest by `method`, scaling included, and forecasts the fold.
///
/// If a fit is refused, each row of its fold keeps the refusal. This takes one fit for each fold, unless the method
/// knows a shorter way.
#[must_use]
pub fn hold_out(dataset: &Dataset, key: HoldOutKey, method: &dyn Method) -> HoldOut {
    let folds = dataset.folds(key);
    let Some(forecasts) = method.forecasts_without(&dataset.rows(), &folds) else {
        return hold_out_without(dataset, &BTreeSet::new(), key, method);
    };
    let certain = |row: Result<f64, FitError>| row.map(|forecast| (forecast, 1.0));
    HoldOut::new(key, dataset, forecasts.into_iter().map(certain).collect())
}

/// Forecasts the rows of `test` by a fit to `training`.
///
/// # Panics
/// Where the two have other columns.
#[must_use]
pub fn forecast_by(training: &Dataset, test: &Dataset, method: &dyn Method) -> HoldOut {
    assert_eq!(training.counters(), test.counters(), "columns");
    let fit = method.fit(&training.rows());
    let x = test.x();
    let rows = x.rows().into_iter().map(|row| forecast_row(&fit, row));
    HoldOut::new(HoldOutKey::Kernel, test, rows.collect())
}

/// Forecasts the rows of `test`, each kernel by a fit to `training` without that kernel's rows.
///
/// # Panics
/// Where the two have other columns.
#[must_use]
pub fn forecast_without_kernels(
    training: &Dataset,
    test: &Dataset,
    method: &dyn Method,
) -> HoldOut {
    assert_eq!(training.counters(), test.counters(), "columns");
    let folds = test.folds(HoldOutKey::Kernel);
    let forecasts = by_folds(test, &folds, |fold| {
        let kernel = test.kernel(fold[0]);
        fit_rows(training, method, |row| training.kernel(*row) != kernel)
    });
    HoldOut::new(HoldOutKey::Kernel, test, forecasts)
}

/// Leaves every fold out in turn as [`hold_out`] does, but no fit learns from `rows`. They are forecast all the same,
/// since they count when a model is validated.
#[must_use]
pub fn hold_out_without(
    dataset: &Dataset,
    rows: &BTreeSet<usize>,
    key: HoldOutKey,
    method: &dyn Method,
) -> HoldOut {
    let folds = match key {
        // Dealt out like cards: neighbours, which tend to be sizes of one kernel, come into different folds.
        HoldOutKey::Row => (0..dataset.y().len()).map(|it| it % MOST_REFITS).collect(),
        _ => dataset.folds(key),
    };
    let forecasts = by_folds(dataset, &folds, |fold| {
        // Rows of generated kernels are in no fold.
        fit_rows(dataset, method, |row| {
            fold.binary_search(row).is_err() && !rows.contains(row)
        })
    });
    HoldOut::new(key, dataset, forecasts)
}

/// Fits all rows of a dataset but `rows`.
///
/// # Errors
/// Those of [`Method::fit`].
pub fn fit_without(
    dataset: &Dataset,
    rows: &BTreeSet<usize>,
    method: &dyn Method,
) -> Result<Fitted, FitError> {
    fit_rows(dataset, method, |row| !rows.contains(row))
}

/// Forecasts of the rows (n), each by the fit of its fold, which `fit` makes from the fold's rows.
fn by_folds(
    dataset: &Dataset,
    folds: &[usize],
    fit: impl Fn(&[usize]) -> Result<Fitted, FitError> + Sync,
) -> Vec<Result<RowForecast, FitError>> {
    // Of each fold its forecasts alone are kept: a fit may be megabytes.
    let forecasts = (0..fold_count(folds))
        .into_par_iter()
        .flat_map_iter(|fold| {
            let (rows, _) = split_fold(folds, fold);
            let fit = fit(&rows);
            rows.into_iter()
                .map(move |row| (row, forecast_row(&fit, dataset.x().row(row))))
        });
    let mut forecasts: Vec<(usize, Result<RowForecast, FitError>)> = forecasts.collect();
    forecasts.sort_by_key(|it| it.0);
    forecasts.into_iter().map(|it| it.1).collect()
}

/// Fits `method` to the rows that `is_fitted` lets through. Rows of generated kernels count from `y().len()` on.
fn fit_rows(
    dataset: &Dataset,
    method: &dyn Method,
    is_fitted: impl Fn(&usize) -> bool,
) -> Result<Fitted, FitError> {
    let all = dataset.rows();
    let fitted: Vec<usize> = (0..all.y.len()).filter(is_fitted).collect();
    let kernels: Vec<usize> = fitted.iter().map(|&row| all.kernels[row]).collect();
    let is_generated = |row: &&usize| **row >= dataset.y().len();
    method.fit(&Rows {
        x: all.x.select(Axis(0), &fitted).view(),
        y: all.y.select(Axis(0), &fitted).view(),
        kernels: &kernels,
        generated: fitted.iter().filter(is_generated).count(),
        ..all
    })
}

/// Refuses a forecast that is no number or absurdly far off, so that errors always have a finite sum.
fn sound(forecast: f64, measured: f64) -> Result<f64, FitError> {
    if (forecast / measured).abs() < ABSURD_RATIO {
        Ok(forecast)
    } else {
        Err(FitError::Forecast { forecast })
    }
}
