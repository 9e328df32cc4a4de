//! `kerncast microbenchmark`.

use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};
use clap::Args;
use kerncast_collector::{
    UsageError,
    child::{Children, Failure},
    local_memory::{Grid, MeasuredPoints, samples},
    spool::Spool,
};
use kerncast_opencl::DeviceFacts;
use kerncast_wire::Agent;

use super::{
    choose, exit,
    options::{MeasuringOptions, children},
    table, upload,
};

mod picture;
mod report;

/// Measure local-memory loads: cycles by instructions, warps and congestion
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast microbenchmark                              216 points, in seconds
  kerncast microbenchmark --device h200 --grid full    32,768 points

kerncast run measures the 216 too, before its workloads, of a device of which
the server has none. How: docs/microbenchmark.md.")]
pub(super) struct Arguments {
    /// Instructions, warps and congestion: each 1, 2, 4, … 32 (216 points), or each from 1 to 32
    #[arg(long, value_enum, default_value_t = Grid::Powers)]
    grid: Grid,
    /// Also draw a picture; of one device
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    measuring: MeasuringOptions,
}

pub(super) fn microbenchmark(arguments: &Arguments) -> Result<ExitCode> {
    let (measuring, children) = (&arguments.measuring, children()?);
    let devices = choose::no_simulators(&children.devices(&[])?, &measuring.device)?;
    if arguments.svg.is_some() && devices.len() > 1 {
        let problem = "--svg draws one device; name it by --device".to_owned();
        return Err(UsageError(problem).into());
    }
    let (spool, agent) = (
        measuring.keep.spool.open_to_write()?,
        measuring.keep.agent.agent(),
    );
    let mut reports = Vec::new();
    let is_wanted = upload::is_wanted(&measuring.keep).unwrap_or(false);
    upload::say_if_refused(&measuring.keep);
    for device in &devices {
        let Some(measured) = collect(device, arguments.grid, &agent, &children, &spool)? else {
            continue;
        };
        let name = &device.name;
        if let Some(file) = &arguments.svg {
            let picture = picture::svg(name, &measured).context("cannot draw")?;
            fs::write(file, picture).with_context(|| format!("--svg {}", file.display()))?;
        }
        reports.push((name.clone(), measured));
    }
    table::print_as(measuring.json, &report::as_json(&reports), || {
        report::in_words(&reports)
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
    grid: Grid,
    agent: &Agent,
    children: &Children,
    spool: &Spool,
) -> Result<Option<MeasuredPoints>> {
    let name = &device.name;
    eprintln!("{name}: local memory");
    match children.local_memory(device, grid) {
        Ok((measured, conditions)) => {
            for sample in samples(&measured, conditions.as_ref(), agent, device) {
                spool.put(&sample)?;
            }
            Ok(Some(measured))
        }
        Err(failure @ Failure::NoOpenCl(_)) => Err(failure.into()),
        Err(failure) => {
            eprintln!("warning: {name}: no local-memory loads: {failure}");
            Ok(None)
        }
    }
}
