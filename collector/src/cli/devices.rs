//! `kerncast devices`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::opencl::{OpenClDevice, devices as find};
use serde_json::json;

use super::{table, units};

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

pub(super) fn devices(arguments: &Arguments) -> Result<ExitCode> {
    let devices = find()?;
    if arguments.json {
        let devices: Vec<_> = devices.iter().map(as_json).collect();
        table::print(&serde_json::to_string_pretty(&devices)?)?;
    } else {
        let mut table = table::new([
            "#", "device", "vendor", "kind", "units", "memory", "local", "driver",
        ]);
        for device in &devices {
            let facts = &device.device;
            table.add_row([
                device.index.to_string(),
                facts.name.clone(),
                facts.vendor.clone(),
                table::kind(facts.kind).to_owned(),
                facts
                    .compute_units
                    .map_or_else(String::new, |units| units.to_string()),
                facts
                    .global_memory_bytes
                    .map_or_else(String::new, units::bytes),
                facts
                    .local_memory_bytes
                    .map_or_else(String::new, units::bytes),
                device.driver_version.clone(),
            ]);
        }
        table::print(&table.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(device: &OpenClDevice) -> serde_json::Value {
    json!({
        "index": device.index,
        "device": device.device,
        "platform": device.platform,
        "platform_version": device.platform_version,
        "driver_version": device.driver_version,
        "max_work_group_size": device.max_work_group_size,
        "max_buffer_bytes": device.max_buffer_bytes,
    })
}
