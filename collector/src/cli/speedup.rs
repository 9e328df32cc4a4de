//! `kerncast speedup`, and what is said of a speedup elsewhere.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_wire::{
    CounterSet, DeviceSummary, NamedCounterSet, Prediction, SpeedupForecast, SpeedupRequest,
    SpeedupVerdict,
};

use serde::Deserialize;

use super::{
    exit, lab,
    options::ServerOptions,
    predict::{answer::seconds, counters, read},
    prose::wrapped,
    table, units,
};

/// Ask the server what a change brings, from a kernel's counters before and after it
///
/// The speedup is the time before ÷ the time after: above 1, the change pays off. kerncast compare counts both from the
/// source.
#[derive(Args)]
#[command(after_help = r#"Examples:
  kerncast speedup before.json after.json --device h200
  kerncast speedup before.json after.json --device h200 --device 2 --json

Files are as kerncast analyse --counters analysis --json prints them of one
workload, or provider → counter → number."#)]
pub(super) struct Arguments {
    /// JSON file of the kernel before the change
    before: PathBuf,
    /// The same after it
    after: PathBuf,
    /// The server's device, by name, short name or id (kerncast devices); may be given several times, and left out
    /// where one device has models
    #[arg(long = "device", value_name = "NAME|ID")]
    devices: Vec<String>,
    /// The device that both were counted on, where that is another
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
    let devices = lab::ids(&server, &arguments.devices)?;
    let counted_on = arguments.counted_on.as_ref();
    let forecasts = server.speedups(&SpeedupRequest {
        before: counted(&arguments.before)?,
        after: vec![counted(&arguments.after)?],
        counted_on: counted_on.map(|wish| lab::id(&server, wish)).transpose()?,
        devices: Some(devices).filter(|devices| !devices.is_empty()),
        level: None,
    })?;
    let known = match arguments.json {
        true => Vec::new(),
        false => server.devices()?,
    };
    table::print_as(arguments.json, &forecasts, || in_words(&forecasts, &known))?;
    Ok(exit(forecasts.iter().all(|it| it.speedup.is_some())))
}

/// What a file says: one set as a request for forecasts has it, or the counters alone.
fn counted(file: &PathBuf) -> Result<NamedCounterSet> {
    #[derive(Deserialize)]
    struct Counted {
        counter_sets: [NamedCounterSet; 1],
    }
    let one = serde_json::from_slice::<Counted>(&read(file)?);
    match one {
        Ok(Counted {
            counter_sets: [one],
        }) => Ok(one),
        Err(_) => Ok(set(counters(file)?)),
    }
}

/// Without a name or a measured time.
pub(super) fn set(counters: CounterSet) -> NamedCounterSet {
    NamedCounterSet {
        name: None,
        counters,
        time_s: None,
        measured: None,
        foreseen: Vec::new(),
    }
}

fn in_words(forecasts: &[SpeedupForecast], devices: &[DeviceSummary]) -> String {
    let mut lines = Vec::new();
    for forecast in forecasts {
        lines.push(lab::name(devices, forecast.device));
        lines.extend(of(forecast).map(|line| format!("  {line}")));
    }
    wrapped(&lines.join("\n"))
}

/// What a change brings: both times, the speedup, the verdict and how often such ones are right, and what speaks against
/// it.
pub(super) fn of(forecast: &SpeedupForecast) -> impl Iterator<Item = String> {
    let (before, after) = (&forecast.before, &forecast.after);
    let time = |of: &Prediction| seconds(of).map_or("no forecast".to_owned(), units::time);
    let mut lines = vec![format!("time: {} → {}", time(before), time(after))];
    lines.extend(forecast.speedup.map(|speedup| {
        let interval = forecast.interval.map_or(String::new(), |it| {
            let level = units::percent(it.level);
            format!(
                ", between ×{:.2} and ×{:.2} for {level} of kernels",
                it.low, it.high
            )
        });
        let second = forecast.second.as_ref().map_or(String::new(), |it| {
            format!("; ×{:.2} by {}", it.speedup, it.method)
        });
        format!("speedup: ×{speedup:.2}{interval}{second}")
    }));
    lines.extend(forecast.measured.map(|it| format!("measured: ×{it:.2}")));
    lines.push(format!("verdict: {}", verdict(forecast)));
    for (when, prediction) in [("before", before), ("after", after)] {
        let trust = &prediction.trust;
        lines.push(format!(
            "trust {when}: {}: {}",
            trust.word.text(),
            trust.why
        ));
    }
    lines.into_iter()
}

/// In a line.
pub(super) fn verdict(forecast: &SpeedupForecast) -> String {
    let errors = forecast.errors;
    match (forecast.verdict, forecast.no_verdict) {
        (None, why) => format!(
            "none, since {}",
            why.map_or("the server does not say why", |it| it.text())
        ),
        (Some(it @ SpeedupVerdict::TooClose), _) => {
            let off = errors.map_or(String::new(), |it| {
                format!(": such forecasts are off by ×{:.2} on average", it.factor)
            });
            format!("{}{off}", it.text())
        }
        (Some(it), _) => {
            let right = errors.and_then(|it| Some((it.verdicts_right?, it.verdicts * it.n as f64)));
            let right = right.map_or(String::new(), |(right, of)| {
                format!(
                    " ({} of {of:.0} such verdicts on kernels left out were right)",
                    units::percent(right)
                )
            });
            format!("{}{right}", it.text())
        }
    }
}
