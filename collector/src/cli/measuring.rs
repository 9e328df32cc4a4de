//! Options of commands that measure: the devices, and where the results go; and the course of those that measure devices.

use std::{io, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{child::Children, delivery, device_choice::local, spool::Spool};
use kerncast_opencl::DeviceFacts;
use kerncast_wire::Agent;

use super::{
    exit,
    options::{ServerOptions, agent, children, spool_folder},
};

/// What `run`, `ceilings` and `microbenchmark` have in common: the devices, and where the results go.
#[derive(Args)]
pub(super) struct MeasuringOptions {
    /// This machine's devices, by name, short name, part of a name, or # (kerncast devices) [default: one of each
    /// type, GPUs first]
    #[arg(long, value_name = "NAME|NUMBER", help_heading = "Measuring")]
    pub(super) device: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Keep the results in the spool; kerncast upload sends them
    #[arg(long, help_heading = "Results")]
    no_upload: bool,
    #[command(flatten)]
    server: ServerOptions,
}

impl MeasuringOptions {
    pub(super) fn destination(&self) -> delivery::Destination {
        let server = (!self.no_upload).then(|| self.server.connect());
        delivery::Destination::new(server.transpose(), self.server.address().is_some())
    }

    /// Measures each chosen device except simulators, prints the results and uploads them.
    pub(super) fn measure_devices<T>(
        &self,
        measure: impl Fn(&DeviceFacts, &Agent, &Children, &Spool) -> Result<Option<T>>,
        print: impl FnOnce(&[T]) -> io::Result<()>,
    ) -> Result<ExitCode> {
        let children = children()?;
        let devices = local::select(&children.devices(&[])?, &self.device)?;
        let devices = local::refuse_simulators(devices)?;
        let spool = Spool::open_to_write(&spool_folder())?;
        let (agent, destination) = (agent(), self.destination());
        destination.warn_if_refused(&agent.name);
        let mut results = Vec::new();
        for device in &devices {
            results.extend(measure(device, &agent, &children, &spool)?);
        }
        print(&results)?;
        let uploaded = destination.deliver(&spool)?;
        let is_uploaded = uploaded.as_ref().is_none_or(delivery::is_complete);
        Ok(exit(is_uploaded && results.len() == devices.len()))
    }
}
