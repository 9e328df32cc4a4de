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

impl<'a> Listed<'a> {
    fn new(facts: &'a DeviceFacts) -> Self {
        let device = device::sampled(facts);
        Self { facts, device }
    }
}

pub(super) fn devices(arguments: &Arguments) -> Result<ExitCode> {
    let devices = children()?.devices(&[])?;
    if arguments.json {
        let listed: Vec<Listed<'_>> = devices.iter().map(Listed::new).collect();
        table::print(&serde_json::to_string_pretty(&listed)?)?;
    } else {
        let mut table = table::new([
            "#", "device", "vendor", "kind", "units", "memory", "local", "driver",
        ]);
        for device in &devices {
            table.add_row([
                device.index.to_string(),
                device.name.clone(),
                device.vendor.clone(),
                table::kind(device::kind(device)).to_owned(),
                device
                    .compute_units
                    .map_or_else(String::new, |units| units.to_string()),
                device
                    .global_memory_bytes
                    .map_or_else(String::new, units::bytes),
                device
                    .local_memory_bytes
                    .map_or_else(String::new, units::bytes),
                device.driver_version.clone(),
            ]);
        }
        table::print(&table.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}
