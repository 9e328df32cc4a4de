use std::collections::BTreeSet;

use kerncast_wire::HoldOutKey;
use ndarray::{ArrayView1, Axis};
use rayon::prelude::*;

use crate::{Dataset, FitError, Fitted, Method, Rows};

/// A forecast this many times its measured time says nothing, and much larger ones would overflow.
const ABSURD: f64 = 1e100;

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
    /// The fit's [doubt](Fitted::doubt) of each forecast, in the same order; 1 where there is no forecast.
    pub doubts: Vec<f64>,
}

/// A forecast, and the doubt of it.
type Doubted = (f64, f64);

impl HoldOut {
    fn new(key: HoldOutKey, dataset: &Dataset, rows: Vec<Result<Doubted, FitError>>) -> Self {
        let doubt = |row: &Result<Doubted, FitError>| row.as_ref().map_or(1.0, |it| it.1);
        let doubts = rows.iter().map(doubt).collect();
        let forecast = |(row, &measured): (Result<Doubted, FitError>, &f64)| {
            row.and_then(|(forecast, _)| sound(forecast, measured))
        };
        Self {
            key,
            forecasts: rows.into_iter().zip(dataset.y()).map(forecast).collect(),
            doubts,
        }
    }
}

/// A fit's forecast of a row, or why there is none.
fn doubted(fit: &Result<Fitted, FitError>, row: ArrayView1<'_, f64>) -> Result<Doubted, FitError> {
    let fit = fit.as_ref().map_err(Clone::clone)?;
    Ok((fit.predict(row), fit.doubt(row)))
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

/// Forecasts the rows of `judged` by a fit to `learned`.
///
/// # Panics
/// Where the two have other columns.
#[must_use]
pub fn forecast_by(learned: &Dataset, judged: &Dataset, method: &dyn Method) -> HoldOut {
    assert_eq!(learned.counters(), judged.counters(), "columns");
    let fit = method.fit(&learned.rows());
    let x = judged.x();
    let rows = x.rows().into_iter().map(|row| doubted(&fit, row));
    HoldOut::new(HoldOutKey::Kernel, judged, rows.collect())
}

/// Forecasts the rows of `judged`, each kernel by a fit to `learned` without that kernel's rows.
///
/// # Panics
/// Where the two have other columns.
#[must_use]
pub fn forecast_without_kernels(
    learned: &Dataset,
    judged: &Dataset,
    method: &dyn Method,
) -> HoldOut {
    assert_eq!(learned.counters(), judged.counters(), "columns");
    let folds = judged.folds(HoldOutKey::Kernel);
    let fit = |rows: &[usize]| {
        let kernel = judged.kernel(rows[0]);
        let rest = (0..learned.rows().y.len()).filter(|row| learned.kernel(*row) != kernel);
        fit_to(learned, &rest.collect::<Vec<_>>(), method)
    };
    HoldOut::new(HoldOutKey::Kernel, judged, by_folds(judged, &folds, fit))
}

/// Leaves every fold out in turn as [`hold_out`] does, but no fit learns from `rows`. They are forecast all the same,
/// since they count when a model is judged.
#[must_use]
pub fn hold_out_without(
    dataset: &Dataset,
    rows: &BTreeSet<usize>,
    key: HoldOutKey,
    method: &dyn Method,
) -> HoldOut {
    let folds = match key {
        HoldOutKey::Row => dealt(dataset.y().len()),
        _ => dataset.folds(key),
    };
    HoldOut::new(key, dataset, refit(dataset, &folds, rows, method))
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
    let rest = (0..dataset.rows().y.len()).filter(|row| !rows.contains(row));
    fit_to(dataset, &rest.collect::<Vec<_>>(), method)
}

/// Folds of rows that are dealt out like cards, so that neighbours, which tend to be sizes of one kernel, come into
/// different folds.
fn dealt(rows: usize) -> Vec<usize> {
    (0..rows).map(|row| row % MOST_REFITS).collect()
}

fn refit(
    dataset: &Dataset,
    folds: &[usize],
    without: &BTreeSet<usize>,
    method: &dyn Method,
) -> Vec<Result<Doubted, FitError>> {
    by_folds(dataset, folds, |rows| {
        // Those of generated kernels are in no fold.
        let stays = |row: &usize| rows.binary_search(row).is_err() && !without.contains(row);
        let rest = (0..dataset.rows().y.len()).filter(stays);
        fit_to(dataset, &rest.collect::<Vec<_>>(), method)
    })
}

/// Forecasts of the rows (n), each by the fit of its fold, which `fit` makes from the fold's rows.
fn by_folds(
    dataset: &Dataset,
    folds: &[usize],
    fit: impl Fn(&[usize]) -> Result<Fitted, FitError> + Sync,
) -> Vec<Result<Doubted, FitError>> {
    let count = folds.iter().max().map_or(0, |last| last + 1);
    // Of each fold its forecasts alone are kept: a fit may be megabytes.
    let forecasts = (0..count).into_par_iter().flat_map_iter(|fold| {
        let rows: Vec<usize> = (0..folds.len()).filter(|row| folds[*row] == fold).collect();
        let fit = fit(&rows);
        rows.into_iter()
            .map(move |row| (row, doubted(&fit, dataset.x().row(row))))
    });
    let mut forecasts: Vec<(usize, Result<Doubted, FitError>)> = forecasts.collect();
    forecasts.sort_by_key(|it| it.0);
    forecasts.into_iter().map(|it| it.1).collect()
}

/// Fits `method` to the rows `rest`. Rows of generated kernels count from `y().len()` on.
fn fit_to(dataset: &Dataset, rest: &[usize], method: &dyn Method) -> Result<Fitted, FitError> {
    let all = dataset.rows();
    let x = all.x.select(Axis(0), rest);
    let y = all.y.select(Axis(0), rest);
    let of_rest =
        |numbers: &[usize]| -> Vec<usize> { rest.iter().map(|&row| numbers[row]).collect() };
    method.fit(&Rows {
        counters: all.counters,
        roles: all.roles,
        x: x.view(),
        y: y.view(),
        kernels: &of_rest(all.kernels),
        generated: rest.iter().filter(|&&row| row >= dataset.y().len()).count(),
        weights: None,
    })
}

/// Refuses a forecast that is no number or absurdly far off, so that errors always have a finite sum.
fn sound(forecast: f64, measured: f64) -> Result<f64, FitError> {
    if (forecast / measured).abs() < ABSURD {
        Ok(forecast)
    } else {
        Err(FitError::Forecast { forecast })
    }
}
