//! `kerncast speedup`, and a speedup in words for other commands.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    UsageError,
    device_choice::target::{find_id, find_targets, forecast_name, name_devices_in_error},
    forecast::{forecast_of, time_s, unnamed_set},
};
use kerncast_wire::{
    CounterSet, DeviceSummary, NamedCounterSet, Outcome, Prediction, SpeedupForecast,
    SpeedupRequest,
};
use serde::Deserialize;

use super::{
    exit, options::ServerOptions, predict::devices_for_words, table, units, wrap::wrapped,
};

/// Forecast what a change brings, from a kernel's counters before and after it
///
/// The speedup is the time before ÷ the time after; above 1, the change pays off. If you have both sources, use
/// kerncast compare.
#[derive(Args)]
#[command(after_help = r#"Examples:
  kerncast speedup before.json after.json --on h200
  kerncast speedup before.json after.json --on h200 --on 2 --json

Files are as kerncast analyse --counters analysis --json prints them of one
workload, or provider → counter → number."#)]
pub(super) struct Arguments {
    /// JSON file with the kernel's counters before the change
    before: PathBuf,
    /// JSON file with its counters after the change
    after: PathBuf,
    /// The device to forecast: one that the server knows, by name, short name or id (kerncast devices), or an NVIDIA
    /// GPU by its data sheet; may be given several times [default: the only device with models]
    #[arg(long, value_name = "DEVICE", alias = "device")]
    on: Vec<String>,
    /// The device that both were counted on, if it is another
    #[arg(long, value_name = "NAME|ID")]
    counted_on: Option<String>,
    /// Print the server's answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub(super) fn speedup(arguments: &Arguments) -> Result<ExitCode> {
    let server = arguments.server.connect()?;
    let (devices, gpus) = find_targets(&server, &arguments.on)?;
    let counted_on = arguments.counted_on.as_ref();
    let request = SpeedupRequest {
        before: read_counters(&arguments.before)?,
        after: vec![read_counters(&arguments.after)?],
        counted_on: counted_on.map(|wish| find_id(&server, wish)).transpose()?,
        devices,
        gpus,
    };
    let forecasts = name_devices_in_error(&server, server.speedups(&request))?;
    let devices = devices_for_words(&server, arguments.json)?;
    table::print_as(arguments.json, &forecasts, || {
        in_words(&forecasts, &devices)
    })?;
    Ok(exit(forecasts.iter().all(|it| it.speedup.is_some())))
}

/// The counters in a file: those of the one workload that `kerncast analyse` printed, or counters alone.
fn read_counters(file: &Path) -> Result<NamedCounterSet, UsageError> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum File {
        Sets { counter_sets: Vec<NamedCounterSet> },
        Alone(CounterSet),
    }
    let wrong = |why: String| UsageError(format!("{}: {why}", file.display()));
    let text = fs::read(file).map_err(|error| wrong(error.to_string()))?;
    match serde_json::from_slice(&text) {
        Ok(File::Alone(counters)) => Ok(unnamed_set(counters)),
        Ok(File::Sets { mut counter_sets }) if counter_sets.len() == 1 => {
            Ok(counter_sets.remove(0))
        }
        Ok(File::Sets { counter_sets }) => Err(wrong(format!(
            "it has {}; expected one (kerncast analyse --variant NAME --size SIZES)",
            units::count(counter_sets.len(), "workload")
        ))),
        Err(_) => Err(wrong(
            "expected what kerncast analyse --counters analysis --json prints, or provider → counter → number".to_owned(),
        )),
    }
}

fn in_words(forecasts: &[SpeedupForecast], devices: &[DeviceSummary]) -> String {
    let mut lines = Vec::new();
    for forecast in forecasts {
        lines.push(forecast_name(devices, &forecast.before));
        lines.extend(self::lines(forecast).iter().map(|line| format!("  {line}")));
    }
    wrapped(&lines.join("\n"))
}

/// A change in words: both times, the speedup, the verdict with how often such verdicts are right, and the trust in
/// both times.
pub(super) fn lines(forecast: &SpeedupForecast) -> Vec<String> {
    let (before, after) = (&forecast.before, &forecast.after);
    let time = |it: &Prediction| time_s(it).map_or("no forecast".to_owned(), units::time);
    let by = forecast_of(before).map_or(String::new(), |it| {
        format!(", by {} on counters of {}", it.method, it.provider)
    });
    let mut lines = vec![format!("time: {} → {}{by}", time(before), time(after))];
    lines.extend(forecast.speedup.map(|speedup| {
        let second = forecast.second.as_ref().map_or(String::new(), |it| {
            format!("; by {} ×{:.2}", it.method, it.speedup)
        });
        let interval = forecast.interval.map_or(String::new(), |it| {
            let (level, low, high) = (100.0 * it.level, it.low, it.high);
            format!("; for {level:.0} % of kernels between ×{low:.2} and ×{high:.2}")
        });
        format!("speedup: ×{speedup:.2}{second}{interval}")
    }));
    lines.extend(forecast.measured.map(|it| format!("measured: ×{it:.2}")));
    lines.push(format!("verdict: {}", verdict(forecast)));
    for (when, prediction) in [("before", before), ("after", after)] {
        lines.push(match &prediction.outcome {
            Outcome::Forecast(_) => {
                let trust = &prediction.trust;
                format!("trust {when}: {}: {}", trust.word, trust.why)
            }
            Outcome::Refused(refused) => format!("no forecast {when}: {}", refused.refusal),
        });
    }
    lines
}

/// The verdict in a line, with how often such verdicts are right, or why there is none.
pub(super) fn verdict(forecast: &SpeedupForecast) -> String {
    let Some(verdict) = forecast.verdict else {
        let unsaid = || "the server does not say why".to_owned();
        let why = forecast.no_verdict.map(|it| it.to_string());
        return format!("none: {}", why.unwrap_or_else(unsaid));
    };
    let errors = forecast.errors;
    let text = verdict.text();
    match (errors.and_then(|it| it.of_verdict(verdict)), forecast.right) {
        (Some(counts), Some(right)) => format!(
            "{text}. Of verdicts on left-out kernels this far from ×1, {} were right; of all that said \"{text}\", {} of {}",
            units::percent(right),
            counts.right,
            counts.given
        ),
        _ => errors.map_or(text.to_owned(), |it| {
            let factor = it.factor;
            format!("{text}. Such forecasts are off by ×{factor:.2} on average")
        }),
    }
}
