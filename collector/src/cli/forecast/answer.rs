//! A forecast for a person.

use std::collections::BTreeMap;

use kerncast_collector::forecast::KernelForecast;
use kerncast_wire::Outcome;

use crate::cli::{
    predict::answer::{doubts, floor, model, rests_on, unused, within},
    shares,
    speedup::verdict,
    units,
};

/// The forecast in words; with `verbose` also the model, other models and counters.
pub(super) fn in_words(answer: &KernelForecast, verbose: bool) -> String {
    let device = &*answer.on;
    let mut lines = vec![format!("{} on {device}", answer.name)];
    let (forecast, refusal) = match &answer.prediction.outcome {
        Outcome::Refused(refused) => {
            lines.push(format!("no forecast: {}", refused.refusal));
            (None, &*refused.refusal)
        }
        Outcome::Forecast(forecast) => {
            let interval = match &forecast.interval {
                Some(interval) => within(forecast, interval),
                None => "no interval".to_owned(),
            };
            lines.push(format!("{}, {interval}", units::time(forecast.time_s)));
            lines.extend(floor(forecast));
            (Some(forecast), "")
        }
    };
    if let Some(measured) = answer.prediction.measured_s {
        lines.push(format!("measured: {}", units::time(measured)));
    }
    lines.extend(answer.prediction.unmeasured.as_ref().map(rests_on));
    let trust = &answer.prediction.trust;
    lines.push(format!("trust: {}: {}", trust.word, trust.why));
    // A refusal for want of counters has said already why there are none.
    lines.extend(uncounted_lines(&answer.uncounted, refusal));
    if let Some(forecast) = forecast {
        lines.extend(doubts(forecast, trust));
        if answer.estimated.contains(&forecast.provider) {
            lines.push(format!(
                "estimated: {} counted some of the work-groups, and the others are taken to do the same",
                forecast.provider
            ));
        }
        lines.extend(shares::lines(&answer.prediction, forecast, verbose));
    }
    lines.extend(answer.speedup.as_ref().and_then(|it| {
        let before = it.before.name.as_deref()?;
        let speedup = it.speedup?;
        Some(format!("beside {before}: ×{speedup:.2}, {}", verdict(it)))
    }));
    if let Some(folder) = answer.folder_of_only_variant() {
        let folder = folder.display();
        lines.push(format!(
            "local memory: kerncast localize {folder} --on '{device}' writes it, and says whether it pays"
        ));
    }
    if !answer.advice.is_empty() {
        lines.push("for a better answer, record".to_owned());
        lines.extend(answer.advice.iter().map(|it| format!("- {it}")));
    }
    if verbose {
        lines.extend(details(answer, device));
    }
    lines.join("\n")
}

/// Providers that could not count, with their reasons, except reasons that `already_said` contains.
pub(in crate::cli) fn uncounted_lines(
    uncounted: &BTreeMap<String, String>,
    already_said: &str,
) -> Vec<String> {
    let uncounted = uncounted.iter();
    let further = uncounted.filter(|(_, why)| !already_said.contains(why.as_str()));
    let lines = further.map(|(provider, why)| format!("not counted by {provider}: {why}"));
    lines.collect()
}

/// Lines about the model, other models and counters.
fn details(answer: &KernelForecast, device: &str) -> Vec<String> {
    let mut lines = Vec::new();
    if let Outcome::Forecast(forecast) = &answer.prediction.outcome {
        lines.push(model(device, forecast));
        for other in &forecast.others {
            let (method, provider) = (&other.method, &other.provider);
            let doubt = if other.impossible {
                ", which the device's ceilings do not allow: it is not compared"
            } else if other.disagrees && other.extrapolates {
                ", which disagrees, far beyond what it has seen"
            } else if other.disagrees {
                ", which disagrees"
            } else {
                ""
            };
            let time = units::time(other.time_s);
            lines.push(format!("{method} on {provider} says {time}{doubt}"));
        }
        lines.extend(unused(forecast));
    }
    if !answer.counted.is_empty() {
        lines.push(format!("counters of {}", answer.counted.join(", ")));
    }
    lines
}
