//! How far forecasts of what was left out are off.

use std::collections::BTreeMap;

use kerncast_wire::{Errors, KernelErrors};

use crate::{
    Dataset, HoldOut,
    averages::{mean, middle_median},
};

/// Errors per kernel first, then averaged, so that a kernel with many sizes counts no more than one
/// with few.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorReport {
    /// All kernels together; absent where no row could be forecast.
    pub overall: Option<Errors>,
    /// Each kernel, by name.
    pub kernels: Vec<KernelErrors>,
}

/// Sums up how far the forecasts of `hold_out` were from the responses of the `dataset` it was made
/// from.
///
/// # Panics
/// Where `hold_out` was made from a dataset with another number of rows.
#[must_use]
pub fn errors(dataset: &Dataset, hold_out: &HoldOut) -> ErrorReport {
    assert_eq!(dataset.y().len(), hold_out.forecasts.len(), "rows");
    let mut ratios: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
    for ((kernel, measured), forecast) in dataset
        .kernels()
        .iter()
        .zip(dataset.y())
        .zip(&hold_out.forecasts)
    {
        let ratio = forecast.as_ref().ok().map(|forecast| forecast / measured);
        ratios.entry(kernel).or_default().push(ratio);
    }
    let kernels: Vec<KernelErrors> = ratios
        .iter()
        .map(|(&kernel, ratios)| KernelErrors {
            kernel: kernel.to_owned(),
            errors: of_rows(ratios),
        })
        .collect();
    let overall = overall(&kernels, ratios.into_values().flatten().collect());
    ErrorReport { overall, kernels }
}

/// Errors over one kernel's rows. `ratios`: forecast ÷ measured, absent where there is no forecast.
fn of_rows(ratios: &[Option<f64>]) -> Option<Errors> {
    let forecast: Vec<f64> = ratios.iter().copied().flatten().collect();
    let mut apes: Vec<f64> = forecast.iter().map(|ratio| (ratio - 1.0).abs()).collect();
    apes.sort_by(f64::total_cmp);
    let within_25: Vec<f64> = apes.iter().map(|&ape| f64::from(ape <= 0.25)).collect();
    let logs: Vec<f64> = forecast
        .iter()
        .filter(|&&ratio| ratio > 0.0)
        .map(|ratio| ratio.ln().abs())
        .collect();
    Some(Errors {
        n: forecast.len(),
        unpredicted: ratios.len() - forecast.len(),
        mean_ape: mean(&apes)?,
        median_ape: middle_median(&apes)?,
        factor: mean(&logs).map(f64::exp),
        within_25: mean(&within_25)?,
        negative: forecast.iter().filter(|&&ratio| ratio <= 0.0).count(),
    })
}

/// Errors of all kernels together. Counts and the median are of all rows; the means are means of the kernels' means.
fn overall(kernels: &[KernelErrors], ratios: Vec<Option<f64>>) -> Option<Errors> {
    let kernels: Vec<Errors> = kernels.iter().filter_map(|kernel| kernel.errors).collect();
    let over_kernels = |value: fn(&Errors) -> Option<f64>| {
        mean(&kernels.iter().filter_map(value).collect::<Vec<_>>())
    };
    Some(Errors {
        mean_ape: over_kernels(|errors| Some(errors.mean_ape))?,
        factor: over_kernels(|errors| errors.factor.map(f64::ln)).map(f64::exp),
        within_25: over_kernels(|errors| Some(errors.within_25))?,
        ..of_rows(&ratios)?
    })
}
