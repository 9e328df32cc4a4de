use std::collections::BTreeSet;

use kerncast_wire::HoldOutKey;
use ndarray::Axis;

use crate::{Dataset, FitError, Fitted, Method, Rows};

/// A forecast so many times its measured time says nothing, and some more of its kind would overflow.
const ABSURD: f64 = 1e100;

/// Single rows are left out by so many refits at most.
const MOST_REFITS: usize = 50;

/// Every row forecast once, by a fit that has not seen its fold.
#[derive(Clone, Debug)]
pub struct HoldOut {
    /// What one fold left out.
    pub key: HoldOutKey,
    /// One for each row of the dataset but those of generated kernels, in its order: the forecast in seconds, or why there is none.
    pub forecasts: Vec<Result<f64, FitError>>,
}

/// Leaves every fold out in turn, fits the rest by `method`, scaling included, and forecasts the fold.
///
/// Where a fit is refused, each row of its fold keeps the refusal. Costs one fit a fold, where the method
/// knows no shorter way.
#[must_use]
pub fn hold_out(dataset: &Dataset, key: HoldOutKey, method: &dyn Method) -> HoldOut {
    let folds = dataset.folds(key);
    let forecasts = method
        .forecasts_without(&dataset.rows(), &folds)
        .unwrap_or_else(|| match key {
            HoldOutKey::Row => refit(dataset, &dealt(folds.len()), &BTreeSet::new(), method),
            _ => refit(dataset, &folds, &BTreeSet::new(), method),
        });
    HoldOut {
        key,
        forecasts: forecasts.into_iter().zip(dataset.y()).map(sound).collect(),
    }
}

/// Forecasts rows by a fit to others, as `judged` were the one fold left out of both.
///
/// # Panics
/// Where the two have other columns.
#[must_use]
pub fn forecast_by(learned: &Dataset, judged: &Dataset, method: &dyn Method) -> HoldOut {
    assert_eq!(learned.counters(), judged.counters(), "columns");
    let fit = method.fit(&learned.rows());
    let x = judged.x();
    let forecasts = x.rows().into_iter().map(|row| match &fit {
        Ok(fit) => Ok(fit.predict(row)),
        Err(error) => Err(error.clone()),
    });
    HoldOut {
        key: HoldOutKey::Kernel,
        forecasts: forecasts.zip(judged.y()).map(sound).collect(),
    }
}

/// The same where some `rows` of the dataset are fitted by no fold: they are forecast all the same, as they count
/// when a model is judged.
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
    let forecasts = refit(dataset, &folds, rows, method);
    HoldOut {
        key,
        forecasts: forecasts.into_iter().zip(dataset.y()).map(sound).collect(),
    }
}

/// Fits all but some `rows` of a dataset.
///
/// # Errors
/// As [`Method::fit`].
pub fn fit_without(
    dataset: &Dataset,
    rows: &BTreeSet<usize>,
    method: &dyn Method,
) -> Result<Fitted, FitError> {
    let rest = (0..dataset.rows().y.len()).filter(|row| !rows.contains(row));
    fit_to(dataset, &rest.collect::<Vec<_>>(), method)
}

/// Rows dealt out like cards, so that neighbours, which tend to be sizes of one kernel, part.
fn dealt(rows: usize) -> Vec<usize> {
    (0..rows).map(|row| row % MOST_REFITS).collect()
}

fn refit(
    dataset: &Dataset,
    folds: &[usize],
    without: &BTreeSet<usize>,
    method: &dyn Method,
) -> Vec<Result<f64, FitError>> {
    let count = folds.iter().max().map_or(0, |last| last + 1);
    let fit = |fold| {
        // Those of generated kernels are in no fold.
        let stays = |row: &usize| folds.get(*row) != Some(&fold) && !without.contains(row);
        let rest = (0..dataset.rows().y.len()).filter(stays);
        fit_to(dataset, &rest.collect::<Vec<_>>(), method)
    };
    let fits: Vec<_> = (0..count).map(fit).collect();
    let forecast = |(row, &fold): (usize, &usize)| match &fits[fold] {
        Ok(fit) => Ok(fit.predict(dataset.x().row(row))),
        Err(error) => Err(error.clone()),
    };
    folds.iter().enumerate().map(forecast).collect()
}

/// Of all rows, those of generated kernels too, these.
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
        devices: &of_rest(all.devices),
        weights: None,
    })
}

/// Refuses a forecast that is no number or absurdly far off, so that errors always have a finite sum.
fn sound((forecast, measured): (Result<f64, FitError>, &f64)) -> Result<f64, FitError> {
    match forecast {
        Ok(forecast) if (forecast / measured).abs() < ABSURD => Ok(forecast),
        Ok(forecast) => Err(FitError::Forecast { forecast }),
        refused => refused,
    }
}
