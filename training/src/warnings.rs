//! What a reader should know of the rows of a fit, and of its validation.

use std::collections::BTreeMap;

use kerncast_models::{ErrorReport, HoldOut};
use kerncast_wire::Scope;

use crate::{Response, Sample, Samples};

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
