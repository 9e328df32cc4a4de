//! What a change brings: the ratio of two forecasts of one model.

use std::{mem, sync::Arc};

use axum::http::StatusCode;
use kerncast_profilers::catalogue::ANALYSIS;
use kerncast_wire::{
    Forecast, KernelSpeedup, NoVerdict, Outcome, Prediction, PredictionRequest, Problem,
    SecondOpinion, SpeedupForecast, SpeedupInterval, SpeedupModel, SpeedupRequest, TrustWord,
};
use uuid::Uuid;

use super::{Asked, Plan, asked::Set, candidates::Candidates, known_speedups::Known};
use crate::{
    App,
    db::forecasters::Candidate,
    error::Error,
    problem::{field_problem, unprocessable},
};

/// What the changes bring, on each device asked for.
///
/// # Errors
/// Where what was posted could be no sample's, or nothing is forecast of it.
pub(crate) async fn speedups(
    app: &App,
    request: SpeedupRequest,
) -> Result<Vec<SpeedupForecast>, Error> {
    let asked = asked(request).map_err(renamed)?;
    let plan = match Plan::new(app, asked).await {
        Err(Error::Request(problem)) => return Err(renamed(*problem).into()),
        plan => plan?,
    };
    let candidates = app.kept.candidates(&app.pool).await?;
    let (mut forecasts, mut first_problem) = (Vec::new(), None);
    for at in 0..plan.devices.len() {
        let (before, problem) = plan.predict(at);
        first_problem = first_problem.or(problem);
        for place in 1..plan.asked.sets.len() {
            let (after, problem) = plan.predict(place * plan.devices.len() + at);
            first_problem = first_problem.or(problem);
            let before = before.clone();
            forecasts.push(speedup(app, &plan, &candidates, place - 1, before, after).await?);
        }
    }
    match first_problem {
        Some(problem) if forecasts.iter().all(|it| it.speedup.is_none()) => {
            let problem = field_problem(StatusCode::UNPROCESSABLE_ENTITY, problem);
            Err(renamed(problem).into())
        }
        _ => Ok(forecasts),
    }
}

async fn speedup(
    app: &App,
    plan: &Plan,
    candidates: &Candidates,
    place: usize,
    before: Prediction,
    after: Prediction,
) -> Result<SpeedupForecast, Error> {
    let device = before.device;
    let measured = before.measured_s.zip(after.measured_s);
    let low_trust = [&before, &after]
        .iter()
        .any(|it| it.trust.word < TrustWord::Fair);
    let mut answer = SpeedupForecast {
        device,
        place,
        speedup: None,
        interval: None,
        second: None,
        verdict: None,
        no_verdict: Some(NoVerdict::NoForecast),
        errors: None,
        measured: measured.map(|(before_s, after_s)| before_s / after_s),
        before,
        after,
    };
    let (Some(one), Some(other)) = (time(&answer.before), time(&answer.after)) else {
        return Ok(answer);
    };
    let speedup = one.time_s / other.time_s;
    let model = one.model;
    let to = (device, one.provider.as_str());
    let second = candidates.second(plan.asked.counted_on, to, model);
    let known = app.kept.speedups(&app.pool, model, second).await?;
    if let Some(second) = second {
        answer.second = opinion(app, plan, second, place + 1).await?;
    }
    let second = answer.second.as_ref().map(|it| it.speedup);
    let interval = known.speedups.interval(speedup, plan.asked.level).ok();
    answer.interval = interval.map(|it| SpeedupInterval {
        level: it.level,
        low: it.low,
        high: it.high,
    });
    answer.speedup = Some(speedup);
    answer.errors = known.errors;
    answer.no_verdict = match (low_trust, known.errors) {
        (true, _) => Some(NoVerdict::LowTrust),
        (false, None) => Some(NoVerdict::NotValidated),
        (false, Some(_)) => None,
    };
    if answer.no_verdict.is_none() {
        answer.verdict = Some(known.speedups.verdict(speedup, second));
    }
    Ok(answer)
}

/// The forecast, where it can be a time.
fn time(prediction: &Prediction) -> Option<&Forecast> {
    match &prediction.outcome {
        Outcome::Forecast(forecast) => Some(&**forecast).filter(|it| it.time_s > 0.0),
        Outcome::Refused(_) => None,
    }
}

/// What a second model says of the first set and the one at this place.
async fn opinion(
    app: &App,
    plan: &Plan,
    model: Uuid,
    place: usize,
) -> sqlx::Result<Option<SecondOpinion>> {
    let Some(answering) = app.kept.fit(&app.pool, model, plan.asked.level).await? else {
        return Ok(None);
    };
    let of = |place: usize| answering.opinion(&plan.asked.sets[place]);
    let times = of(0)
        .zip(of(place))
        .map(|(before, after)| before.time_s / after.time_s);
    let speedup = times.filter(|it| *it > 0.0 && it.is_finite());
    Ok(speedup.map(|speedup| SecondOpinion {
        model,
        method: answering.forecaster.method.clone(),
        speedup,
    }))
}

fn asked(request: SpeedupRequest) -> Result<Asked, Problem> {
    let mut sets = vec![request.before];
    sets.extend(request.after);
    if sets.len() < 2 {
        return Err(unprocessable("/after", "empty", "at least one counter set"));
    }
    let mut asked = Asked::of_json(PredictionRequest {
        counter_sets: Some(sets),
        counted_on: request.counted_on,
        devices: request.devices,
        level: request.level,
        ..PredictionRequest::default()
    })?;
    alike(&mut asked.sets);
    Ok(asked)
}

/// One model is to forecast all sets, as it was validated: they are left the counters that all have counted.
fn alike(sets: &mut [Set]) {
    for set in &mut *sets {
        let foreseen = mem::take(&mut set.foreseen);
        let is_counted = |provider: &String| provider == ANALYSIS || !foreseen.contains(provider);
        set.counters.retain(|provider, _| is_counted(provider));
    }
    let mut common = sets[0].counters.clone();
    for set in &sets[1..] {
        common.retain(|provider, counters| {
            let other = set.counters.get(provider);
            counters.retain(|name, _| other.is_some_and(|it| it.contains_key(name)));
            other.is_some()
        });
    }
    let all_timed = sets.iter().all(|it| it.counted_on_time_s.is_some());
    for set in sets {
        set.counters.retain(|provider, counters| {
            let kept = common.get(provider);
            counters.retain(|name, _| kept.is_some_and(|it| it.contains_key(name)));
            kept.is_some()
        });
        set.providers.retain(|it| common.contains_key(it));
        set.counted_on_time_s = set.counted_on_time_s.filter(|_| all_timed);
    }
}

/// With the request's own names of its fields.
fn renamed(mut problem: Problem) -> Problem {
    for error in &mut problem.errors {
        let own = own_name(&error.field);
        if let Some(detail) = &mut problem.detail {
            *detail = detail.replacen(&error.field, &own, 1);
        }
        error.field = own;
    }
    problem
}

fn own_name(field: &str) -> String {
    let of_set = field.strip_prefix("/counter_sets/");
    let of_set = of_set.map(|it| it.split_once('/').unwrap_or((it, "")));
    match of_set {
        Some(("0", rest)) => format!("/before/{rest}"),
        Some((place, rest)) => {
            let place: usize = place.parse().unwrap_or_default();
            format!("/after/{}/{rest}", place.saturating_sub(1))
        }
        None => match field {
            "/counter_sets" => "/after".to_owned(),
            "/device" => "/devices".to_owned(),
            other => other.to_owned(),
        },
    }
}

/// How well speedups are known, of each device, device counted on and provider.
pub(crate) async fn speedup_models(app: &App) -> sqlx::Result<Vec<SpeedupModel>> {
    let candidates = app.kept.candidates(&app.pool).await?;
    let mut listed = Vec::new();
    for champion in candidates.champions() {
        let known = known(app, &candidates, champion).await?;
        listed.push(SpeedupModel {
            device: champion.device,
            counted_on: champion.counted_on,
            provider: champion.provider.clone(),
            model: champion.model,
            method: champion.method.clone(),
            errors: known.errors,
        });
    }
    Ok(listed)
}

/// A kernel's speedups as the champions had forecast them before they saw the kernel, beside what was measured.
pub(crate) async fn kernel_speedups(
    app: &App,
    kernel: &str,
    device: Option<i64>,
) -> sqlx::Result<Vec<KernelSpeedup>> {
    let candidates = app.kept.candidates(&app.pool).await?;
    let mut listed = Vec::new();
    let asked = |it: &&Candidate| device.is_none_or(|device| it.device == device);
    for champion in candidates.champions().filter(asked) {
        let known = known(app, &candidates, champion).await?;
        let of_kernel = known.pairs.iter().filter(|(pair, _)| pair.kernel == kernel);
        listed.extend(of_kernel.map(|(pair, verdict)| KernelSpeedup {
            device: champion.device,
            counted_on: champion.counted_on,
            provider: champion.provider.clone(),
            model: champion.model,
            parameters: pair.parameters.clone(),
            before_sample: pair.before_sample,
            after_sample: pair.after_sample,
            measured: pair.measured,
            forecast: pair.forecast,
            verdict: *verdict,
        }));
    }
    Ok(listed)
}

async fn known(
    app: &App,
    candidates: &Candidates,
    champion: &Candidate,
) -> sqlx::Result<Arc<Known>> {
    let to = (champion.device, champion.provider.as_str());
    let second = candidates.second(champion.counted_on, to, champion.model);
    app.kept.speedups(&app.pool, champion.model, second).await
}
