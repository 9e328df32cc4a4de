//! `kerncast offload`.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use kerncast_collector::{UsageError, stream};
use kerncast_primitives::{ElementType, Offload, Options, StreamWork};
use serde::Serialize;

use super::{exit, options, parse, stream::offers, table, units};

/// Forecast whether offloading to a device pays, compared with one core and all cores
///
/// Transform is k · x, reduce and scan are sums, scatter goes to random places. The rates of bus, device and host are
/// measured once, which takes some minutes (five on two cores). They are kept, so later answers take seconds.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast offload sort --type u32 --bytes 32GiB
  kerncast offload reduce --type f64 --bytes 4GiB --device-memory 1GiB --json
  kerncast offload sort --type u32 --bytes 32GiB --measure --upload

How this is forecast, and how accurately: docs/streams.md.")]
pub(super) struct Arguments {
    /// The primitive
    primitive: Primitive,
    /// Type of the elements
    #[arg(long = "type", value_name = "TYPE", value_parser = parse::one_of(&ELEMENTS, ElementType::name), help_heading = "Array")]
    element: ElementType,
    /// Size of the array, as 32GiB; a scatter also has an index of u32
    #[arg(long, value_name = "BYTES", value_parser = parse::bytes, help_heading = "Array")]
    bytes: u64,
    /// This machine's device, by name or number [default: the fastest GPU, else the fastest device]
    #[arg(long, value_name = "DEVICE", help_heading = "Device")]
    device: Option<String>,
    /// How much of its memory to use, as 3GiB [default: three quarters]
    #[arg(long, value_name = "BYTES", value_parser = parse::bytes, help_heading = "Device")]
    device_memory: Option<u64>,
    /// Measure the rates again
    #[arg(long, help_heading = "Rates")]
    measure: bool,
    /// Send the rates to the server; its page Offload then answers for this device
    #[arg(long, help_heading = "Rates")]
    upload: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: options::ServerOptions,
}

#[derive(Clone, Copy, ValueEnum)]
enum Primitive {
    Transform,
    /// sin(x)² + cos(x)²
    Sine,
    Reduce,
    Scan,
    Sort,
    Scatter,
}

/// The types whose rates are measured.
const ELEMENTS: [ElementType; 4] = [
    ElementType::U32,
    ElementType::U64,
    ElementType::F32,
    ElementType::F64,
];

#[derive(Serialize)]
struct Answer {
    device: String,
    device_memory: u64,
    threads: usize,
    #[serde(flatten)]
    offload: Offload,
}

pub(super) fn offload(arguments: &Arguments) -> Result<ExitCode> {
    let (work, element) = (arguments.work(), arguments.element);
    let (bytes, name) = (arguments.bytes, element.name());
    check(work, element, bytes)?;
    let device = stream::select_device(arguments.device.as_deref())?;
    let device_memory = stream::memory_limit(&device, arguments.device_memory)?;
    let (agent, mut server) = (options::agent(), None);
    if arguments.upload {
        let client = arguments.server.connect()?;
        // Before minutes of measuring.
        if let Some(why) = client.refusal_for(&agent.name) {
            return Err(anyhow!(why));
        }
        server = Some(client);
    }
    let device_rates = stream::rates(&device, arguments.measure)?;
    if let Some(server) = server {
        server.send_streams(&stream::to_upload(&device, &device_rates, agent))?;
    }
    let rates = device_rates.with_runs();
    let offload = rates.offload(work, element, bytes, &Options::new(device_memory));
    let offload = offload.ok_or_else(|| {
        UsageError(format!(
            "--device-memory {device_memory}: too little for a tile of {name}, or {} does not do this with {name}",
            rates.device
        ))
    })?;
    let answer = Answer {
        device: rates.device,
        device_memory,
        threads: rates.threads,
        offload,
    };
    table::print_as(arguments.json, &answer, || {
        let (device, threads) = (&answer.device, answer.threads);
        let memory = units::bytes(device_memory);
        let offers = offers(&answer.offload);
        let cores = units::count(threads, "core");
        format!("{device} with {memory} of its memory, beside {cores}\n{offers}")
    })?;
    Ok(exit(true))
}

impl Arguments {
    fn work(&self) -> StreamWork {
        match self.primitive {
            Primitive::Transform => StreamWork::Transform,
            Primitive::Sine => StreamWork::Sine,
            Primitive::Reduce => StreamWork::Reduce,
            Primitive::Scan => StreamWork::Scan,
            Primitive::Sort => StreamWork::Sort,
            Primitive::Scatter => StreamWork::Scatter,
        }
    }
}

/// Refuses an array that is no whole number of elements, and an integer's sine.
fn check(work: StreamWork, element: ElementType, bytes: u64) -> Result<(), UsageError> {
    let (name, width) = (element.name(), element.bytes() as u64);
    if !bytes.is_multiple_of(width) {
        return Err(UsageError(format!(
            "--bytes {bytes}: no whole number of {name}; expected a multiple of {width}"
        )));
    }
    if work == StreamWork::Sine && matches!(element, ElementType::U32 | ElementType::U64) {
        return Err(UsageError(format!(
            "--type {name}: an integer has no sine; expected f32 or f64"
        )));
    }
    Ok(())
}
