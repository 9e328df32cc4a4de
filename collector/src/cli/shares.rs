//! The parts of a forecast's time, for people: how near it is to the device's ceilings, and the model's shares.

use kerncast_collector::forecast::{TimeShare, time_shares};
use kerncast_profilers::catalogue::describe;
use kerncast_wire::{FitForm, Forecast, Part, Prediction};

use super::units;

/// The smallest share of the time that gets a line; `--json` has all.
const LEAST_SHARE: f64 = 0.005;

/// The shares of a part of the device, the largest first.
struct Group {
    part: Part,
    time_s: f64,
    shares: Vec<TimeShare>,
}

/// The groups, the largest first.
fn groups(forecast: &Forecast) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for share in time_shares(forecast) {
        match groups.iter_mut().find(|it| it.part == share.part) {
            Some(group) => {
                group.time_s += share.time_s;
                group.shares.push(share);
            }
            None => groups.push(Group {
                part: share.part,
                time_s: share.time_s,
                shares: vec![share],
            }),
        }
    }
    groups.sort_by(|a, b| b.time_s.abs().total_cmp(&a.time_s.abs()));
    groups
}

/// How near the forecast is to the device's ceilings, then the model's shares by parts of the device: all counters with
/// `by_name`, else the largest of each part in words.
pub(super) fn lines(prediction: &Prediction, forecast: &Forecast, by_name: bool) -> Vec<String> {
    let mut lines: Vec<String> = speed_of_light(prediction, forecast).into_iter().collect();
    lines.push("where the time goes, by the model's shares (not measured):".to_owned());
    let share = |time_s: f64| time_s / forecast.time_s;
    let line = |indent: &str, time_s: f64, words: &str| {
        let (percent, time) = (units::percent(share(time_s)), units::time(time_s));
        format!("{indent}{percent:>7}  {time:>9}  {words}")
    };
    let is_shown = |time_s: f64| share(time_s).abs() >= LEAST_SHARE;
    for group in groups(forecast).iter().filter(|it| is_shown(it.time_s)) {
        let part = part_in_words(group.part);
        if by_name {
            lines.push(line("  ", group.time_s, part));
            let shares = group.shares.iter().filter(|it| is_shown(it.time_s));
            lines.extend(shares.map(|it| line("    ", it.time_s, &it.name)));
        } else {
            let mostly = match group.shares.len() {
                1 => "",
                _ => "mostly ",
            };
            let largest = describe_counter(&group.shares[0].name);
            let words = format!("{part}: {mostly}{largest}");
            lines.push(line("  ", group.time_s, &words));
        }
    }
    lines
}

/// How near the measured time, or else the forecast, is to each measured ceiling of the device.
fn speed_of_light(prediction: &Prediction, forecast: &Forecast) -> Option<String> {
    let time_s = prediction.measured_s.unwrap_or(forecast.time_s);
    let bounds = forecast.floor.as_ref()?.bounds.iter();
    let shares = bounds.map(|it| (it.time_s / time_s, &it.ceiling));
    let shares = shares.filter(|(share, _)| share.is_finite() && *share >= LEAST_SHARE);
    let shares = shares.map(|(share, name)| {
        let (share, ceiling) = (units::percent(share), ceiling_in_words(name));
        if *name == "launch_latency_s" {
            format!("{ceiling} is {share} of the time")
        } else {
            format!("{share} of {ceiling}")
        }
    });
    let shares = shares.collect::<Vec<_>>().join(", ");
    (!shares.is_empty())
        .then(|| format!("speed of light: {shares} (measured ceilings of the device)"))
}

/// A ceiling by its name in [`Ceilings`](kerncast_wire::Ceilings).
pub(super) fn ceiling_in_words(name: &str) -> &str {
    match name {
        "copy_bytes_per_s" => "a copy's bandwidth",
        "fp32_flop_per_s" => "the single-precision rate",
        "fp64_flop_per_s" => "the double-precision rate",
        "launch_latency_s" => "the shortest launch",
        other => other,
    }
}

fn part_in_words(part: Part) -> &'static str {
    match part {
        Part::Launch => "launch",
        Part::Issue => "issue",
        Part::L1 => "L1 and local (shared) memory",
        Part::L2 => "L2",
        Part::Dram => "DRAM",
        Part::Waits => "waits",
        Part::Other => "other",
    }
}

/// A counter's meaning, as the catalogue describes it; unknown names as they are.
pub(super) fn describe_counter(name: &str) -> String {
    let names = name.split_once(':');
    let description = names.and_then(|(provider, name)| describe(provider, name));
    description.map_or_else(|| name.to_owned(), |it| it.description.into_owned())
}

/// The largest part of the time; none where shares are no costs.
pub(super) fn largest_part(forecast: &Forecast) -> Option<String> {
    let form = forecast.explanation.form;
    let is_of_costs = matches!(form, FitForm::Costs | FitForm::Waves | FitForm::Corrected);
    let groups = groups(forecast);
    let largest = groups.first().filter(|_| is_of_costs)?;
    let percent = units::percent(largest.time_s / forecast.time_s);
    Some(format!("{percent} {}", part_in_words(largest.part)))
}

#[cfg(test)]
mod tests {
    use kerncast_wire::{Outcome, Prediction};
    use serde_json::json;

    use super::*;

    fn prediction(measured_s: Option<f64>) -> Prediction {
        let share = |counter: &str, part: &str, time_s: f64| json!({ "counter": counter, "part": part, "time_s": time_s });
        let mut prediction = json!({
            "counter_set": 0, "device": 1, "pending": [], "trust": { "word": "fair", "why": "" },
            "time_s": 1e-3, "others": [], "model": uuid::Uuid::nil(), "method": "waves", "provider": "ncu",
            "outside": [], "missing": [], "unknown": [], "warnings": [], "warned": [],
            "floor": { "time_s": 5e-4, "ceiling": "copy_bytes_per_s", "bounds": [
                { "ceiling": "copy_bytes_per_s", "time_s": 5e-4 },
                { "ceiling": "fp32_flop_per_s", "time_s": 1e-4 },
                { "ceiling": "launch_latency_s", "time_s": 1e-6 },
            ] },
            "explanation": { "form": "waves", "rest_s": 1e-6, "shares": [
                share("ncu:a", "l2", 4e-4), share("ncu:b", "dram", 3.5e-4), share("ncu:c", "dram", 2.49e-4),
            ] },
        });
        if let Some(measured_s) = measured_s {
            prediction["measured_s"] = json!(measured_s);
        }
        serde_json::from_value(prediction).expect("a prediction")
    }

    #[test]
    fn ceilings_come_first_and_counters_stand_with_their_parts() {
        let lines_of = |measured_s, by_name| {
            let prediction = prediction(measured_s);
            let Outcome::Forecast(forecast) = &prediction.outcome else {
                panic!("a forecast");
            };
            lines(&prediction, forecast, by_name)
        };
        let lines = lines_of(None, false);
        assert_eq!(
            lines[0],
            "speed of light: 50.0 % of a copy's bandwidth, 10.0 % of the single-precision rate (measured ceilings of the \
             device)"
        );
        assert!(lines[1].contains("by the model's shares (not measured)"));
        assert!(
            lines[2].ends_with("59.9 %   599.0 µs  DRAM: mostly ncu:b"),
            "{lines:?}"
        );
        assert!(
            lines[3].ends_with("40.0 %   400.0 µs  L2: ncu:a"),
            "{lines:?}"
        );
        // A launch of a thousandth is no line.
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert_eq!(lines_of(None, true).len(), 7);
        assert!(lines_of(Some(5e-4), false)[0].starts_with("speed of light: 100 % of a copy"));
    }
}
