//! Warnings about the rows of a fit, and about its validation.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{Calibration, Dataset, ErrorReport, Fitted, HoldOut};
use kerncast_wire::{Flag, MissedKernel, Scope, Warning};

use crate::{Response, Sample, Samples};

/// Warnings about counters, the response among them, that keep samples out. `relevant`: samples that the question is
/// about.
pub(crate) fn counters_lacking(
    samples: &Samples,
    counters: &[String],
    response: &Response,
    relevant: &[&Sample],
) -> Vec<Warning> {
    let response = match response {
        Response::Counter(name) => Some(name),
        Response::Time => None,
    };
    let lacking = counters.iter().chain(response).filter_map(|counter| {
        let lacks_it = |sample: &&&Sample| samples.value(sample, counter).is_none();
        let lacking = relevant.iter().filter(lacks_it).count();
        (lacking > 0).then(|| Warning::CounterLacking {
            counter: counter.clone(),
            samples: lacking,
            of: relevant.len(),
        })
    });
    lacking.collect()
}

/// A warning that rows are of kernels that another device has run.
pub(crate) fn borrowed(samples: &Samples, rows: &[&Sample]) -> Option<Warning> {
    let others = rows
        .iter()
        .filter(|it| samples.borrowed.contains_key(&it.id));
    let kernels: BTreeSet<&str> = others.map(|it| &*it.kernel).collect();
    let of = samples.lender.clone().filter(|_| !kernels.is_empty())?;
    Some(Warning::Borrowed {
        of,
        kernels: kernels.len(),
    })
}

/// A warning that samples of several launches were left out.
pub(crate) fn launches_left_out(samples: usize) -> Option<Warning> {
    (samples > 0).then_some(Warning::LaunchesLeftOut { samples })
}

/// Warnings that samples were not counted over the whole launch, one for each part that was.
pub(crate) fn counted_in_part(provider: &str, rows: &[&Sample]) -> Vec<Warning> {
    let scopes = [
        Scope::FirstAndLastGroup,
        Scope::SampledGroups,
        Scope::ReducedSize,
    ];
    let warnings = scopes.into_iter().filter_map(|scope| {
        let samples = rows.iter().filter(|sample| sample.scope == scope).count();
        (samples > 0).then(|| Warning::CountedInPart {
            provider: provider.to_owned(),
            scope,
            samples,
            of: rows.len(),
        })
    });
    warnings.collect()
}

/// Warnings about the samples' flags, where more than a tenth of the samples have any.
pub(crate) fn flagged(rows: &[&Sample]) -> Vec<Warning> {
    let all = rows.len();
    let flagged = rows.iter().filter(|sample| !sample.flags.is_empty());
    if 10 * flagged.clone().count() <= all {
        return Vec::new();
    }
    // In the order of their names, as fingerprints know them.
    let mut counts: BTreeMap<String, (Flag, usize)> = BTreeMap::new();
    for &flag in flagged.flat_map(|sample| &sample.flags) {
        counts.entry(flag.to_string()).or_insert((flag, 0)).1 += 1;
    }
    let counts = counts.into_values();
    let warnings = counts.map(|(flag, samples)| Warning::Flagged {
        flag,
        samples,
        of: all,
    });
    warnings.collect()
}

/// A warning that times lie outside the intervals of their own forecasts, though the fit has seen them: the counters do
/// not tell what such kernels do. Intervals are of `level`. The farthest off are named first, one a kernel.
pub(crate) fn missed(
    dataset: &Dataset,
    fitted: &Fitted,
    calibration: &Calibration,
    level: f64,
) -> Option<Warning> {
    /// The factor by which repetitions of a kernel differ at most usually.
    const REPETITION_FACTOR: f64 = 1.05;
    const MOST_NAMED: usize = 3;
    let factor = calibration.factor(level).ok()?;
    let mut kernels: BTreeMap<&str, (f64, f64, f64)> = BTreeMap::new();
    let mut outside = 0;
    let (x, y) = (dataset.x(), dataset.y());
    let rows = dataset.kernels().iter().zip(x.rows());
    for ((kernel, x), &measured) in rows.zip(&y) {
        let forecast = fitted.predict(x);
        let off = if forecast > 0.0 {
            (forecast / measured).max(measured / forecast)
        } else {
            f64::INFINITY
        };
        if off <= factor.powf(fitted.expected_error(x)).max(REPETITION_FACTOR) {
            continue;
        }
        outside += 1;
        let farthest = kernels.entry(kernel).or_insert((off, measured, forecast));
        if off > farthest.0 {
            *farthest = (off, measured, forecast);
        }
    }
    let mut kernels: Vec<_> = kernels.into_iter().collect();
    kernels.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
    let farthest = kernels.iter().take(MOST_NAMED);
    let farthest = farthest.map(|(kernel, (_, measured, forecast))| MissedKernel {
        kernel: (*kernel).to_owned(),
        measured_s: *measured,
        forecast_s: Some(*forecast).filter(|it| it.is_finite()),
    });
    (outside > 0).then(|| Warning::Missed {
        times: outside,
        of: y.len(),
        kernels: kernels.len(),
        level,
        farthest: farthest.collect(),
    })
}

/// Warnings about what went wrong in a hold-out.
pub(crate) fn hold_out_failures(hold_out: &HoldOut, report: &ErrorReport) -> Vec<Warning> {
    let left_out = hold_out.key;
    let of = hold_out.forecasts.len();
    let Some(errors) = report.overall else {
        let why = hold_out.forecasts.iter().find_map(|it| it.as_ref().err());
        let why = why.map(ToString::to_string);
        return vec![Warning::NotJudged { left_out, why }];
    };
    let mut warnings = Vec::new();
    if errors.negative > 0 {
        warnings.push(Warning::NegativeForecasts {
            left_out,
            forecasts: errors.negative,
            of,
        });
    }
    if errors.unpredicted > 0 {
        warnings.push(Warning::NotForecast {
            left_out,
            samples: errors.unpredicted,
            of,
        });
    }
    warnings
}
