//! What a change brings: the ratio of two forecasts of one model.

use std::{collections::BTreeSet, sync::Arc};

use axum::http::StatusCode;
use kerncast_models::Second;
use kerncast_training::{LAUNCH, LEVEL};
use kerncast_wire::{
    CounterSet, Forecast, KernelSpeedup, NamedCounterSet, NoVerdict, Outcome, Prediction,
    PredictionRequest, Problem, Raised, SecondOpinion, SpeedupForecast, SpeedupInterval,
    SpeedupModel, SpeedupRequest, SpeedupVerdict, TrustWord,
};
use uuid::Uuid;

use super::{Asked, Plan, Store, asked::Set, candidates::Candidates, known_speedups::Known};
use crate::{
    db::{self, forecasts::forecasters::Candidate},
    http::{
        error::Error,
        problem::{field_problem, unprocessable},
    },
};

/// Most changes times devices in one answer.
const MOST: usize = 1000;

/// What the changes bring, on each device asked for.
///
/// # Errors
/// Where what was posted could be no sample's, or nothing is forecast of it.
pub(crate) async fn speedups(
    app: &Store,
    request: SpeedupRequest,
) -> Result<Vec<SpeedupForecast>, Error> {
    let candidates = app.kept.candidates(&app.pool).await?;
    let (mut forecasts, mut first_problem) = (Vec::new(), None);
    for (place, asked) in changes(request)?.into_iter().enumerate() {
        let plan = match Plan::new(app, asked).await {
            Err(Error::Request(problem)) => return Err(renamed(*problem, place).into()),
            plan => plan?,
        };
        for at in 0..plan.targets.len() {
            let (before, problem) = plan.predict(at);
            let (after, other) = plan.predict(plan.targets.len() + at);
            first_problem = first_problem.or(problem.or(other).map(|it| (place, it)));
            let answer = SpeedupForecast {
                place,
                ..of(before, after)
            };
            forecasts.push(judged(app, &plan, &candidates, answer).await?);
            // Others are served between.
            tokio::task::yield_now().await;
        }
    }
    match first_problem {
        Some((place, problem)) if forecasts.iter().all(|it| it.speedup.is_none()) => {
            let problem = field_problem(StatusCode::UNPROCESSABLE_ENTITY, problem);
            Err(renamed(problem, place).into())
        }
        _ => Ok(forecasts),
    }
}

/// Both times and their ratio, which nobody has judged.
fn of(before: Prediction, after: Prediction) -> SpeedupForecast {
    let measured = before.measured_s.zip(after.measured_s);
    let times = time(&before).zip(time(&after));
    SpeedupForecast {
        device: before.device,
        place: 0,
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

/// With the interval and the verdict.
async fn judged(
    app: &Store,
    plan: &Plan,
    candidates: &Candidates,
    mut answer: SpeedupForecast,
) -> db::Result<SpeedupForecast> {
    let (Some(forecast), Some(speedup)) = (time(&answer.before), answer.speedup) else {
        return Ok(answer);
    };
    // How far off ratios are there, nobody has measured.
    if answer.before.unmeasured.is_some() {
        answer.no_verdict = Some(NoVerdict::NotValidated);
        return Ok(answer);
    }
    let model = forecast.model;
    let to = (answer.device, forecast.provider.as_str());
    let second = candidates.second(plan.asked.counted_on, to, model);
    let known = app.kept.speedups(&app.pool, model, second).await?;
    answer.errors = known.errors;
    if let Some(second) = second {
        answer.second = opinion(app, plan, second).await?;
    }
    answer.interval = interval(app, plan, &known, &answer).await?;
    let second = Second::of(
        second.is_some(),
        answer.second.as_ref().map(|it| it.speedup),
    );
    let verdict = match is_doubtful(&answer.before) || is_doubtful(&answer.after) {
        true => Err(NoVerdict::Doubtful),
        false => known.speedups.verdict(speedup, second),
    };
    answer.right = match verdict {
        Ok(SpeedupVerdict::PaysOff | SpeedupVerdict::DoesNot) => {
            known.speedups.right_as_far(speedup, second)
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
        || time(prediction).is_none_or(|it| warned(it) || raised(it))
}

/// Where the speedup lies; none where one of the two times has no interval.
async fn interval(
    app: &Store,
    plan: &Plan,
    known: &Known,
    answer: &SpeedupForecast,
) -> db::Result<Option<SpeedupInterval>> {
    let times = time(&answer.before).zip(time(&answer.after));
    let Some((one, other)) = times.filter(|(it, other)| it.interval.and(other.interval).is_some())
    else {
        return Ok(None);
    };
    let Some(answering) = app.kept.fit(&app.pool, one.model).await? else {
        return Ok(None);
    };
    let doubts = plan.asked.sets.iter().filter_map(|it| answering.doubt(it));
    let doubt = doubts.fold(0.0, f64::max);
    let interval = known
        .speedups
        .interval(one.time_s / other.time_s, doubt, LEVEL);
    Ok(interval.ok().map(|it| SpeedupInterval {
        level: it.level,
        low: it.low,
        high: it.high,
    }))
}

/// The forecast, where it can be a time.
fn time(prediction: &Prediction) -> Option<&Forecast> {
    match &prediction.outcome {
        Outcome::Forecast(forecast) => Some(&**forecast).filter(|it| it.time_s > 0.0),
        Outcome::Refused(_) => None,
    }
}

/// What a second model says of the two sets.
async fn opinion(app: &Store, plan: &Plan, model: Uuid) -> db::Result<Option<SecondOpinion>> {
    let Some(answering) = app.kept.fit(&app.pool, model).await? else {
        return Ok(None);
    };
    let of = |set: &Set| {
        answering
            .opinion(set)
            .map(|it| it.time_s)
            .filter(|it| *it > 0.0)
    };
    let times = of(&plan.asked.sets[0]).zip(of(&plan.asked.sets[1]));
    Ok(times.map(|(before_s, after_s)| SecondOpinion {
        model,
        method: answering.forecaster.method.clone(),
        speedup: before_s / after_s,
    }))
}

/// Of each change a question with two sets, before and after.
fn changes(request: SpeedupRequest) -> Result<Vec<Asked>, Problem> {
    let named = |it: Option<usize>| it.unwrap_or_default();
    let devices = named(request.devices.as_ref().map(Vec::len));
    let devices = (devices + named(request.gpus.as_ref().map(Vec::len))).max(1);
    let changes = request.after.len();
    if changes == 0 || changes * devices > MOST {
        let found = format!("{changes} × {devices} devices");
        return Err(unprocessable(
            "/after",
            found,
            format!("1 to {MOST} sets × devices"),
        ));
    }
    let of = |(place, after): (usize, NamedCounterSet)| {
        let asked = Asked::of_json(PredictionRequest {
            counter_sets: Some(vec![request.before.clone(), after]),
            counted_on: request.counted_on,
            devices: request.devices.clone(),
            gpus: request.gpus.clone(),
            ..PredictionRequest::default()
        });
        let mut asked = asked.map_err(|problem| renamed(problem, place))?;
        let [before, after] = &mut asked.sets[..] else {
            return Ok(asked);
        };
        alike(before, after).map_err(|problem| renamed(problem, place))?;
        Ok(asked)
    };
    request.after.into_iter().enumerate().map(of).collect()
}

/// One model is to forecast both, as it was validated: they are left the counters that both have.
fn alike(before: &mut Set, after: &mut Set) -> Result<(), Problem> {
    let counted = |set: &Set| -> BTreeSet<String> {
        let providers = set.providers.iter().filter(|it| *it != LAUNCH);
        providers.cloned().collect()
    };
    let [one, other] = [counted(before), counted(after)];
    let common: BTreeSet<&String> = one.intersection(&other).collect();
    let counts = |set: &Set| set.providers.iter().any(|it| it != LAUNCH);
    if common.is_empty() && (counts(before) || counts(after)) {
        let listed = |it: &BTreeSet<String>| match it.is_empty() {
            true => "none that was counted".to_owned(),
            false => Vec::from_iter(it.iter().cloned()).join(", "),
        };
        let expected = format!(
            "counters of a provider that counted both: before has {}",
            listed(&one)
        );
        return Err(unprocessable(&after.at, listed(&other), expected));
    }
    let is_kept = |it: &String| it == LAUNCH || common.contains(it);
    let other_counters = after.counters.clone();
    keep(before, &other_counters, is_kept);
    let counters = before.counters.clone();
    keep(after, &counters, is_kept);
    if before.counted_on_time_s.is_none() || after.counted_on_time_s.is_none() {
        (before.counted_on_time_s, after.counted_on_time_s) = (None, None);
    }
    // What is left is of both.
    before.at.clone_from(&after.at);
    Ok(())
}

/// Only the counters that the other set has too, of these providers.
fn keep(set: &mut Set, other: &CounterSet, is_kept: impl Fn(&String) -> bool) {
    set.counters.retain(|provider, counters| {
        let other = other.get(provider).filter(|_| is_kept(provider));
        counters.retain(|name, _| other.is_some_and(|it| it.contains_key(name)));
        other.is_some()
    });
    set.providers.retain(|it| is_kept(it));
}

/// With the request's own names of its fields, where a question was of the change at this place.
fn renamed(mut problem: Problem, place: usize) -> Problem {
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

/// How well speedups are known, of each device, device counted on and provider.
pub(crate) async fn speedup_models(app: &Store) -> db::Result<Vec<SpeedupModel>> {
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
    app: &Store,
    kernel: &str,
    device: Option<i64>,
) -> db::Result<Vec<KernelSpeedup>> {
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
    app: &Store,
    candidates: &Candidates,
    champion: &Candidate,
) -> db::Result<Arc<Known>> {
    let to = (champion.device, champion.provider.as_str());
    let second = candidates.second(champion.counted_on, to, champion.model);
    app.kept.speedups(&app.pool, champion.model, second).await
}
