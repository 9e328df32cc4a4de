//! What would make the answer better.

use kerncast_wire::{DeviceOverview, Outcome, Prediction};

use super::asked::Case;

/// Counting more is worth the trouble where the error's factor falls by so much at least.
const WORTH: f64 = 0.95;

pub(super) fn advice(case: &Case, prediction: &Prediction, target: &DeviceOverview) -> Vec<String> {
    let mut advice = Vec::new();
    let factor_of = |provider: &str| {
        let cell = target.providers.iter().find(|it| it.provider == provider)?;
        cell.champion.as_ref()?.factor
    };
    let (answering, missing) = match &prediction.outcome {
        Outcome::Forecast(forecast) => (factor_of(&forecast.provider), forecast.missing.len()),
        Outcome::Refused(_) => (None, 0),
    };
    if missing > 0 {
        advice.push(format!("the model's {missing} counters that the set lacks"));
    }
    let device = &target.device.short_name;
    for cell in &target.providers {
        let provider = cell.provider.as_str();
        let Some(factor) = factor_of(provider) else {
            continue;
        };
        let better = answering.is_none_or(|answering| factor < WORTH * answering);
        if !better || case.counted_on.is_some() || case.counters.contains_key(provider) {
            continue;
        }
        let instead = answering.map_or_else(String::new, |it| format!(" in place of ×/÷ {it:.2}"));
        let how = match provider {
            "ncu" | "rocprofv3" | "nvprof" => {
                format!("`kerncast metrics {provider} --device '{device}'`")
            }
            // What was refused here is refused again: why stands above.
            _ if case.gaps.uncounted.contains_key(provider) => continue,
            _ => format!("counters of {provider}"),
        };
        advice.push(format!(
            "{provider}'s counters: off by ×/÷ {factor:.2} on average{instead} ({how})"
        ));
    }
    if prediction.measured_s.is_none() {
        let run = case.launched.as_ref().map(|it| {
            let folder = it.folder.display();
            format!(
                " (there: kerncast run --kernels {folder} --device '{}')",
                target.device.device.name
            )
        });
        advice.push(format!(
            "its time on the {device}{}",
            run.unwrap_or_default()
        ));
    }
    advice
}
