//! What a change brings: the ratio of two forecasts of one model.

use std::{collections::BTreeSet, sync::Arc};

use axum::http::StatusCode;
use kerncast_models::SecondSpeedup;
use kerncast_training::LEVEL;
use kerncast_wire::{
    CounterSet, Forecast, KernelSpeedup, NamedCounterSet, NoVerdict, Outcome, Prediction,
    PredictionRequest, Problem, Raised, SecondOpinion, SpeedupForecast, SpeedupInterval,
    SpeedupModel, SpeedupRequest, SpeedupVerdict, TrustWord, provider::LAUNCH,
};
use uuid::Uuid;

use super::{
    cache::ForecastCache, candidates::Candidates, counter_set::PostedSet,
    left_out_speedups::LeftOutSpeedups, plan::Plan, request::ForecastRequest,
};
use crate::{
    db::{self, forecasts::stored_models::RankedModel},
    http::{Error, field_problem, unprocessable},
};

/// Most changes times devices in one answer.
const MOST_FORECASTS: usize = 1000;

/// What each change brings on each device asked for.
/// Fails where what was posted could be no sample's, or nothing is forecast of it.
pub(crate) async fn forecast_speedups(
    cache: &Arc<ForecastCache>,
    request: SpeedupRequest,
) -> Result<Vec<SpeedupForecast>, Error> {
    let candidates = cache.candidates().await?;
    let (mut forecasts, mut first_problem) = (Vec::new(), None);
    for (place, request) in requests(request)?.into_iter().enumerate() {
        let plan = match Plan::new(cache, request).await {
            Err(Error::Request(problem)) => return Err(rename_fields(*problem, place).into()),
            plan => plan?,
        };
        for at in 0..plan.targets.len() {
            let (before, problem) = plan.predict(at);
            let (after, after_problem) = plan.predict(plan.targets.len() + at);
            first_problem = first_problem.or(problem.or(after_problem).map(|it| (place, it)));
            let ratio = ratio(place, before, after);
            forecasts.push(add_verdict(cache, &plan, &candidates, ratio).await?);
            // Others are served between.
            tokio::task::yield_now().await;
        }
    }
    match first_problem {
        Some((place, problem)) if forecasts.iter().all(|it| it.speedup.is_none()) => {
            let problem = field_problem(StatusCode::UNPROCESSABLE_ENTITY, problem);
            Err(rename_fields(problem, place).into())
        }
        _ => Ok(forecasts),
    }
}

/// Both times and their ratio, without a verdict. `place`: the change's place in the request.
fn ratio(place: usize, before: Prediction, after: Prediction) -> SpeedupForecast {
    let measured = before.measured_s.zip(after.measured_s);
    let times = forecast_of(&before).zip(forecast_of(&after));
    SpeedupForecast {
        device: before.device,
        place,
        speedup: times.map(|(one, other)| one.time_s / other.time_s),
        interval: None,
        second: None,
        verdict: None,
        no_verdict: Some(NoVerdict::NoForecast),
        right: None,
        errors: None,
        measured: measured.map(|(before_s, after_s)| before_s / after_s),
        before,
        after,
    }
}

/// Adds the interval, the second opinion and the verdict.
async fn add_verdict(
    cache: &Arc<ForecastCache>,
    plan: &Plan,
    candidates: &Candidates,
    mut answer: SpeedupForecast,
) -> db::Result<SpeedupForecast> {
    let (Some(forecast), Some(speedup)) = (forecast_of(&answer.before), answer.speedup) else {
        return Ok(answer);
    };
    // Nobody has measured how far off ratios are on such a GPU.
    if answer.before.unmeasured.is_some() {
        answer.no_verdict = Some(NoVerdict::NotValidated);
        return Ok(answer);
    }
    let model = forecast.model;
    let second = candidates.second_opinion(&plan.models[&model].stored.key, model);
    let left_out = cache.speedups(model, second).await?;
    answer.errors = left_out.errors;
    if let Some(second) = second {
        answer.second = second_opinion(cache, plan, second).await?;
    }
    answer.interval = interval(plan, &left_out, &answer);
    let second_speedup = answer.second.as_ref().map(|it| it.speedup);
    let second = SecondSpeedup::new(second.is_some(), second_speedup);
    let verdict = if is_doubtful(&answer.before) || is_doubtful(&answer.after) {
        Err(NoVerdict::Doubtful)
    } else {
        left_out.speedups.verdict(speedup, second)
    };
    answer.right = match verdict {
        Ok(SpeedupVerdict::PaysOff | SpeedupVerdict::DoesNot) => {
            left_out.speedups.right_as_far(speedup, second)
        }
        _ => None,
    };
    answer.verdict = verdict.ok();
    answer.no_verdict = verdict.err();
    Ok(answer)
}

/// Whether anything speaks against a forecast but how wide its interval is: errors that both share cancel.
fn is_doubtful(prediction: &Prediction) -> bool {
    let raised = |it: &Forecast| it.floor.as_ref().and_then(|it| it.raised) == Some(Raised::Time);
    let warned = |it: &Forecast| !it.warnings.0.is_empty();
    prediction.trust.word == TrustWord::None
        || !prediction.pending.is_empty()
        || forecast_of(prediction).is_none_or(|it| warned(it) || raised(it))
}

/// Where the speedup lies; none where one of the two times has no interval.
fn interval(
    plan: &Plan,
    left_out: &LeftOutSpeedups,
    answer: &SpeedupForecast,
) -> Option<SpeedupInterval> {
    let (before, after) = forecast_of(&answer.before).zip(forecast_of(&answer.after))?;
    before.interval.and(after.interval)?;
    let model = &plan.models[&before.model];
    let sets = plan.request.sets.iter();
    let expected_errors = sets.filter_map(|it| model.expected_error(it));
    let expected_error = expected_errors.fold(0.0, f64::max);
    let speedup = before.time_s / after.time_s;
    let speedups = &left_out.speedups;
    let interval = speedups.interval(speedup, expected_error, LEVEL).ok()?;
    Some(SpeedupInterval {
        level: interval.level,
        low: interval.low,
        high: interval.high,
    })
}

/// The forecast, where its time is above 0.
fn forecast_of(prediction: &Prediction) -> Option<&Forecast> {
    match &prediction.outcome {
        Outcome::Forecast(forecast) => Some(&**forecast).filter(|it| it.time_s > 0.0),
        Outcome::Refused(_) => None,
    }
}

/// The speedup by another model; none where that can't forecast one of the two sets.
async fn second_opinion(
    cache: &Arc<ForecastCache>,
    plan: &Plan,
    id: Uuid,
) -> db::Result<Option<SecondOpinion>> {
    let Some(model) = cache.model(id).await? else {
        return Ok(None);
    };
    let time_s = |set: &PostedSet| {
        let opinion = model.opinion(set);
        opinion.map(|it| it.time_s).filter(|it| *it > 0.0)
    };
    let sets = &plan.request.sets;
    let times = time_s(&sets[0]).zip(time_s(&sets[1]));
    Ok(times.map(|(before_s, after_s)| SecondOpinion {
        model: id,
        method: model.stored.method.clone(),
        speedup: before_s / after_s,
    }))
}

/// For each change a request with two sets: before and after it.
fn requests(request: SpeedupRequest) -> Result<Vec<ForecastRequest>, Problem> {
    let devices = request.devices.as_ref().map_or(0, Vec::len);
    let devices = (devices + request.gpus.as_ref().map_or(0, Vec::len)).max(1);
    let changes = request.after.len();
    if changes == 0 || changes * devices > MOST_FORECASTS {
        let sent = format!("{changes} × {devices} devices");
        let expected = format!("1 to {MOST_FORECASTS} sets × devices");
        return Err(unprocessable("/after", sent, expected));
    }
    let one = |(place, after): (usize, NamedCounterSet)| {
        let pair = ForecastRequest::from_json(PredictionRequest {
            counter_sets: Some(vec![request.before.clone(), after]),
            counted_on: request.counted_on,
            devices: request.devices.clone(),
            gpus: request.gpus.clone(),
            ..PredictionRequest::default()
        });
        let mut pair = pair.map_err(|problem| rename_fields(problem, place))?;
        if let [before, after] = &mut pair.sets[..] {
            keep_common(before, after).map_err(|problem| rename_fields(problem, place))?;
        }
        Ok(pair)
    };
    let changes = request.after.into_iter().enumerate();
    changes.map(one).collect()
}

/// Leaves both sets the counters that both have: one model is to forecast both, as it was validated.
/// Fails where no provider counted both.
fn keep_common(before: &mut PostedSet, after: &mut PostedSet) -> Result<(), Problem> {
    let counting = |set: &PostedSet| -> BTreeSet<String> {
        let providers = set.posted_providers.iter().filter(|it| *it != LAUNCH);
        providers.cloned().collect()
    };
    let [one, other] = [counting(before), counting(after)];
    let common: BTreeSet<&String> = one.intersection(&other).collect();
    if common.is_empty() && !(one.is_empty() && other.is_empty()) {
        let listed = |it: &BTreeSet<String>| {
            if it.is_empty() {
                return "none that was counted".to_owned();
            }
            Vec::from_iter(it.iter().cloned()).join(", ")
        };
        let of_before = listed(&one);
        let expected = format!("counters of a provider that counted both: before has {of_before}");
        return Err(unprocessable(&after.at, listed(&other), expected));
    }
    let is_common = |it: &String| it == LAUNCH || common.contains(it);
    let of_after = after.counters.clone();
    retain(before, &of_after, is_common);
    retain(after, &before.counters, is_common);
    if before.counted_on_time_s.is_none() || after.counted_on_time_s.is_none() {
        (before.counted_on_time_s, after.counted_on_time_s) = (None, None);
    }
    // What is left is of both.
    before.at.clone_from(&after.at);
    Ok(())
}

/// Retains the counters of common providers that the other set has too.
fn retain(set: &mut PostedSet, other: &CounterSet, is_common: impl Fn(&String) -> bool) {
    set.counters.retain(|provider, counters| {
        let other = other.get(provider).filter(|_| is_common(provider));
        counters.retain(|name, _| other.is_some_and(|it| it.contains_key(name)));
        other.is_some()
    });
    set.posted_providers.retain(|it| is_common(it));
}

/// Gives fields the names that they have in the speedups' request. `place`: of the change.
fn rename_fields(mut problem: Problem, place: usize) -> Problem {
    let after = format!("/after/{place}");
    let own = |field: &str| match field {
        "/device" => "/devices".to_owned(),
        _ => {
            let before = field.replacen("/counter_sets/0", "/before", 1);
            before.replacen("/counter_sets/1", &after, 1)
        }
    };
    for error in &mut problem.errors {
        let name = own(&error.field);
        if let Some(detail) = &mut problem.detail {
            *detail = detail.replacen(&error.field, &name, 1);
        }
        error.field = name;
    }
    problem
}

/// How well speedups are known: of each device, device counted on and provider.
pub(crate) async fn speedup_models(cache: &Arc<ForecastCache>) -> db::Result<Vec<SpeedupModel>> {
    let candidates = cache.candidates().await?;
    let mut listed = Vec::new();
    for champion in candidates.champions() {
        let left_out = left_out_speedups(cache, &candidates, champion).await?;
        listed.push(SpeedupModel {
            device: champion.key.device,
            counted_on: champion.key.counted_on,
            provider: champion.key.provider.clone(),
            model: champion.id,
            method: champion.method.clone(),
            errors: left_out.errors,
        });
    }
    Ok(listed)
}

/// A kernel's speedups as the champions had forecast them before they saw the kernel, beside what was measured.
pub(crate) async fn kernel_speedups(
    cache: &Arc<ForecastCache>,
    kernel: &str,
    device: Option<i64>,
) -> db::Result<Vec<KernelSpeedup>> {
    let candidates = cache.candidates().await?;
    let mut listed = Vec::new();
    let is_wanted = |it: &&RankedModel| device.is_none_or(|device| it.key.device == device);
    for champion in candidates.champions().filter(is_wanted) {
        let left_out = left_out_speedups(cache, &candidates, champion).await?;
        let pairs = left_out.pairs.iter();
        let of_kernel = pairs.filter(|(pair, _)| pair.kernel == kernel);
        listed.extend(of_kernel.map(|(pair, verdict)| KernelSpeedup {
            device: champion.key.device,
            counted_on: champion.key.counted_on,
            provider: champion.key.provider.clone(),
            model: champion.id,
            parameters: pair.parameters.0.clone(),
            before_sample: pair.before_sample,
            after_sample: pair.after_sample,
            measured: pair.measured,
            forecast: pair.forecast,
            verdict: *verdict,
        }));
    }
    Ok(listed)
}

async fn left_out_speedups(
    cache: &Arc<ForecastCache>,
    candidates: &Candidates,
    champion: &RankedModel,
) -> db::Result<Arc<LeftOutSpeedups>> {
    let second = candidates.second_opinion(&champion.key, champion.id);
    cache.speedups(champion.id, second).await
}
