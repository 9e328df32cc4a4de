//! Where a forecast's time goes: how near to the device's ceilings it is, and a model's shares.

use kerncast_profilers::catalogue::describe;
use kerncast_wire::{FitForm, Forecast, Part, Prediction};

use super::units;

/// Counters of a part that are named where a person did not ask for all.
const MOST_NAMED: usize = 1;
/// A part of less is not worth a line of its own.
const LEAST: f64 = 0.005;

/// A part of the device with what goes to it, the most first: counters, or words where there is none.
struct Group {
    part: Part,
    time_s: f64,
    of: Vec<(String, f64)>,
}

/// What the time goes to, the largest part first: counters, and what no counter explains.
pub(super) fn parts(forecast: &Forecast) -> Vec<(Part, String, f64)> {
    let explanation = &forecast.explanation;
    let shares = explanation.shares.iter();
    let mut parts: Vec<(Part, String, f64)> = shares
        .map(|it| (it.part, it.counter.clone(), it.time_s))
        .collect();
    if explanation.rest_s != 0.0 {
        let (part, rest) = match explanation.form {
            FitForm::Costs | FitForm::Waves | FitForm::Corrected | FitForm::Across => {
                (Part::Launch, "every launch")
            }
            FitForm::Linear => (Part::Other, "no counter (intercept)"),
            FitForm::Forest => (Part::Other, "no counter (a typical time)"),
        };
        parts.push((part, rest.to_owned(), explanation.rest_s));
    }
    parts.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
    parts
}

/// The largest first.
fn groups(forecast: &Forecast) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (part, name, time_s) in parts(forecast) {
        match groups.iter_mut().find(|it| it.part == part) {
            Some(group) => {
                group.time_s += time_s;
                group.of.push((name, time_s));
            }
            None => groups.push(Group {
                part,
                time_s,
                of: vec![(name, time_s)],
            }),
        }
    }
    groups.sort_by(|a, b| b.time_s.abs().total_cmp(&a.time_s.abs()));
    groups
}

/// How near it is to what the device can do, then the model's shares by parts of the device; where it is `verbose` with
/// all counters by their names.
pub(super) fn lines(prediction: &Prediction, forecast: &Forecast, verbose: bool) -> Vec<String> {
    let mut lines: Vec<String> = speed_of_light(prediction, forecast).into_iter().collect();
    lines.push("where the time goes, by the model's shares (not measured):".to_owned());
    let share = |time_s: f64| time_s / forecast.time_s;
    let line = |time_s: f64, words: &str| {
        let (percent, time) = (units::percent(share(time_s)), units::time(time_s));
        format!("  {percent:>7}  {time:>9}  {words}")
    };
    for group in groups(forecast) {
        let words = in_words(group.part);
        if verbose {
            lines.push(line(group.time_s, words));
            let of = group.of.iter();
            lines.extend(of.map(|(name, time_s)| {
                let (percent, time) = (units::percent(share(*time_s)), units::time(*time_s));
                format!("    {percent:>7}  {time:>9}  {name}")
            }));
        } else if share(group.time_s).abs() >= LEAST {
            let named: Vec<String> = group
                .of
                .iter()
                .take(MOST_NAMED)
                .map(|(name, _)| plain(name))
                .collect();
            let mostly = if group.of.len() > MOST_NAMED {
                "mostly "
            } else {
                ""
            };
            let named = format!("{words}: {mostly}{}", named.join(", "));
            lines.push(line(group.time_s, &named));
        }
    }
    lines
}

/// Shares of the device's measured ceilings, of the measured time where there is one.
fn speed_of_light(prediction: &Prediction, forecast: &Forecast) -> Option<String> {
    let time_s = prediction.measured_s.unwrap_or(forecast.time_s);
    let bounds = &forecast.floor.as_ref()?.bounds;
    let shares = bounds.iter().filter(|_| time_s > 0.0).map(|it| {
        let share = units::percent(it.time_s / time_s);
        format!("{share} of {}", ceiling(&it.ceiling))
    });
    let shares = shares.collect::<Vec<_>>().join(", ");
    (!shares.is_empty()).then(|| format!("speed of light: {shares}, as measured on the device"))
}

/// A ceiling by its name among a device's.
pub(super) fn ceiling(name: &str) -> &str {
    match name {
        "copy_bytes_per_s" => "DRAM's bandwidth (a copy)",
        "fp32_flop_per_s" => "single precision's peak",
        "fp64_flop_per_s" => "double precision's peak",
        "launch_latency_s" => "the shortest launch",
        other => other,
    }
}

fn in_words(part: Part) -> &'static str {
    match part {
        Part::Launch => "launch",
        Part::Issue => "issue",
        Part::L1 => "L1 and local memory",
        Part::L2 => "L2",
        Part::Dram => "DRAM",
        Part::Waits => "waits",
        Part::Other => "other",
    }
}

/// What a counter counts, as the catalogue describes it.
pub(super) fn plain(name: &str) -> String {
    let described = name
        .split_once(':')
        .and_then(|(provider, name)| describe(provider, name));
    described.map_or_else(|| name.to_owned(), |it| it.description.into_owned())
}

/// The part that the most goes to, where shares are of costs.
pub(super) fn mostly(forecast: &Forecast) -> Option<String> {
    let form = forecast.explanation.form;
    let is_of_costs = matches!(form, FitForm::Costs | FitForm::Waves | FitForm::Corrected);
    let groups = groups(forecast);
    let largest = groups.first().filter(|_| is_of_costs)?;
    let percent = units::percent(largest.time_s / forecast.time_s);
    Some(format!("{percent} {}", in_words(largest.part)))
}
