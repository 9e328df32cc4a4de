//! `kerncast ceilings`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    child::Children,
    collect::{self, Budget, NamedCeilings},
    spool::Spool,
};
use kerncast_opencl::DeviceFacts;
use kerncast_wire::{Agent, Ceilings};

use super::{
    FAILED, choose,
    options::{AgentOptions, ServerOptions, SpoolOptions, UsageError, children},
    table, units, upload,
};

/// Measure what this machine's devices can do at most, and upload
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast ceilings
  kerncast ceilings --device h200 --json --no-upload

kerncast run measures them too, before its workloads. How: docs/measuring.md.")]
pub(super) struct Arguments {
    /// Devices, by a part of the name or by number (kerncast devices) [default: the first of each
    /// model]
    #[arg(long, value_name = "NAME|NUMBER")]
    device: Vec<String>,
    /// Keep the ceilings in the spool; kerncast upload sends them
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

pub(super) fn ceilings(arguments: &Arguments) -> Result<ExitCode> {
    let children = children()?;
    let devices = choose::devices(&children.devices(&[])?, &arguments.device)?;
    if let Some(simulator) = devices.iter().find(|device| choose::is_simulator(device)) {
        let name = &simulator.name;
        return Err(UsageError(format!(
            "--device {name}: a simulator's times mean nothing; expected a device"
        ))
        .into());
    }
    let (spool, agent) = (arguments.spool.open()?, arguments.agent.agent());
    let mut all = Vec::new();
    for device in &devices {
        let budget = Budget::start(None);
        all.extend(measure(device, &agent, &children, &budget, &spool)?);
    }
    if arguments.json {
        table::print(&serde_json::to_string_pretty(&all)?)?;
    } else {
        let tables: Vec<String> = all.iter().map(in_table).collect();
        table::print(&tables.join("\n"))?;
    }
    let uploaded = upload::deliver_if_wanted(&arguments.server, arguments.no_upload, &spool)?;
    Ok(match uploaded {
        _ if all.len() < devices.len() => ExitCode::from(FAILED),
        Some(uploaded) => upload::exit_code(&uploaded),
        None => ExitCode::SUCCESS,
    })
}

/// Measures a device's ceilings and keeps them in the spool. Where there are none it says why: that
/// keeps no workload from being measured.
pub(super) fn measure(
    device: &DeviceFacts,
    agent: &Agent,
    children: &Children,
    budget: &Budget,
    spool: &Spool,
) -> Result<Option<NamedCeilings>> {
    let name = &device.name;
    eprintln!("{name}: ceilings");
    match collect::ceilings(device, agent, children, budget) {
        Ok(ceilings) => {
            spool.put_ceilings(&ceilings.ceilings)?;
            Ok(Some(ceilings))
        }
        Err(failure) => {
            eprintln!("warning: {name}: no ceilings: {failure}");
            Ok(None)
        }
    }
}

fn in_table(measured: &NamedCeilings) -> String {
    let NamedCeilings {
        ceilings,
        ways,
        missing,
    } = measured;
    let Ceilings {
        copy_bytes_per_s,
        host_to_device_bytes_per_s,
        device_to_host_bytes_per_s,
        fp32_flop_per_s,
        fp64_flop_per_s,
        int32_op_per_s,
        local_bytes_per_s,
        launch_latency_s,
    } = ceilings.ceilings;
    let bytes = |value: Option<f64>| value.map(|value| units::rate(value, "B/s"));
    let flop = |value: Option<f64>| value.map(|value| units::rate(value, "FLOP/s"));
    let mut table = table::new([&ceilings.device.name, "ceiling", "measured by"]);
    for (what, name, value) in [
        (
            "copy in global memory",
            "copy_bytes_per_s",
            bytes(copy_bytes_per_s),
        ),
        (
            "host to device",
            "host_to_device_bytes_per_s",
            bytes(host_to_device_bytes_per_s),
        ),
        (
            "device to host",
            "device_to_host_bytes_per_s",
            bytes(device_to_host_bytes_per_s),
        ),
        ("single precision", "fp32_flop_per_s", flop(fp32_flop_per_s)),
        ("double precision", "fp64_flop_per_s", flop(fp64_flop_per_s)),
        (
            "32-bit integers",
            "int32_op_per_s",
            int32_op_per_s.map(|value| units::rate(value, "OP/s")),
        ),
        (
            "local memory, read",
            "local_bytes_per_s",
            bytes(local_bytes_per_s),
        ),
        (
            "shortest launch",
            "launch_latency_s",
            launch_latency_s.map(units::time),
        ),
    ] {
        let best = ways.get(name).and_then(|ways| ways.first());
        let how = best.map(|best| &best.way).or_else(|| missing.get(name));
        table.add_row([
            what.into(),
            table::number(value.unwrap_or_else(|| "–".to_owned())),
            how.cloned().unwrap_or_default().into(),
        ]);
    }
    table.to_string()
}
