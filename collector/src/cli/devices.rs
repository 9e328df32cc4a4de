//! `kerncast devices`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::device;
use kerncast_opencl::DeviceFacts;
use kerncast_wire::{Device, DeviceSummary, short_name};
use serde::Serialize;

use super::{options, table, units};

/// List this machine's OpenCL devices, and the others that the server knows
///
/// --device takes one of these, by name, short name, part of a name, or #. --on takes the device to forecast, which
/// need not be here: one that the server knows, by the same names or its id, or an NVIDIA GPU by its data sheet.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast devices
  kerncast devices --json")]
pub(super) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: options::ServerOptions,
}

/// A device of this machine: what OpenCL says, and `device` as samples have it.
#[derive(Serialize)]
struct Listed<'a> {
    #[serde(flatten)]
    facts: &'a DeviceFacts,
    device: Device,
    short_name: String,
    /// The server's number for it; none where no server answers, or where it does not know the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<i64>,
}

pub(super) fn devices(arguments: &Arguments) -> Result<ExitCode> {
    let devices = options::children()?.devices(&[])?;
    let stored = server_devices(&arguments.server)?;
    let listed = devices.iter().map(|facts| {
        let is_it = |it: &&DeviceSummary| {
            (&it.device.vendor, &it.device.name) == (&facts.vendor, &facts.name)
        };
        let stored = stored.iter().find(is_it);
        Listed {
            facts,
            device: device::sample_device(facts),
            short_name: stored.map_or_else(|| short_name(&facts.name), |it| it.short_name.clone()),
            id: stored.map(|it| it.id),
        }
    });
    let listed: Vec<Listed<'_>> = listed.collect();
    table::print_as(arguments.json, &listed, || {
        let elsewhere = elsewhere(&stored, &listed);
        format!("{}{elsewhere}", in_table(&listed))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The server's devices; none where no server answers.
fn server_devices(options: &options::ServerOptions) -> Result<Vec<DeviceSummary>> {
    let server = options.connect()?;
    if !server.answers() {
        if options.address().is_some() {
            let url = server.url();
            say!("warning: no ids: no Kerncast server answers at {url}");
        }
        return Ok(Vec::new());
    }
    let devices = server.devices();
    Ok(devices.unwrap_or_else(|error| {
        say!("warning: no ids: {error}");
        Vec::new()
    }))
}

/// Lists the server's devices that are not in this machine; they can be forecast too.
fn elsewhere(stored: &[DeviceSummary], listed: &[Listed<'_>]) -> String {
    let is_here = |id: i64| listed.iter().any(|it| it.id == Some(id));
    let others = stored.iter().filter(|it| !is_here(it.id));
    let others = others.map(|it| format!("\n{}  {} ({})", it.id, it.short_name, it.device.name));
    let others: String = others.collect();
    if others.is_empty() {
        return others;
    }
    format!("\nThe server also knows, by their ids:{others}")
}

fn in_table(listed: &[Listed<'_>]) -> String {
    let mut table = table::new(
        "#, id, short name, device, vendor, kind, units, memory, local, driver".split(", "),
    );
    for it in listed {
        let device = it.facts;
        table.add_row([
            device.index.to_string(),
            table::or_dash(it.id.map(|id| id.to_string())),
            it.short_name.clone(),
            device.name.clone(),
            device.vendor.clone(),
            device::kind(device).to_string(),
            table::or_dash(device.compute_units.map(|units| units.to_string())),
            table::or_dash(device.global_memory_bytes.map(units::bytes)),
            table::or_dash(device.local_memory_bytes.map(units::bytes)),
            device.driver_version.clone(),
        ]);
    }
    table.to_string()
}
