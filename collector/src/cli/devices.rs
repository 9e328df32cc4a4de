//! `kerncast devices`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

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

pub(super) fn devices(arguments: &Arguments) -> Result<ExitCode> {
    let devices = children()?.devices(&[])?;
    if arguments.json {
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
