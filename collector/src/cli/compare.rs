//! `kerncast compare`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_collector::repeatability::{Comparison, Pair, compare as compare_all, read, spread};
use kerncast_wire::{Conditions, NewSample, TimeSummary};
use serde_json::json;

use super::{table, units};

/// Shorter medians are a class of their own: the timer's ticks and a launch's overhead weigh more.
const SHORT_S: f64 = 20e-6;

/// Compare the times of two collections, workload by workload
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast run --no-upload --spool monday \\
      && kerncast run --no-upload --spool tuesday
  kerncast compare monday tuesday
  kerncast compare data/nvidia-h200.jsonl.zst tuesday --worst 30

Compared are medians: B ÷ A − 1, of the newest sample of each device and
workload.")]
pub(super) struct Arguments {
    /// A spool's folder, or a file of samples as JSON Lines (also .zst)
    a: PathBuf,
    /// Another one
    b: PathBuf,
    /// Show so many of the largest differences
    #[arg(long, value_name = "N", default_value_t = 10)]
    worst: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn compare(arguments: &Arguments) -> Result<ExitCode> {
    let (a, b) = (read(&arguments.a)?, read(&arguments.b)?);
    let Comparison {
        pairs,
        only_in_a,
        only_in_b,
    } = compare_all(&a, &b);
    if arguments.json {
        let pairs = pairs.iter().map(|pair| {
            json!({
                "device": pair.a.device, "workload": pair.a.workload, "a_s": pair.a_s, "b_s": pair.b_s,
                "difference": pair.difference(), "a_flags": pair.a.flags, "b_flags": pair.b.flags,
            })
        });
        let pairs: Vec<_> = pairs.collect();
        table::print_json(
            &json!({ "pairs": pairs, "only_in_a": only_in_a, "only_in_b": only_in_b }),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let (here, both) = (pairs.len(), "workloads are in both");
    table::print(&format!(
        "{here} {both}, {only_in_a} only in A, {only_in_b} only in B"
    ))?;
    if pairs.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    table::print(&spreads(&pairs))?;
    table::print(&worst(&pairs[..pairs.len().min(arguments.worst)]))?;
    Ok(ExitCode::SUCCESS)
}

fn spreads(pairs: &[Pair<'_>]) -> String {
    let mut table = table::new([
        "difference of",
        "workloads",
        "median",
        "95th percentile",
        "worst",
    ]);
    let (short, long): (Vec<_>, Vec<_>) = pairs.iter().partition(|pair| pair.a_s < SHORT_S);
    let classes = [
        ("all", pairs.iter().collect()),
        ("those below 20 µs", short),
        ("the others", long),
    ];
    for (name, pairs) in classes {
        let differences = pairs.into_iter().map(Pair::difference);
        let workloads = differences.len();
        let Some(spread) = spread(differences) else {
            continue;
        };
        let mut cells = vec![name.into(), table::number(workloads.to_string())];
        let sizes = [spread.median, spread.percentile_95, spread.worst];
        cells.extend(sizes.map(|size| table::number(precise(size))));
        table.add_row(cells);
    }
    table.to_string()
}

/// The largest differences, with what may explain them: A's and B's.
fn worst(pairs: &[Pair<'_>]) -> String {
    let mut table = table::new([
        "workload",
        "A",
        "B",
        "difference",
        "cv",
        "settled",
        "launches",
        "MHz",
        "°C",
        "flags",
    ]);
    for pair in pairs {
        let both = |show: fn(&NewSample) -> String| {
            let (a, b) = (show(pair.a), show(pair.b));
            if a == b { a } else { format!("{a} → {b}") }
        };
        let workload = &pair.a.workload;
        let sizes = kerncast_suite::sizes(&workload.parameters);
        table.add_row([
            format!("{} {} {sizes}", workload.kernel, workload.variant),
            units::time(pair.a_s),
            units::time(pair.b_s),
            precise(pair.difference()),
            both(|sample| {
                let cv = TimeSummary::of(&sample.times.repetitions_s).cv;
                table::known(cv.map(units::percent))
            }),
            both(|sample| {
                let word = |settled| if settled { "yes" } else { "no" }.to_owned();
                table::known(sample.times.settled.map(word))
            }),
            both(|sample| sample.times.launches_per_repetition.to_string()),
            both(|sample| condition(sample, |conditions| conditions.compute_clock_mhz)),
            both(|sample| condition(sample, |conditions| conditions.temperature_c)),
            both(flags),
        ]);
    }
    table.to_string()
}

fn condition(sample: &NewSample, which: fn(&Conditions) -> Option<f64>) -> String {
    let number = sample.conditions.as_ref().and_then(which);
    table::known(number.map(|number| number.to_string()))
}

fn flags(sample: &NewSample) -> String {
    let flags = sample
        .flags
        .iter()
        .map(|flag| format!("{flag:?}").to_lowercase());
    table::known(flags.reduce(|all, flag| all + " " + &flag))
}

/// `0.12 %`: repetitions agree to tenths of a percent.
fn precise(fraction: f64) -> String {
    format!("{:.2} %", fraction * 100.0)
}
