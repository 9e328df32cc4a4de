//! An answer for a person.

use kerncast_wire::{Outcome, SpeedupForecast};

use super::{Answer, LocalMemory};
use crate::cli::{
    predict::answer::{doubts, floor, model, shares, within},
    units,
};

pub(super) fn in_words(answer: &Answer, device: &str) -> String {
    let mut lines = vec![format!("{} on {device}", answer.name)];
    match &answer.prediction.outcome {
        Outcome::Refused(refused) => lines.push(format!("no forecast: {}", refused.refusal)),
        Outcome::Forecast(forecast) => {
            let interval = match &forecast.interval {
                Some(interval) => within(forecast.time_s, interval),
                None => "no interval".to_owned(),
            };
            lines.push(format!("{}, {interval}", units::time(forecast.time_s)));
            lines.extend(floor(forecast));
        }
    }
    if let Some(measured) = answer.prediction.measured_s {
        lines.push(format!("measured: {}", units::time(measured)));
    }
    let trust = &answer.prediction.trust;
    lines.push(format!("trust: {}: {}", trust.word.text(), trust.why));
    if let Outcome::Forecast(forecast) = &answer.prediction.outcome {
        let own = answer
            .estimated
            .iter()
            .filter(|it| **it == forecast.provider);
        lines.extend(own.map(estimated));
    }
    lines.push(format!(
        "local memory: {}",
        local_memory(&answer.local_memory)
    ));
    if let Outcome::Forecast(forecast) = &answer.prediction.outcome {
        lines.push(model(device, forecast));
        lines.push(shares(forecast));
        lines.extend(doubts(forecast, trust));
    }
    if !answer.counted.is_empty() {
        lines.push(format!("counters of {}", answer.counted.join(", ")));
    }
    let uncounted = answer.uncounted.iter();
    lines.extend(uncounted.map(|(provider, why)| format!("none of {provider}: {why}")));
    if !answer.record.is_empty() {
        lines.push("for a better answer, record".to_owned());
        lines.extend(answer.record.iter().map(|it| format!("- {it}")));
    }
    lines.join("\n")
}

fn estimated(provider: &String) -> String {
    format!(
        "estimated: of {provider} some of the work-groups are counted, for which the others stand (--count-limit \
         gives it more time)"
    )
}

fn local_memory(known: &LocalMemory) -> String {
    match known {
        LocalMemory::Forecast(forecast) => {
            let said = forecast.cannot_tell.as_ref();
            let warnings = forecast.warnings.iter().filter(|it| Some(*it) != said);
            let warnings = warnings.map(|it| format!("\n  warning: {it}"));
            verdict(forecast) + &warnings.collect::<String>()
        }
        LocalMemory::Unknown(why) => format!("cannot tell: {why}"),
    }
}

/// Yes or no only where the server can tell.
fn verdict(forecast: &SpeedupForecast) -> String {
    let speedup = format!("×{:.2}", forecast.speedup);
    let says = match (forecast.pays_off, &forecast.cannot_tell) {
        (Some(true), _) => "pays off",
        (Some(false), _) => "does not pay off",
        (None, Some(why)) => return format!("cannot tell ({speedup}): {why}"),
        (None, None) => return format!("cannot tell ({speedup})"),
    };
    let right = forecast.signs.map_or(String::new(), |it| {
        format!(" (right in {})", units::percent(it.right))
    });
    format!("{says}: {speedup}{right}")
}
