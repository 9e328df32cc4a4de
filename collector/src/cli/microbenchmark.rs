//! `kerncast microbenchmark`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    local_memory::{Line, MeasuredPoints, line},
    run::measure_local_memory,
};
use serde_json::{Value, json};

use super::{measuring::MeasuringOptions, table, units};

/// Measure loads from local memory: cycles by instructions, warps and congestion
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast microbenchmark                              216 points, in seconds
  kerncast microbenchmark --device h200 --no-upload

kerncast run measures these too, before its workloads, if the server has none
of the device. How: docs/microbenchmark.md.")]
pub(super) struct Arguments {
    #[command(flatten)]
    measuring: MeasuringOptions,
}

pub(super) fn microbenchmark(arguments: &Arguments) -> Result<ExitCode> {
    let measuring = &arguments.measuring;
    measuring.measure_devices(
        |device, agent, children, spool| {
            let points = measure_local_memory(device, agent, children, spool)?;
            Ok(points.map(|it| (device.name.clone(), it)))
        },
        |reports| {
            table::print_as(measuring.json, &as_json(reports), || {
                let reports = reports.iter().map(|(device, it)| in_words(device, it));
                reports.collect::<Vec<_>>().join("\n\n")
            })
        },
    )
}

fn as_json(reports: &[(String, MeasuredPoints)]) -> Vec<Value> {
    let reports = reports.iter().map(|(device, measured)| {
        json!({
            "device": device,
            "unit": measured.unit(),
            "line": line(&measured.responses()).ok(),
            "clock_cycles": measured.clock_cycles,
            "points": measured.points,
        })
    });
    reports.collect()
}

fn in_words(device: &str, measured: &MeasuredPoints) -> String {
    let unit = measured.unit();
    let responses = measured.responses();
    let points = units::count(responses.len(), "point");
    let mut words = format!("{device}: {points}, in {unit}");
    if let Some(cycles) = measured.clock_cycles {
        words.push_str(&format!(", less {cycles:.0} of the clock itself"));
    }
    if let Some((_, least)) = responses.iter().find(|(product, _)| *product <= 1.0) {
        words.push_str(&format!("\nleast latency, T(1, 1, 1): {least:.1} {unit}"));
    }
    words.push_str(&match line(&responses) {
        Ok(Line { c1, c2, r2, .. }) => format!("\nT = {c1:.3}·iwc + {c2:.1}, R² {r2:.4}"),
        Err(error) => format!("\nno line: {error}"),
    });
    words
}
