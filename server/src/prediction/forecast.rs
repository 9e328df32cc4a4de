//! A forecast from a stored fit.

use std::collections::BTreeSet;

use kerncast_wire::{FieldProblem, Forecast};
use ndarray::Array1;
use uuid::Uuid;

use super::asked::Set;
use crate::{db::forecasters::Forecaster, problem::field};

/// The model's forecast of a set.
///
/// # Errors
/// Where the model has no fit, the set has nothing that it knows, or the time overflows.
pub(super) fn forecast(
    model: Uuid,
    forecaster: &Forecaster,
    set: &Set,
) -> Result<Forecast, FieldProblem> {
    let fit = forecaster.fit.as_ref().map_err(|why| {
        let expected = format!("a model with a fit; this one has none: {why}");
        field(&set.at, model, expected)
    })?;
    let posted = set.names();
    let in_fit: BTreeSet<usize> = fit.columns().collect();
    let used: BTreeSet<&String> = in_fit.iter().map(|&it| &forecaster.counters[it]).collect();
    if !posted.iter().any(|name| used.contains(name)) {
        let expected = format!(
            "at least one of the model's counters: {}",
            Vec::from_iter(used.iter().map(|it| it.as_str())).join(", ")
        );
        return Err(field(&set.at, posted_text(&posted), expected));
    }
    let (mut missing, mut warnings) = (Vec::new(), Vec::new());
    let columns = forecaster.counters.iter().zip(&fit.seen).enumerate();
    let values = columns.map(|(column, (name, seen))| {
        set.value(name).unwrap_or_else(|| {
            if in_fit.contains(&column) {
                let mean = short(seen.mean);
                warnings.push(format!(
                    "{name} is missing: the mean of the model's samples, {mean}, stands in"
                ));
                missing.push(name.clone());
            }
            seen.mean
        })
    });
    let values: Array1<f64> = values.collect();
    let time_s = fit.predict(values.view());
    if !time_s.is_finite() {
        let expected =
            "counters that are less far from the model's samples: the forecast overflows";
        return Err(field(&set.at, posted_text(&posted), expected));
    }
    for outside in fit.outside(values.view()) {
        // A mean can lie outside by rounding.
        let name = &forecaster.counters[outside.column];
        if !posted.contains(name) {
            continue;
        }
        warnings.push(format!(
            "{name} is {}, outside the {} to {} that the model has seen: this is an extrapolation",
            short(outside.value),
            short(outside.min),
            short(outside.max)
        ));
    }
    warnings.extend(unheard(set, &posted, &used));
    if time_s <= 0.0 {
        warnings.push(
            "the time is not above 0: a linear model can come out so, most of all for short kernels with \
             small counters; take it as \"short\""
                .to_owned(),
        );
    }
    if forecaster.leave_one_kernel_out_mean_ape.is_none() {
        warnings.push("the model could not be validated on kernels it had not seen".to_owned());
    }
    Ok(Forecast {
        time_s,
        model,
        leave_one_kernel_out_mean_ape: forecaster.leave_one_kernel_out_mean_ape,
        missing,
        unknown: posted
            .iter()
            .filter(|name| !used.contains(name))
            .cloned()
            .collect(),
        warnings,
    })
}

/// Where the model uses nothing of what was counted, only the geometry that came with it.
fn unheard(set: &Set, posted: &BTreeSet<String>, used: &BTreeSet<&String>) -> Option<String> {
    let providers = set.counters.keys().map(String::as_str);
    let counting: Vec<&str> = providers.filter(|provider| *provider != "launch").collect();
    let heard = posted
        .iter()
        .any(|name| used.contains(name) && !name.starts_with("launch:"));
    (!heard && !counting.is_empty()).then(|| {
        let counting = counting.join(", ");
        format!("no counter of {counting} is used: the forecast knows only the launch's geometry")
    })
}

fn posted_text(posted: &BTreeSet<String>) -> String {
    let names: Vec<&str> = posted.iter().map(String::as_str).collect();
    if names.is_empty() {
        "empty".to_owned()
    } else {
        names.join(", ")
    }
}

/// A number for a person to read.
fn short(value: f64) -> String {
    if value.abs() < 1e9 {
        ((value * 1000.0).round() / 1000.0).to_string()
    } else {
        format!("{value:.4e}")
    }
}
