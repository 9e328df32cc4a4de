//! A forecast from a stored fit.

use std::collections::BTreeSet;

use kerncast_models::Fitted;
use kerncast_wire::{CounterSet, Prediction, PredictionRequest, Problem};
use ndarray::Array1;
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    champion::champion,
    db::forecasters::{self, Forecaster},
    error::Error,
    problem::{escaped, unprocessable},
};

/// Forecasts a counter set by the model named, or by a champion.
///
/// # Errors
/// Where no model can answer, or the set has nothing that the model knows.
pub(crate) async fn predict(
    pool: &PgPool,
    request: &PredictionRequest,
) -> Result<Prediction, Error> {
    check(&request.counters)?;
    let posted = names(&request.counters);
    let id = match request.model {
        Some(id) => id,
        None => champion(pool, request.device, &request.counters, &posted).await?,
    };
    let Some(forecaster) = forecasters::get(pool, id).await? else {
        let expected = "a model's id; /v1/models lists them";
        return Err(unprocessable("/model", id, expected).into());
    };
    let device = forecaster.device;
    if let Some(asked) = request.device.filter(|&asked| asked != device) {
        let expected = format!("{device}, the device of the model named, or none");
        return Err(unprocessable("/device", asked, expected).into());
    }
    let fit = forecaster.fit.as_ref().map_err(|why| {
        unprocessable(
            "/model",
            id,
            format!("a model with a fit; this one has none: {why}"),
        )
    })?;
    Ok(forecast(id, &forecaster, fit, &request.counters, &posted)?)
}

fn forecast(
    model: Uuid,
    forecaster: &Forecaster,
    fit: &Fitted,
    counters: &CounterSet,
    posted: &BTreeSet<String>,
) -> Result<Prediction, Problem> {
    let used: BTreeSet<&String> = forecaster.counters.iter().collect();
    if !posted.iter().any(|name| used.contains(name)) {
        let expected = format!(
            "at least one of the model's counters: {}",
            forecaster.counters.join(", ")
        );
        return Err(unprocessable("/counters", posted_text(posted), expected));
    }
    let (mut missing, mut warnings) = (Vec::new(), Vec::new());
    let values = forecaster
        .counters
        .iter()
        .zip(&fit.seen)
        .map(|(name, seen)| {
            value(counters, name).unwrap_or_else(|| {
                let mean = short(seen.mean);
                warnings.push(format!(
                    "{name} is missing: the mean of the model's samples, {mean}, stands in"
                ));
                missing.push(name.clone());
                seen.mean
            })
        });
    let values: Array1<f64> = values.collect();
    let time_s = fit.predict(values.view());
    if !time_s.is_finite() {
        let expected =
            "counters that are less far from the model's samples: the forecast overflows";
        return Err(unprocessable("/counters", posted_text(posted), expected));
    }
    for outside in fit.outside(values.view()) {
        warnings.push(format!(
            "{} is {}, outside the {} to {} that the model has seen: this is an extrapolation",
            forecaster.counters[outside.column],
            short(outside.value),
            short(outside.min),
            short(outside.max)
        ));
    }
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
    Ok(Prediction {
        time_s,
        model,
        device: forecaster.device,
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

/// Nothing that a sample could not have.
fn check(counters: &CounterSet) -> Result<(), Problem> {
    for (provider, named) in counters {
        if let Some((name, value)) = named.iter().find(|&(_, &value)| value < 0.0) {
            let at = format!("/counters/{}/{}", escaped(provider), escaped(name));
            return Err(unprocessable(at, value, "a number, 0 or above"));
        }
    }
    Ok(())
}

/// The set's counters as `PROVIDER:NAME`.
fn names(counters: &CounterSet) -> BTreeSet<String> {
    let named = counters
        .iter()
        .flat_map(|(provider, named)| named.keys().map(move |name| format!("{provider}:{name}")));
    named.collect()
}

fn value(counters: &CounterSet, name: &str) -> Option<f64> {
    let (provider, name) = name.split_once(':')?;
    counters.get(provider)?.get(name).copied()
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
