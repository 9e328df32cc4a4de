//! `kerncast microbenchmark`.

use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use kerncast_collector::{
    child::{Children, Failure},
    local_memory::{self, MeasuredPoints},
    spool::Spool,
};
use kerncast_opencl::DeviceFacts;
use kerncast_wire::Agent;

use super::{
    FAILED, choose,
    options::{AgentOptions, ServerOptions, SpoolOptions, UsageError, children},
    table, upload,
};

mod picture;
mod plot;
mod report;

/// Measure local-memory loads: cycles by instructions, warps and congestion
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast microbenchmark                              216 points, in seconds
  kerncast microbenchmark --device h200 --grid full    32,768 points

kerncast run measures the 216 too, before its workloads. How: docs/microbenchmark.md.")]
pub(super) struct Arguments {
    /// Devices, by a part of the name or by number (kerncast devices) [default: the first of each
    /// model]
    #[arg(long, value_name = "NAME|NUMBER")]
    device: Vec<String>,
    /// Instructions, warps and congestion: each 1, 2, 4, … 32 (216 points), or each from 1 to 32
    #[arg(long, value_enum, default_value_t = Grid::Powers)]
    grid: Grid,
    /// Also draw a picture; of one device
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Keep the samples in the spool; kerncast upload sends them
    #[arg(long)]
    no_upload: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    agent: AgentOptions,
    #[command(flatten)]
    server: ServerOptions,
    #[command(flatten)]
    spool: SpoolOptions,
}

#[derive(Clone, Copy, ValueEnum)]
enum Grid {
    Powers,
    Full,
}

impl From<Grid> for local_memory::Grid {
    fn from(grid: Grid) -> Self {
        match grid {
            Grid::Powers => Self::Powers,
            Grid::Full => Self::Full,
        }
    }
}

pub(super) fn microbenchmark(arguments: &Arguments) -> Result<ExitCode> {
    let children = children()?;
    let devices = choose::devices(&children.devices(&[])?, &arguments.device)?;
    if let Some(simulator) = devices.iter().find(|device| choose::is_simulator(device)) {
        let name = &simulator.name;
        return Err(UsageError(format!(
            "--device {name}: a simulator's times mean nothing; expected a device"
        ))
        .into());
    }
    if arguments.svg.is_some() && devices.len() > 1 {
        let problem = "--svg draws one device; name it by --device".to_owned();
        return Err(UsageError(problem).into());
    }
    let (spool, agent) = (arguments.spool.open()?, arguments.agent.agent());
    let mut reports = Vec::new();
    let mut failed = false;
    for device in &devices {
        let grid = arguments.grid.into();
        let Some(measured) = collect(device, grid, &agent, &children, &spool)? else {
            failed = true;
            continue;
        };
        let name = &device.name;
        if let Some(file) = &arguments.svg {
            let picture = picture::svg(name, &measured).context("cannot draw")?;
            fs::write(file, picture).with_context(|| format!("--svg {}", file.display()))?;
        }
        reports.push((name.clone(), measured));
    }
    table::print(&if arguments.json {
        report::as_json(&reports)?
    } else {
        report::in_words(&reports)
    })?;
    let uploaded = upload::deliver_if_wanted(&arguments.server, arguments.no_upload, &spool)?;
    Ok(match uploaded {
        _ if failed => ExitCode::from(FAILED),
        Some(uploaded) => upload::exit_code(&uploaded),
        None => ExitCode::SUCCESS,
    })
}

/// Measures a device's local memory and keeps the points in the spool. Where that can't be done it says
/// why: that keeps no workload from being measured.
pub(super) fn collect(
    device: &DeviceFacts,
    grid: local_memory::Grid,
    agent: &Agent,
    children: &Children,
    spool: &Spool,
) -> Result<Option<MeasuredPoints>> {
    let name = &device.name;
    eprintln!("{name}: local memory");
    match children.local_memory(device, grid) {
        Ok((measured, conditions)) => {
            for sample in local_memory::samples(&measured, conditions.as_ref(), agent, device) {
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
