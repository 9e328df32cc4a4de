//! The server's answer for a person.

use std::collections::BTreeMap;

use kerncast_wire::{Forecast, Outcome, Prediction, Predictions};
use uuid::Uuid;

use crate::cli::{table, units};

/// One unnamed prediction in sentences, others as a table.
pub(super) fn in_words(answer: &Predictions) -> String {
    match &answer.predictions[..] {
        [
            Prediction {
                name: None,
                device,
                outcome: Outcome::Forecast(forecast),
                ..
            },
        ] => one(*device, forecast),
        _ => many(answer),
    }
}

fn one(device: i64, forecast: &Forecast) -> String {
    let mut lines = vec![units::time(forecast.time_s), model(device, forecast)];
    lines.extend(doubts(forecast));
    lines.join("\n")
}

fn many(answer: &Predictions) -> String {
    let mut rows = table::new([
        "launch",
        "device",
        "forecast",
        "measured",
        "÷ measured",
        "warnings",
    ]);
    let (mut models, mut below) = (BTreeMap::new(), Vec::new());
    for prediction in &answer.predictions {
        let name = title(prediction);
        let (time_s, warnings) = match &prediction.outcome {
            Outcome::Forecast(forecast) => {
                models.insert(forecast.model, model(prediction.device, forecast));
                if answer.predictions.len() == 1 {
                    below.extend(forecast.warnings.iter().map(|it| format!("warning: {it}")));
                }
                (Some(forecast.time_s), forecast.warnings.len().to_string())
            }
            Outcome::Refused(refused) => {
                below.push(format!("{name}: no forecast: {}", refused.refusal));
                (None, "–".to_owned())
            }
        };
        let cell = |text: Option<String>| table::number(text.unwrap_or_else(|| "–".to_owned()));
        let ratio = time_s
            .filter(|time| *time > 0.0)
            .zip(prediction.measured_s)
            .map(|(time, measured)| time / measured);
        rows.add_row([
            name.into(),
            table::number(prediction.device.to_string()),
            cell(time_s.map(units::time)),
            cell(prediction.measured_s.map(units::time)),
            cell(ratio.map(|ratio| format!("{ratio:.2}"))),
            table::number(warnings),
        ]);
    }
    let notes = answer
        .notes
        .iter()
        .map(|note| format!("line {}: {}", note.line, note.text));
    let mut lines = vec![rows.to_string()];
    lines.extend(models.into_values());
    lines.extend(below);
    lines.extend(notes);
    if answer.predictions.len() > 1 {
        lines.push("--json shows the warnings, and each set's missing counters".to_owned());
    }
    lines.join("\n")
}

fn title(prediction: &Prediction) -> String {
    let place = || format!("set {}", prediction.counter_set);
    prediction.name.clone().unwrap_or_else(place)
}

fn model(device: i64, forecast: &Forecast) -> String {
    let id: Uuid = forecast.model;
    let error = forecast.leave_one_kernel_out_mean_ape.map_or_else(
        || "not validated".to_owned(),
        |error| {
            let percent = units::percent(error);
            format!("off by {percent} on average on kernels it had not seen")
        },
    );
    format!("model {id} of device {device}: {error}")
}

/// What speaks against believing it, each once.
fn doubts(forecast: &Forecast) -> Vec<String> {
    let Forecast {
        missing,
        unknown,
        warnings,
        ..
    } = forecast;
    let mut doubts = Vec::new();
    if !missing.is_empty() {
        let names = missing.join(", ");
        doubts.push(format!(
            "missing counters, the model's mean stood in: {names}"
        ));
    }
    if !unknown.is_empty() {
        let names = unknown.join(", ");
        doubts.push(format!("counters that the model does not use: {names}"));
    }
    // The server also warns of each missing counter.
    let told = |warning: &&String| missing.iter().any(|counter| warning.starts_with(counter));
    let others = warnings.iter().filter(|warning| !told(warning));
    doubts.extend(others.map(|warning| format!("warning: {warning}")));
    doubts
}
