//! `kerncast devices`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::device;
use kerncast_opencl::DeviceFacts;
use kerncast_wire::Device;
use serde::Serialize;

use super::{options::children, table, units};

/// List this machine's OpenCL devices
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast devices
  kerncast devices --json")]
pub(super) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is known of a device; what samples say of it also by itself.
#[derive(Serialize)]
struct Listed<'a> {
    #[serde(flatten)]
    facts: &'a DeviceFacts,
    device: Device,
}

pub(super) fn devices(arguments: &Arguments) -> Result<ExitCode> {
    let devices = children()?.devices(&[])?;
    let listed = devices.iter().map(|facts| Listed {
        facts,
        device: device::sampled(facts),
    });
    let listed: Vec<Listed<'_>> = listed.collect();
    table::print_as(arguments.json, &listed, || in_table(&devices))?;
    Ok(ExitCode::SUCCESS)
}

fn in_table(devices: &[DeviceFacts]) -> String {
    let mut table = table::new([
        "#", "device", "vendor", "kind", "units", "memory", "local", "driver",
    ]);
    for device in devices {
        table.add_row([
            device.index.to_string(),
            device.name.clone(),
            device.vendor.clone(),
            device::kind(device).to_string(),
            table::known(device.compute_units.map(|units| units.to_string())),
            table::known(device.global_memory_bytes.map(units::bytes)),
            table::known(device.local_memory_bytes.map(units::bytes)),
            device.driver_version.clone(),
        ]);
    }
    table.to_string()
}
