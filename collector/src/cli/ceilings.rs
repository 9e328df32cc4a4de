//! `kerncast ceilings`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    measure::Budget,
    run::{CeilingsUpload, measure_ceilings},
};

use super::{measuring::MeasuringOptions, table, units};

/// Measure the highest rates of this machine's devices, and upload them
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast ceilings
  kerncast ceilings --device h200 --json --no-upload

kerncast run measures these too, before its workloads. How: docs/measuring.md.")]
pub(super) struct Arguments {
    #[command(flatten)]
    measuring: MeasuringOptions,
}

pub(super) fn ceilings(arguments: &Arguments) -> Result<ExitCode> {
    let measuring = &arguments.measuring;
    measuring.measure_devices(
        |device, agent, children, spool| {
            let budget = Budget::start(None);
            Ok(measure_ceilings(device, agent, children, &budget, spool)?)
        },
        |all| {
            table::print_as(measuring.json, &all, || {
                units::joined(all.iter().map(in_table), "\n")
            })
        },
    )
}

/// Each ceiling in words, its field of [`Ceilings`](kerncast_wire::Ceilings), and its unit.
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

fn in_table(measured: &CeilingsUpload) -> String {
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
            table::number_or_dash(value),
            how.cloned().unwrap_or_default().into(),
        ]);
    }
    table.to_string()
}
