//! Whether local memory would pay off, by stored fits of gains.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use kerncast_wire::{
    GainForecast, GainInterval, Interval, Outcome, PayOffRequest, PredictionRequest, Problem,
};

use super::{
    Asked,
    asked::Set,
    columns::Columns,
    forecast::{Beside, forecast},
    predict,
};
use crate::{
    App,
    db::{
        forecasters::{self, Candidate},
        gains::{self, RESPONSE, Validated},
    },
    error::Error,
    problem::{field_problem, unprocessable},
};

/// The gains of a kernel that was counted without local memory, on each device asked for.
///
/// # Errors
/// Where a device has no model of gains from those counters, or what was posted could be no sample's.
pub(crate) async fn gains(app: &App, request: PayOffRequest) -> Result<Vec<GainForecast>, Error> {
    let PayOffRequest {
        source,
        devices,
        time_s,
        ..
    } = &request;
    let asked = asked(&request)?;
    let candidates = forecasters::candidates(&app.pool, RESPONSE).await?;
    let candidates: Vec<Candidate> = candidates
        .into_iter()
        .filter(|it| it.source.unwrap_or(it.device) == *source)
        .collect();
    let targets = targets(&candidates, &request)?;
    let elsewhere: Vec<i64> = targets.iter().copied().filter(|it| it != source).collect();
    let times = match time_s {
        Some(_) if !elsewhere.is_empty() => times(app, &request, elsewhere).await?,
        _ => BTreeMap::new(),
    };
    let set = &asked.sets[0];
    let mut forecasts = Vec::new();
    for (place, device) in targets.into_iter().enumerate() {
        let at = devices
            .as_ref()
            .map_or("/source".to_owned(), |_| format!("/devices/{place}"));
        let best =
            best(&candidates, device, set).ok_or_else(|| none(&candidates, set, &at, device))?;
        let found = app.kept.fit(&app.pool, best.model, asked.level).await?;
        let answering = found.ok_or(sqlx::Error::RowNotFound)?;
        let beside = Beside {
            paper: None,
            ceilings: None,
        };
        let forecast = forecast(&answering, &beside, set)
            .map_err(|problem| field_problem(StatusCode::UNPROCESSABLE_ENTITY, problem))?;
        let gain = forecast.time_s;
        let global_s = if device == *source {
            *time_s
        } else {
            times.get(&device).copied()
        };
        let Validated { factor, signs } = gains::validated(&app.pool, best.model).await?;
        let mut warnings = forecast.warnings;
        warnings.extend(fallback(&candidates, best, set, &forecast.method));
        warnings.extend(uses_local_memory(set));
        forecasts.push(GainForecast {
            device,
            gain,
            pays_off: gain < 1.0,
            interval: forecast.interval.map(interval),
            no_interval: forecast.no_interval,
            global_s,
            local_s: global_s.map(|time| time * gain),
            model: forecast.model,
            method: forecast.method,
            provider: forecast.provider,
            factor,
            signs,
            outside: forecast.outside,
            missing: forecast.missing,
            warnings,
        });
    }
    Ok(forecasts)
}

fn asked(request: &PayOffRequest) -> Result<Asked, Problem> {
    Asked::of_json(PredictionRequest {
        counters: Some(request.counters.clone()),
        source: Some(request.source),
        time_s: request.time_s,
        level: request.level,
        ..PredictionRequest::default()
    })
}

/// The devices named, or all that gains are forecast for.
fn targets(candidates: &[Candidate], request: &PayOffRequest) -> Result<Vec<i64>, Error> {
    if let Some(devices) = &request.devices {
        return Ok(devices.clone());
    }
    let devices: BTreeSet<i64> = candidates.iter().map(|it| it.device).collect();
    if devices.is_empty() {
        let expected = "a device whose counters gains are forecast from: none is yet";
        return Err(unprocessable("/source", request.source, expected).into());
    }
    Ok(devices.into_iter().collect())
}

/// Of the device's models of the set's providers the one that misses the fewest counters, champions first.
fn best<'a>(candidates: &'a [Candidate], device: i64, set: &Set) -> Option<&'a Candidate> {
    of_providers(candidates, device, set).min_by_key(|it| Columns::new(&it.counters).missing(set))
}

/// The device's models of the set's providers, champions first.
fn of_providers<'a>(
    candidates: &'a [Candidate],
    device: i64,
    set: &Set,
) -> impl Iterator<Item = &'a Candidate> {
    let known =
        move |it: &&Candidate| it.device == device && set.counters.contains_key(&it.provider);
    candidates.iter().filter(known)
}

/// That another model answers than the one that has the least error, and why.
fn fallback(
    candidates: &[Candidate],
    answering: &Candidate,
    set: &Set,
    method: &str,
) -> Option<String> {
    let champion = of_providers(candidates, answering.device, set).next()?;
    let lacking = Columns::new(&champion.counters).missing(set);
    (champion.model != answering.model).then(|| {
        format!(
            "the model that errs least lacks {lacking} of its {} counters: {method} answers instead",
            champion.counters.len()
        )
    })
}

fn uses_local_memory(set: &Set) -> Option<String> {
    let bytes = *set.counters.get("launch")?.get("local_bytes")?;
    (bytes > 0.0).then(|| {
        format!(
            "launch:local_bytes is {bytes}: these seem to be counters of a variant that uses local memory \
             already; expected those of one without"
        )
    })
}

/// Why there is no model: of the device none, or none by these counters' providers.
fn none(candidates: &[Candidate], set: &Set, at: &str, device: i64) -> Problem {
    let list = |names: BTreeSet<String>| match names.is_empty() {
        true => "none".to_owned(),
        false => names.into_iter().collect::<Vec<_>>().join(", "),
    };
    let of_device = candidates.iter().filter(|it| it.device == device);
    let providers: BTreeSet<String> = of_device.map(|it| it.provider.clone()).collect();
    if providers.is_empty() {
        let devices = candidates.iter().map(|it| it.device.to_string()).collect();
        let devices = list(devices);
        let expected =
            format!("a device whose gains are forecast from the source's counters: {devices}");
        return unprocessable(at, device, expected);
    }
    let posted = list(set.counters.keys().cloned().collect());
    let providers = list(providers);
    let expected = format!("counters by a provider that has a model of gains: {providers}");
    unprocessable("/counters", posted, expected)
}

/// Seconds without local memory on other devices, by the models across devices; those without are left out.
async fn times(
    app: &App,
    request: &PayOffRequest,
    devices: Vec<i64>,
) -> Result<BTreeMap<i64, f64>, Error> {
    let asked = Asked::of_json(PredictionRequest {
        counters: Some(request.counters.clone()),
        source: Some(request.source),
        devices: Some(devices),
        time_s: request.time_s,
        ..PredictionRequest::default()
    })?;
    let predictions = match predict(app, asked).await {
        Ok(predictions) => predictions,
        Err(Error::Request(_)) => Vec::new(),
        Err(error) => return Err(error),
    };
    let times = predictions.into_iter().filter_map(|it| match it.outcome {
        Outcome::Forecast(forecast) => Some((it.device, forecast.time_s)),
        Outcome::Refused(_) => None,
    });
    Ok(times.collect())
}

fn interval(interval: Interval) -> GainInterval {
    let Interval {
        level,
        low_s: low,
        high_s: high,
    } = interval;
    GainInterval { level, low, high }
}
