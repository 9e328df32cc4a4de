//! What a reader should know of the rows of a fit, and of its validation.

use std::collections::BTreeMap;

use kerncast_models::{Calibration, Dataset, ErrorReport, Fitted, HoldOut};
use kerncast_wire::Scope;

use crate::{Response, Sample, Samples, words::seconds};

/// Which counters keep samples out, the response among them.
pub(crate) fn lacking(
    samples: &Samples,
    counters: &[String],
    response: &Response,
    asked: &[&Sample],
) -> Vec<String> {
    let mut needed: Vec<&String> = counters.iter().collect();
    if let Response::Counter(name) = response {
        needed.push(name);
    }
    let mut warnings = Vec::new();
    for name in needed {
        let lack = asked
            .iter()
            .filter(|sample| samples.value(sample, name).is_none())
            .count();
        if lack > 0 {
            let all = asked.len();
            warnings.push(format!(
                "{lack} of {all} samples lack {name} and are left out"
            ));
        }
    }
    warnings
}

/// What was left out since it is no single launch.
pub(crate) fn of_several(samples: usize) -> Option<String> {
    (samples > 0).then(|| {
        format!("{samples} samples are of several launches, and are left out: a forecast is of one")
    })
}

/// Which counts are no counts of the whole launch.
pub(crate) fn in_part(provider: &str, used: &[&Sample]) -> Vec<String> {
    let scopes = [
        (
            Scope::FirstAndLastGroup,
            "the first and last work-groups, scaled to all of them",
        ),
        (
            Scope::SampledGroups,
            "some work-groups, which stand for the others",
        ),
        (Scope::ReducedSize, "a smaller size of the kernel"),
    ];
    let all = used.len();
    let mut warnings = Vec::new();
    for (scope, what) in scopes {
        let n = used.iter().filter(|sample| sample.scope == scope).count();
        if n > 0 {
            warnings.push(format!(
                "{n} of {all} samples have {provider} counters of {what}"
            ));
        }
    }
    warnings
}

/// Which flags the samples carry, where more than a tenth of them carry any.
pub(crate) fn flagged(used: &[&Sample]) -> Vec<String> {
    let all = used.len();
    let flagged = used.iter().filter(|sample| !sample.flags.is_empty());
    if 10 * flagged.clone().count() <= all {
        return Vec::new();
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for flag in flagged.flat_map(|sample| &sample.flags) {
        *counts.entry(flag).or_default() += 1;
    }
    let counts = counts.into_iter();
    counts
        .map(|(flag, n)| format!("{n} of {all} samples are flagged {flag}"))
        .collect()
}

/// Times that lie outside the intervals of their own forecasts, though the fit has seen them: what such kernels do, the
/// counters do not tell. Intervals are of `level`. Those farthest off first, one a kernel.
pub(crate) fn missed(
    dataset: &Dataset,
    fitted: &Fitted,
    calibration: &Calibration,
    level: f64,
) -> Option<String> {
    /// Repetitions of a kernel differ by some percent.
    const REPEATED: f64 = 1.05;
    const SOME: usize = 3;
    let factor = calibration.factor(level).ok()?;
    let mut kernels: BTreeMap<&str, (f64, f64, f64)> = BTreeMap::new();
    let mut outside = 0;
    let (x, y) = (dataset.x(), dataset.y());
    let rows = dataset.kernels().iter().zip(x.rows());
    for ((kernel, x), &measured) in rows.zip(&y) {
        let forecast = fitted.predict(x);
        let off = match forecast > 0.0 {
            true => (forecast / measured).max(measured / forecast),
            false => f64::INFINITY,
        };
        if off <= factor.powf(fitted.doubt(x)).max(REPEATED) {
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
    let named = kernels
        .iter()
        .take(SOME)
        .map(|(kernel, (_, measured, forecast))| {
            format!(
                "{kernel} (measured {}, forecast {})",
                seconds(*measured),
                seconds(*forecast)
            )
        });
    let named = named.collect::<Vec<_>>().join(", ");
    (outside > 0).then(|| {
        format!(
            "{outside} of {} times, of {} kernels, lie outside the {:.0} % intervals of their forecasts, though the fit has \
             seen them; the farthest: {named}",
            y.len(),
            kernels.len(),
            100.0 * level,
        )
    })
}

/// What a reader should know about a hold-out.
pub(crate) fn of_hold_out(hold_out: &HoldOut, report: &ErrorReport) -> Vec<String> {
    let key = hold_out.key.word();
    let all = hold_out.forecasts.len();
    let Some(errors) = report.overall else {
        let why = hold_out.forecasts.iter().find_map(|it| it.as_ref().err());
        let why = why.map(|error| format!(": {error}")).unwrap_or_default();
        return vec![format!(
            "leaving one {key} out, no fit is left to judge by{why}"
        )];
    };
    let mut warnings = Vec::new();
    if errors.negative > 0 {
        let n = errors.negative;
        warnings.push(format!(
            "leaving one {key} out, {n} of {all} forecasts are at or below 0"
        ));
    }
    if errors.unpredicted > 0 {
        let n = errors.unpredicted;
        warnings.push(format!(
            "leaving one {key} out, {n} of {all} samples could not be forecast"
        ));
    }
    warnings
}
