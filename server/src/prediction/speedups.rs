//! Whether local memory would pay off, by stored fits of speedups.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use axum::http::StatusCode;
use kerncast_models::sign_test;
use kerncast_profilers::catalogue::uses_local_memory;
use kerncast_wire::{
    Outcome, PredictionRequest, Problem, Signs, SpeedupForecast, SpeedupInterval, SpeedupRequest,
    Warning, Warnings,
};

use super::{
    Asked,
    answer::{Answer, Answering, extrapolates},
    asked::Set,
    candidates::first,
    columns::Columns,
    pending::{Pending, warning},
    predict,
};
use crate::{
    App,
    db::{
        forecasters::{self, Candidate},
        speedups::RESPONSE,
    },
    error::Error,
    problem::{field_problem, unprocessable},
};

/// The speedups of a kernel that was counted without local memory, on each device asked for.
///
/// # Errors
/// Where a device has no model of speedups from those counters, or what was posted could be no sample's.
pub(crate) async fn speedups(
    app: &App,
    request: SpeedupRequest,
) -> Result<Vec<SpeedupForecast>, Error> {
    let counted_on = request.counted_on;
    let asked = asked(&request)?;
    let candidates = forecasters::candidates(&app.pool, RESPONSE).await?;
    let candidates: Vec<Candidate> = candidates
        .into_iter()
        .filter(|it| it.counted_on.unwrap_or(it.device) == counted_on)
        .collect();
    let targets = targets(&candidates, &request)?;
    let elsewhere: Vec<i64> = targets
        .iter()
        .copied()
        .filter(|it| *it != counted_on)
        .collect();
    let times = match request.time_s {
        Some(_) if !elsewhere.is_empty() => times(app, &request, elsewhere).await?,
        _ => BTreeMap::new(),
    };
    let set = &asked.sets[0];
    let jobs = app.kept.jobs(&app.pool).await?;
    let own = Pending::new(Arc::clone(&jobs), None);
    let across = Pending::new(jobs, Some(counted_on));
    let mut forecasts = Vec::new();
    for (place, device) in targets.into_iter().enumerate() {
        let at = request
            .devices
            .as_ref()
            .map_or("/counted_on".to_owned(), |_| format!("/devices/{place}"));
        let best =
            best(&candidates, device, set).ok_or_else(|| none(&candidates, set, &at, device))?;
        let found = app.kept.fit(&app.pool, best.model, asked.level).await?;
        let answering = found.ok_or(sqlx::Error::RowNotFound)?;
        let answer = answering
            .answer(set)
            .map_err(|problem| field_problem(StatusCode::UNPROCESSABLE_ENTITY, problem))?;
        let speedup = answer.value;
        let global_s = if device == counted_on {
            request.time_s
        } else {
            times.get(&device).copied()
        };
        let (method, provider) = (&answering.forecaster.method, &answering.forecaster.provider);
        let pending = if device == counted_on { &own } else { &across };
        let pending = pending.of(device, set);
        let cannot_tell = cannot_tell(set, &answering, &answer);
        let odds = match &cannot_tell {
            None | Some(Warning::MayBeChance { .. } | Warning::Straddles { .. }) => {
                answering.above_one(set, &answer)
            }
            // What is said of it means nothing.
            Some(_) => None,
        };
        let mut warnings = Vec::from_iter(warning(&pending));
        // What such a variant counts, no model of speedups has seen: that is said once.
        if uses_already(set).is_none() {
            warnings.extend(answer.warnings);
        }
        if answering.forecaster.leave_one_kernel_out_mean_ape.is_none() {
            warnings.push(Warning::NotValidated);
        }
        warnings.extend(fallback(&candidates, best, set, method));
        let (interval, no_interval) = match answer.interval {
            Ok([low, high]) => {
                let level = answering.level;
                (Some(SpeedupInterval { level, low, high }), None)
            }
            Err(why) => (None, Some(why)),
        };
        forecasts.push(SpeedupForecast {
            device,
            speedup,
            pays_off: cannot_tell.is_none().then_some(speedup > 1.0),
            odds,
            cannot_tell: cannot_tell.as_ref().map(ToString::to_string),
            cannot_tell_kind: cannot_tell,
            pending,
            interval,
            no_interval: no_interval.as_ref().map(ToString::to_string),
            no_interval_kind: no_interval,
            global_s,
            local_s: global_s.map(|time| time / speedup),
            model: best.model,
            method: method.clone(),
            provider: provider.clone(),
            factor: answering.forecaster.leave_one_kernel_out_factor,
            signs: answering.forecaster.signs,
            outside: answer.outside,
            missing: answer.missing,
            warnings: Warnings(warnings),
        });
    }
    Ok(forecasts)
}

/// Chance alone makes a model look as good as one that may give verdicts so seldom.
const CHANCE: f64 = 0.05;

/// Why there is no verdict on a set: what is plainest first.
fn cannot_tell(set: &Set, answering: &Answering, answer: &Answer<'_>) -> Option<Warning> {
    if let Some(why) = uses_already(set) {
        return Some(why);
    }
    if !answer.missing.is_empty() {
        return Some(Warning::CountersMissing {
            counters: answer.missing.len(),
        });
    }
    if let Some(why) = extrapolates(&answer.outside) {
        return Some(why);
    }
    if let Some(why) = no_better_than_always_the_same(answering.forecaster.signs) {
        return Some(why);
    }
    if let Err(why) = &answer.interval {
        return Some(why.clone());
    }
    // Whatever level was asked for: a narrow interval makes nothing surer.
    let reach = answering.reach(set, answer).unwrap_or(f64::INFINITY);
    let [low, high] = [answer.value / reach, answer.value * reach];
    (low < 1.0 && high > 1.0).then(|| Warning::Straddles {
        low,
        high: Some(high).filter(|it| it.is_finite()),
    })
}

/// Why a model with these signs gives no verdict.
pub(crate) fn no_better_than_always_the_same(signs: Option<Signs>) -> Option<Warning> {
    let Some(Signs {
        right,
        pays_off,
        better,
        worse,
        ..
    }) = signs
    else {
        return Some(Warning::SignsUnknown);
    };
    let chance = sign_test(better, worse);
    (chance > CHANCE).then(|| Warning::MayBeChance {
        right,
        always: pays_off.max(1.0 - pays_off),
    })
}

fn asked(request: &SpeedupRequest) -> Result<Asked, Problem> {
    Asked::of_json(PredictionRequest {
        counters: Some(request.counters.clone()),
        counted_on: Some(request.counted_on),
        time_s: request.time_s,
        level: request.level,
        ..PredictionRequest::default()
    })
}

/// The devices named, or all that speedups are forecast for.
fn targets(candidates: &[Candidate], request: &SpeedupRequest) -> Result<Vec<i64>, Error> {
    if let Some(devices) = &request.devices {
        return Ok(devices.clone());
    }
    let devices: BTreeSet<i64> = candidates.iter().map(|it| it.device).collect();
    if devices.is_empty() {
        let expected = "a device whose counters speedups are forecast from: none is yet";
        return Err(unprocessable("/counted_on", request.counted_on, expected).into());
    }
    Ok(devices.into_iter().collect())
}

/// Of the device's models of the set's providers the one that misses the fewest counters, the one with the least
/// error first.
fn best<'a>(candidates: &'a [Candidate], device: i64, set: &Set) -> Option<&'a Candidate> {
    let missing = |it: &Candidate| Columns::new(&it.counters).missing(set);
    first(of_providers(candidates, device, set), set, |it| it, missing)
}

/// The device's models of the set's providers, each one's champion before its others.
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
) -> Option<Warning> {
    let all = of_providers(candidates, answering.device, set);
    let champion = first(all, set, |it| it, |_| ())?;
    let lacking = Columns::new(&champion.counters).missing(set);
    (champion.model != answering.model).then(|| Warning::Fallback {
        lacking,
        of: champion.counters.len(),
        method: method.to_owned(),
    })
}

/// Where the counters are of a variant that has what is asked about.
fn uses_already(set: &Set) -> Option<Warning> {
    let (counter, value) = uses_local_memory(&set.counters)?;
    Some(Warning::LocalMemoryAlready {
        counter: counter.to_string(),
        value,
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
        let expected = format!(
            "a device whose speedups are forecast from the counters of the device counted on: {devices}"
        );
        return unprocessable(at, device, expected);
    }
    let posted = list(set.counters.keys().cloned().collect());
    let providers = list(providers);
    let expected = format!("counters by a provider that has a model of speedups: {providers}");
    unprocessable("/counters", posted, expected)
}

/// Seconds without local memory on other devices, by the models across devices; those without are left out.
async fn times(
    app: &App,
    request: &SpeedupRequest,
    devices: Vec<i64>,
) -> Result<BTreeMap<i64, f64>, Error> {
    let asked = Asked::of_json(PredictionRequest {
        counters: Some(request.counters.clone()),
        counted_on: Some(request.counted_on),
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
