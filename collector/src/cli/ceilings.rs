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
use kerncast_wire::Agent;

use super::{
    choose, exit,
    options::{self, MeasuringOptions, children},
    table, units, upload,
};

/// Measure the highest rates of this machine's devices, and upload them
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast ceilings
  kerncast ceilings --device h200 --json --no-upload

kerncast run measures them too, before its workloads. How: docs/measuring.md.")]
pub(super) struct Arguments {
    #[command(flatten)]
    measuring: MeasuringOptions,
}

pub(super) fn ceilings(arguments: &Arguments) -> Result<ExitCode> {
    let (measuring, children) = (&arguments.measuring, children()?);
    let devices = choose::devices(&children.devices(&[])?, &measuring.device)?;
    let devices = choose::no_simulators(devices)?;
    let (spool, agent) = (options::spool_to_write()?, options::agent());
    let is_wanted = upload::is_wanted(&measuring.keep).unwrap_or(false);
    upload::say_if_refused(&measuring.keep);
    let mut all = Vec::new();
    for device in &devices {
        let budget = Budget::start(None);
        all.extend(measure(device, &agent, &children, &budget, &spool)?);
    }
    table::print_as(measuring.json, &all, || {
        let tables: Vec<String> = all.iter().map(in_table).collect();
        tables.join("\n")
    })?;
    let uploaded = upload::deliver_if_wanted(&measuring.keep, &spool, is_wanted)?;
    let good = uploaded.as_ref().is_none_or(upload::is_good);
    Ok(exit(good && all.len() == devices.len()))
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
    say!("{name}: ceilings");
    match collect::ceilings(device, agent, children, budget) {
        Ok(ceilings) => {
            spool.put_ceilings(&ceilings.ceilings)?;
            Ok(Some(ceilings))
        }
        Err(failure) => {
            say!("warning: {name}: no ceilings: {failure}");
            Ok(None)
        }
    }
}

/// What each ceiling is, its field of [`Ceilings`](kerncast_wire::Ceilings), and in what it is measured.
const CEILINGS: [(&str, &str, &str); 8] = [
    ("copy in global memory", "copy_bytes_per_s", "B/s"),
    ("host to device", "host_to_device_bytes_per_s", "B/s"),
    ("device to host", "device_to_host_bytes_per_s", "B/s"),
    ("single precision", "fp32_flop_per_s", "FLOP/s"),
    ("double precision", "fp64_flop_per_s", "FLOP/s"),
    ("32-bit integers", "int32_op_per_s", "OP/s"),
    ("local memory, read", "local_bytes_per_s", "B/s"),
    ("shortest launch", "launch_latency_s", "s"),
];

fn in_table(measured: &NamedCeilings) -> String {
    let device = &measured.ceilings.device.name;
    let mut table = table::new([device, "ceiling", "measured by"]);
    for (what, field, unit) in CEILINGS {
        let best = measured.ways.get(field).and_then(|ways| ways.first());
        let value = best.map(|best| match unit {
            "s" => units::time(best.value),
            _ => units::rate(best.value, unit),
        });
        let missing = measured.missing.get(field);
        let how = best.map(|best| &best.way).or(missing);
        table.add_row([
            what.into(),
            table::maybe(value),
            how.cloned().unwrap_or_default().into(),
        ]);
    }
    table.to_string()
}
