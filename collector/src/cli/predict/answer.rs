//! The server's answer for a person.

use std::collections::{BTreeMap, BTreeSet};

use comfy_table::Cell;
use kerncast_collector::{
    device_choice::target::{device_name, forecast_name},
    forecast::{advise_better, forecast_of, time_s},
};
use kerncast_wire::{
    DeviceSummary, Forecast, Interval, Outcome, Outside, Position, Prediction, Predictions, Raised,
    Trust, TrustWord, Unmeasured,
};

use crate::cli::{shares, table, units, wrap::wrapped};

/// The most names that are listed of counters that the model does not use.
const MAX_UNUSED: usize = 4;

/// One forecast with all details of the server's answer; several as a table.
pub(super) fn in_words(answer: &Predictions, devices: &[DeviceSummary]) -> String {
    let mut lines = match &answer.predictions[..] {
        [
            prediction @ Prediction {
                outcome: Outcome::Forecast(forecast),
                ..
            },
        ] => one(prediction, forecast, devices),
        predictions => many(predictions, devices),
    };
    let notes = answer.notes.iter();
    lines.extend(notes.map(|note| format!("line {}: {}", note.line, note.text)));
    wrapped(&lines.join("\n"))
}

fn one(prediction: &Prediction, forecast: &Forecast, devices: &[DeviceSummary]) -> Vec<String> {
    let name = prediction.name.as_ref();
    let mut lines: Vec<String> = name.cloned().into_iter().collect();
    lines.push(match (&forecast.interval, &forecast.no_interval) {
        (Some(interval), _) => format!("{}, {}", time(forecast.time_s), within(forecast, interval)),
        (None, why) => {
            let why = why.as_deref().unwrap_or("the server does not say why");
            format!("{}, no interval: {why}", time(forecast.time_s))
        }
    });
    lines.extend(floor(forecast));
    if let Some(measured) = prediction.measured_s {
        let ratio = forecast.time_s / measured;
        let alarm = side_outside(prediction).map_or(String::new(), |where_to| {
            format!(" !! {where_to} the interval")
        });
        let measured = units::time(measured);
        lines.push(format!(
            "measured: {measured}{alarm}; the forecast is {ratio:.2} times that"
        ));
    }
    lines.extend(prediction.unmeasured.as_ref().map(rests_on));
    let trust = &prediction.trust;
    lines.push(format!("trust: {}: {}", trust.word, trust.why));
    lines.push(model(&device_name(devices, prediction.device), forecast));
    if let Some(baseline) = &forecast.baseline {
        let error = off_by(baseline.leave_one_kernel_out_mean_ape);
        let missing = match baseline.missing.len() {
            0 => String::new(),
            n => format!("; it lacks {}", units::count(n, "counter")),
        };
        let time = time(baseline.time_s);
        lines.push(format!("the paper's method: {time} ({error}{missing})"));
    }
    lines.extend(shares::lines(prediction, forecast, true));
    lines.extend(doubts(forecast, trust));
    lines.extend(unused(forecast));
    let device = forecast_name(devices, prediction);
    let better = forecast.better.iter();
    let advice = better.map(|it| advise_better(it, prediction, &device));
    lines.extend(advice.map(|it| format!("more certain with {it}")));
    lines
}

/// The most reasons for low trust that are listed.
const MAX_REASONS: usize = 5;

const COLUMNS: &str = "launch, device, forecast, interval, trust, measured, ÷ measured, the paper's, mostly, warnings";

fn many(predictions: &[Prediction], devices: &[DeviceSummary]) -> Vec<String> {
    let mut rows = table::new(COLUMNS.split(", "));
    let (mut models, mut refusals) = (BTreeMap::new(), Vec::new());
    for prediction in predictions {
        let device = forecast_name(devices, prediction);
        match &prediction.outcome {
            Outcome::Forecast(forecast) => {
                models.insert(forecast.model, model(&device, forecast));
            }
            Outcome::Refused(refused) => refusals.push(format!(
                "{}: no forecast: {}",
                title(prediction),
                refused.refusal
            )),
        }
        rows.add_row(row(prediction, device));
    }
    let mut lines = vec![rows.to_string()];
    lines.extend(models.into_values());
    lines.extend(refusals);
    lines.extend(reasons_for_distrust(predictions));
    lines.extend(alarms(predictions));
    lines.extend(pending(predictions, devices));
    if predictions.len() > 1 {
        let more = "--json shows shares of time, warnings, and each set's missing counters";
        lines.push(more.to_owned());
    }
    lines
}

fn row(prediction: &Prediction, device: String) -> [Cell; 10] {
    let forecast = forecast_of(prediction);
    let baseline = forecast.and_then(|it| it.baseline.as_ref());
    let ratio = time_s(prediction).zip(prediction.measured_s);
    let largest_part = forecast.and_then(shares::largest_part);
    [
        title(prediction).into(),
        device.into(),
        table::number_or_dash(forecast.map(|it| time(it.time_s))),
        table::number_or_dash(forecast.and_then(|it| it.interval).map(ends)),
        prediction.trust.word.to_string().into(),
        table::number_or_dash(prediction.measured_s.map(|measured| {
            let alarm = side_outside(prediction).map_or("", |_| "!! ");
            format!("{alarm}{}", units::time(measured))
        })),
        table::number_or_dash(ratio.map(|(time, measured)| format!("{:.2}", time / measured))),
        table::number_or_dash(baseline.map(|it| time(it.time_s))),
        largest_part.unwrap_or_default().into(),
        table::number_or_dash(forecast.map(|it| it.warnings.0.len().to_string())),
    ]
}

/// Reasons why forecasts have low trust, each once.
fn reasons_for_distrust(predictions: &[Prediction]) -> Vec<String> {
    let mut reasons: Vec<(&Trust, Vec<String>)> = Vec::new();
    for prediction in predictions {
        let trust = &prediction.trust;
        let is_forecast = matches!(prediction.outcome, Outcome::Forecast(_));
        if !is_forecast || !matches!(trust.word, TrustWord::Low | TrustWord::None) {
            continue;
        }
        match reasons.iter_mut().find(|(reason, _)| *reason == trust) {
            Some((_, names)) => names.push(title(prediction)),
            None => reasons.push((trust, vec![title(prediction)])),
        }
    }
    let line = |(trust, names): &(&Trust, Vec<String>)| {
        let more = match names.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let (word, why) = (trust.word, &trust.why);
        format!("{}{more}: trust: {word}: {why}", names[0])
    };
    let mut lines: Vec<String> = reasons.iter().take(MAX_REASONS).map(line).collect();
    if reasons.len() > MAX_REASONS {
        let more = reasons.len() - MAX_REASONS;
        lines.push(format!("… and {more} more reasons (--json has all)"));
    }
    lines
}

/// The side of the forecast's interval on which the measured time lies; none if it lies inside.
fn side_outside(prediction: &Prediction) -> Option<&'static str> {
    match prediction.measured_lies? {
        Position::Below => Some("below"),
        Position::Above => Some("above"),
        Position::Within => None,
    }
}

/// Says how many measured times lie outside their intervals.
fn alarms(predictions: &[Prediction]) -> Option<String> {
    let measured = predictions.iter().filter(|it| it.measured_lies.is_some());
    let measured: Vec<&Prediction> = measured.collect();
    let outside = measured.iter().filter(|it| side_outside(it).is_some());
    let outside = outside.count();
    (outside > 0).then(|| {
        format!(
            "!! {outside} of {} measured times lie outside the intervals of their forecasts: do not rely on those",
            measured.len()
        )
    })
}

/// A line for each device that has pending fits.
fn pending(predictions: &[Prediction], devices: &[DeviceSummary]) -> Vec<String> {
    let mut of_devices: BTreeMap<i64, BTreeSet<&str>> = BTreeMap::new();
    for it in predictions {
        let providers = it.pending.iter().map(|job| job.provider.as_str());
        of_devices.entry(it.device).or_default().extend(providers);
    }
    of_devices.retain(|_, providers| !providers.is_empty());
    let line = |(device, providers): (i64, BTreeSet<&str>)| {
        let providers = Vec::from_iter(providers).join(", ");
        format!(
            "!! fits of the {} from counters of {providers} are pending: the answer may change (kerncast models --wait 600s waits for them)",
            device_name(devices, device)
        )
    };
    of_devices.into_iter().map(line).collect()
}

/// A forecast time in words; one at or below 0 is no time.
fn time(seconds: f64) -> String {
    if seconds > 0.0 {
        units::time(seconds)
    } else {
        format!("no time ({})", units::time(seconds))
    }
}

fn title(prediction: &Prediction) -> String {
    let place = || format!("set {}", prediction.counter_set);
    prediction.name.clone().unwrap_or_else(place)
}

/// The basis of a forecast for an unmeasured GPU, and how to get a better one.
pub(in crate::cli) fn rests_on(unmeasured: &Unmeasured) -> String {
    let (gpu, like_name) = (&unmeasured.gpu, &unmeasured.like_name);
    let architecture = if unmeasured.same_architecture {
        "of the same architecture"
    } else {
        "of another architecture"
    };
    let time = unmeasured.measured_there_s.map(units::time);
    let time = time.map_or(String::new(), |it| format!(", and the {it} there"));
    format!(
        "never measured: by the data sheet of the {gpu} and the models of the {like_name}, {architecture}{time}; \
         `kerncast run --generated --budget 15m` on one makes models of its own"
    )
}

/// Says that the device's ceilings allow no shorter time, where the model forecast one.
pub(in crate::cli) fn floor(forecast: &Forecast) -> Option<String> {
    let floor = forecast.floor.as_ref()?;
    let end = match floor.raised? {
        Raised::Low => "the lower end",
        Raised::Time => "the time",
    };
    Some(format!(
        "{end} is raised to {}: the device's measured ceilings allow no less ({})",
        units::time(floor.time_s),
        shares::ceiling_in_words(&floor.ceiling)
    ))
}

pub(in crate::cli) fn ends(interval: Interval) -> String {
    let (low, high) = (units::time(interval.low_s), units::time(interval.high_s));
    format!("{low} – {high}")
}

pub(in crate::cli) fn within(forecast: &Forecast, interval: &Interval) -> String {
    let time_s = forecast.time_s;
    let (low, high) = (units::time(interval.low_s), units::time(interval.high_s));
    let (down, up) = (time_s / interval.low_s, interval.high_s / time_s);
    // Where models disagree, it is wider on one side.
    let factor = if (down / up).ln().abs() < 1e-6 {
        format!("×/÷ {up:.2}")
    } else {
        format!("÷ {down:.2}, × {up:.2}")
    };
    if forecast.outside.iter().any(Outside::is_far_above) {
        return format!(
            "between {low} and {high} ({factor}), extrapolated beyond the measured range: no probability is known"
        );
    }
    format!(
        "with {:.0} % probability between {low} and {high} ({factor})",
        100.0 * interval.level
    )
}

/// The model that answers, and its error.
pub(in crate::cli) fn model(device: &str, forecast: &Forecast) -> String {
    let (model, method, provider) = (forecast.model, &forecast.method, &forecast.provider);
    let error = off_by(forecast.leave_one_kernel_out_mean_ape);
    format!("{method} on counters of {provider}, model {model} of the {device}: {error}")
}

fn off_by(mean_ape: Option<f64>) -> String {
    match mean_ape.map(units::percent) {
        None => "not validated".to_owned(),
        Some(percent) => format!("off by {percent} on average on kernels it had not seen"),
    }
}

/// The forecast's warnings, without the one that `trust` begins with.
pub(in crate::cli) fn doubts(forecast: &Forecast, trust: &Trust) -> Vec<String> {
    let warnings = forecast.warnings.0.iter().map(ToString::to_string);
    let further = warnings.filter(|it| !trust.why.starts_with(it));
    further.map(|it| format!("warning: {it}")).collect()
}

/// Counters of the set that the model does not use.
pub(in crate::cli) fn unused(forecast: &Forecast) -> Option<String> {
    let unknown = &forecast.unknown;
    let (first, others) = unknown.split_at(unknown.len().min(MAX_UNUSED));
    let mut names = first.join(", ");
    if !others.is_empty() {
        names.push_str(&format!(" and {} more (--json has all)", others.len()));
    }
    (!unknown.is_empty()).then(|| format!("counters that the model does not use: {names}"))
}
