//! `kerncast microbenchmark`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    child::{Children, Failure},
    local_memory::{Line, MeasuredPoints, line, samples},
    spool::Spool,
};
use kerncast_opencl::DeviceFacts;
use kerncast_wire::Agent;
use serde_json::{Value, json};

use super::{
    choose, exit,
    options::{self, MeasuringOptions, children},
    table, units, upload,
};

/// Measure loads from local memory: cycles by instructions, warps and congestion
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast microbenchmark                              216 points, in seconds
  kerncast microbenchmark --device h200 --no-upload

kerncast run measures them too, before its workloads, of a device of which
the server has none. How: docs/microbenchmark.md.")]
pub(super) struct Arguments {
    #[command(flatten)]
    measuring: MeasuringOptions,
}

pub(super) fn microbenchmark(arguments: &Arguments) -> Result<ExitCode> {
    let (measuring, children) = (&arguments.measuring, children()?);
    let devices = choose::devices(&children.devices(&[])?, &measuring.device)?;
    let devices = choose::no_simulators(devices)?;
    let (spool, agent) = (options::spool_to_write()?, options::agent());
    let mut reports = Vec::new();
    let is_wanted = upload::is_wanted(&measuring.keep).unwrap_or(false);
    upload::say_if_refused(&measuring.keep);
    for device in &devices {
        let Some(measured) = collect(device, &agent, &children, &spool)? else {
            continue;
        };
        reports.push((device.name.clone(), measured));
    }
    table::print_as(measuring.json, &as_json(&reports), || {
        let reports = reports.iter().map(|(device, it)| in_words(device, it));
        reports.collect::<Vec<_>>().join("\n\n")
    })?;
    let uploaded = upload::deliver_if_wanted(&measuring.keep, &spool, is_wanted)?;
    let good = uploaded.as_ref().is_none_or(upload::is_good);
    Ok(exit(good && reports.len() == devices.len()))
}

/// Whether the server has a device's points already. One that can't be asked has not said so.
pub(super) fn is_known(measuring: &MeasuringOptions, device: &DeviceFacts) -> bool {
    if measuring.keep.no_upload {
        return false;
    }
    let known = measuring.keep.server.connect().and_then(|server| {
        let devices = server.devices()?;
        let same = devices
            .iter()
            .find(|it| it.device.vendor == device.vendor && it.device.name == device.name);
        match same {
            Some(same) => Ok(server.has_local_memory(same.id)?),
            None => Ok(false),
        }
    });
    known.unwrap_or(false)
}

/// Measures a device's local memory and keeps the points in the spool. Where that can't be done it says
/// why: that keeps no workload from being measured.
pub(super) fn collect(
    device: &DeviceFacts,
    agent: &Agent,
    children: &Children,
    spool: &Spool,
) -> Result<Option<MeasuredPoints>> {
    let name = &device.name;
    say!("{name}: local memory");
    match children.local_memory(device) {
        Ok((measured, conditions)) => {
            for sample in samples(&measured, conditions.as_ref(), agent, device) {
                spool.put(&sample)?;
            }
            Ok(Some(measured))
        }
        Err(failure @ Failure::NoOpenCl(_)) => Err(failure.into()),
        Err(failure) => {
            say!("warning: {name}: no local-memory loads: {failure}");
            Ok(None)
        }
    }
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
