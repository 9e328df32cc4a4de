use std::collections::BTreeSet;

use kerncast_models::{
    Calibration, Coverage, Dataset, ErrorReport, HoldOut, HoldOutKey, Method, Transfer, coverage,
    coverage_by, errors, forecast_by, forecast_without_kernels, hold_out, hold_out_without,
    widening,
};

use kerncast_wire::Warning;

use crate::Question;

/// The level of forecasts' intervals; whether they hold is measured with every fit.
pub const LEVEL: f64 = 0.9;

/// Forecasts of rows that a method's fits had not seen, and how far off they were.
#[derive(Clone, Debug)]
pub struct HoldOutReport {
    /// The forecasts.
    pub hold_out: HoldOut,
    /// Their errors.
    pub errors: ErrorReport,
    /// Coverage of the intervals that come from these errors.
    pub coverage: Result<Coverage, Warning>,
}

impl HoldOutReport {
    /// The report on a hold-out of the dataset, with intervals of `level`.
    pub(crate) fn new(dataset: &Dataset, hold_out: HoldOut, level: f64) -> Self {
        Self {
            errors: errors(dataset, &hold_out),
            coverage: coverage(dataset, &hold_out, level),
            hold_out,
        }
    }
}

/// Forecasts by fits that left rows out.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// Rows of the dataset that no fit learns from.
    pub absurd: BTreeSet<usize>,
    /// The hold-outs, one for each key.
    pub hold_outs: Vec<HoldOut>,
}

/// Validates a method by leaving out each fold of `key` in turn. Intervals are of `level`.
#[must_use]
pub fn validate_method(
    dataset: &Dataset,
    method: &dyn Method,
    key: HoldOutKey,
    level: f64,
) -> HoldOutReport {
    HoldOutReport::new(dataset, hold_out(dataset, key, method), level)
}

/// The key whose hold-out intervals come from: regions. A kernel that somebody asks about is more often unlike those
/// that were measured than they are unlike each other, and a suite has ten kernels of one kind where it has one of
/// another. Kernels, where regions were not left out or give no intervals.
pub(crate) fn calibration_key(reports: &[HoldOutReport]) -> Option<HoldOutKey> {
    let by_key = |key| reports.iter().find(move |it| it.hold_out.key == key);
    let keys = [HoldOutKey::Region, HoldOutKey::Kernel];
    let all: Vec<&HoldOutReport> = keys.into_iter().filter_map(by_key).collect();
    let with_intervals = all.iter().find(|it| it.coverage.is_ok());
    with_intervals.or(all.first()).map(|it| it.hold_out.key)
}

/// Validates a fit to `training` by its forecasts of `test`. Intervals are of `level`, from regions left out of
/// `training`.
#[must_use]
pub fn validate_on(
    training: &Dataset,
    test: &Dataset,
    method: &dyn Method,
    level: f64,
) -> HoldOutReport {
    let forecasts = forecast_by(training, test, method);
    report_beside(training, test, method, forecasts, level)
}

/// Validates the transfer of a method from one GPU, whose rows are `training`, to another, whose rows are `test`.
/// `without_kernels`: each kernel is forecast by fits that have not seen it on the first GPU either. `times`: the rows'
/// times on the first GPU, where they are known (n, seconds); forecasts are then these × the fit's forecast of the
/// second ÷ the fit's of the first. Intervals are of `level`, from regions left out of `training`, and wider as the
/// GPUs differ.
#[must_use]
pub fn validate_transfer(
    training: &Dataset,
    test: &Dataset,
    transfer: &Transfer<'_>,
    times: Option<&[f64]>,
    without_kernels: bool,
    level: f64,
) -> HoldOutReport {
    let forecast = |method: &dyn Method| {
        if without_kernels {
            forecast_without_kernels(training, test, method)
        } else {
            forecast_by(training, test, method)
        }
    };
    let mut forecasts = forecast(transfer);
    if let Some(times) = times {
        let on_first = forecast(transfer.method).forecasts;
        let rows = forecasts.forecasts.iter_mut().zip(on_first);
        for ((second, first), time) in rows.zip(times) {
            if let (Ok(second), Ok(first)) = (second, first) {
                *second *= time / first;
            }
        }
    }
    let widening = widening(transfer.from, transfer.to);
    let errors = forecasts.expected_errors.iter_mut();
    errors.for_each(|it| *it *= widening);
    report_beside(training, test, transfer.method, forecasts, level)
}

/// The report on forecasts of `test`, with intervals from regions left out of `training`.
fn report_beside(
    training: &Dataset,
    test: &Dataset,
    method: &dyn Method,
    forecasts: HoldOut,
    level: f64,
) -> HoldOutReport {
    let regions = hold_out(training, HoldOutKey::Region, method);
    let calibration = Calibration::new(training, &regions);
    HoldOutReport {
        errors: errors(test, &forecasts),
        coverage: coverage_by(&calibration, test, &forecasts, level),
        hold_out: forecasts,
    }
}

/// Reports on all hold-outs of a method for a question. The method is not fitted to the rows `without`; they are
/// forecast and count all the same.
pub(crate) fn validate(
    question: &Question,
    dataset: &Dataset,
    without: &BTreeSet<usize>,
    method: &dyn Method,
) -> Vec<HoldOutReport> {
    let mut all: Vec<HoldOutReport> = Vec::new();
    for &key in hold_outs(question) {
        // Where every kernel is its own family leaving these out is leaving kernels out. Where each is its own region,
        // regions were not told apart: there is nothing to say of them.
        let folds = dataset.folds(key);
        let same = all
            .iter()
            .find(|it| dataset.folds(it.hold_out.key) == folds);
        let hold_out = match same {
            Some(_) if key == HoldOutKey::Region => continue,
            Some(same) => HoldOut {
                key,
                ..same.hold_out.clone()
            },
            None if without.is_empty() => hold_out(dataset, key, method),
            None => hold_out_without(dataset, without, key, method),
        };
        all.push(HoldOutReport::new(dataset, hold_out, LEVEL));
    }
    all
}

/// The keys of a question's hold-outs. Fits across devices take too long to leave out other groups than kernels.
pub(crate) fn hold_outs(question: &Question) -> &'static [HoldOutKey] {
    match question.counted_on {
        Some(_) => &[HoldOutKey::Kernel],
        None => &[
            HoldOutKey::Kernel,
            HoldOutKey::Family,
            HoldOutKey::Region,
            HoldOutKey::Row,
        ],
    }
}
