//! `kerncast devices`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::device;
use kerncast_opencl::DeviceFacts;
use kerncast_wire::{Device, DeviceSummary, short_name};
use serde::Serialize;

use super::{
    options::{ServerOptions, children},
    table, units,
};

/// List this machine's OpenCL devices, with all their names
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
    server: ServerOptions,
}

/// What is known of a device; what samples say of it also by itself.
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
    let devices = children()?.devices(&[])?;
    let known = known(&arguments.server)?;
    let listed = devices.iter().map(|facts| {
        let is_it = |it: &&DeviceSummary| {
            (&it.device.vendor, &it.device.name) == (&facts.vendor, &facts.name)
        };
        let known = known.iter().find(is_it);
        Listed {
            facts,
            device: device::sampled(facts),
            short_name: known.map_or_else(|| short_name(&facts.name), |it| it.short_name.clone()),
            id: known.map(|it| it.id),
        }
    });
    let listed: Vec<Listed<'_>> = listed.collect();
    table::print_as(arguments.json, &listed, || {
        let elsewhere = elsewhere(&known, &listed);
        format!("{}{elsewhere}", in_table(&listed))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The server's devices, where one was named or answers where servers are.
fn known(options: &ServerOptions) -> Result<Vec<DeviceSummary>> {
    let server = options.connect()?;
    if !server.answers() {
        if options.named().is_some() {
            say!(
                "warning: no ids: no Kerncast server answers at {}",
                server.url()
            );
        }
        return Ok(Vec::new());
    }
    let devices = server.devices();
    Ok(devices.unwrap_or_else(|error| {
        say!("warning: no ids: {error}");
        Vec::new()
    }))
}

/// What can be forecast without being here.
fn elsewhere(known: &[DeviceSummary], listed: &[Listed<'_>]) -> String {
    let is_here = |id: i64| listed.iter().any(|it| it.id == Some(id));
    let others = known.iter().filter(|it| !is_here(it.id));
    let others = others.map(|it| format!("\n{}  {} ({})", it.id, it.short_name, it.device.name));
    let others: String = others.collect();
    match others.is_empty() {
        true => others,
        false => format!("\nThe server also knows, by their ids:{others}"),
    }
}

fn in_table(listed: &[Listed<'_>]) -> String {
    let mut table = table::new([
        "#",
        "id",
        "short name",
        "device",
        "vendor",
        "kind",
        "units",
        "memory",
        "local",
        "driver",
    ]);
    for it in listed {
        let device = it.facts;
        table.add_row([
            device.index.to_string(),
            table::known(it.id.map(|id| id.to_string())),
            it.short_name.clone(),
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
