//! `kerncast stream`.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Result;
use clap::{Args, ValueEnum};
use kerncast_collector::UsageError;
use kerncast_offload::Request;
use kerncast_primitives::{
    Cancel, Explained, Job, Npy, Offload, Options, Programs, Streamer, Way, Work,
};
use serde::Serialize;
use serde_json::Value;

use super::{exit, status::Status, table, units};
use done::{Done, Files};
use known::Known;

mod device;
mod done;
mod known;
mod shown;
mod unfinished;

pub(super) use device::{choose, memory};
pub(super) use known::{rates, upload};
pub(super) use shown::offers;

/// Process an array that may be larger than the device's memory
///
/// Arrays are one-dimensional NumPy files. Operations are OpenCL C: of `x` (and its index `i`) for transform, of `a`
/// and `b` for reduce and scan, which add by default. How: docs/streams.md.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast stream sort IN.npy OUT.npy --device-memory 3GiB
  kerncast stream transform IN.npy OUT.npy \\
      --op 'sin(x) * sin(x) + cos(x) * cos(x)'
  kerncast stream reduce IN.npy --op 'max(a, b)' --json
  kerncast stream scatter VALUES.npy OUT.npy --index PLACES.npy
  kerncast stream sort IN.npy --explain
      how, how long, and whether the CPU is faster; nothing is done

The output is there once it is complete, and not before: after Ctrl-C it is not.
--explain measures what the way, the device and the host can do where that is
not kept, which takes some minutes.")]
pub(super) struct Arguments {
    /// The primitive
    primitive: Primitive,
    /// NumPy file with the array: one dimension, integers or floats
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// NumPy file to write; reduce writes none
    #[arg(value_name = "OUT")]
    output: Option<PathBuf>,
    /// The operation: an expression, or a function's body with `return`
    #[arg(long, value_name = "OPENCL", allow_hyphen_values = true)]
    op: Option<String>,
    /// For scatter: NumPy file (u4 or u8) with each element's new place
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
    /// This machine's device, by name or number [default: the fastest GPU, else the fastest device]
    #[arg(long, value_name = "DEVICE", help_heading = "Device")]
    device: Option<String>,
    /// How much of its memory to use, as 3GiB [default: three quarters]
    #[arg(long, value_name = "BYTES", value_parser = units::read_bytes, help_heading = "Device")]
    device_memory: Option<u64>,
    /// Only print the plan and its forecast
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Primitive {
    Transform,
    Reduce,
    Scan,
    Sort,
    Scatter,
}

/// How it would be done, and by whom the fastest.
#[derive(Serialize)]
struct Explanation {
    device: String,
    device_memory: u64,
    #[serde(flatten)]
    explained: Explained,
    /// The same of arrays in memory, beside the CPU; none where the operation or the type is none that was measured.
    offload: Option<Offload>,
}

/// Of an input without elements.
#[derive(Serialize)]
struct Nothing {
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    elements: u64,
}

pub(super) fn stream(arguments: &Arguments) -> Result<ExitCode> {
    arguments.check()?;
    let files = arguments.files()?;
    if files.input.length() == 0 {
        return nothing(arguments, &files);
    }
    let device = choose(arguments.device.as_deref())?;
    let device_memory = memory(&device, arguments.device_memory)?;
    let options = Options::new(device_memory);
    let known = match arguments.explain {
        true => Some(rates(&device, false)?),
        false => known::kept(&device),
    };
    let rates = known.as_ref().map(Known::checked);
    let mut streamer = Streamer::new(device.clone(), options.clone())?;
    if let Some(rates) = &rates {
        streamer.set_rates(rates.clone());
    }
    let element = files.input.element();
    let mut job = Job::new(arguments.work(), element, files.input.length(), Way::File);
    if let Some(index) = &files.index {
        job.inputs[0] = index.element();
    }
    let done = Done {
        primitive: arguments.primitive,
        op: arguments.op.as_deref(),
        files: &files,
    };
    if arguments.op.is_some() {
        job.programs = Programs::New;
        // What is hardly longer than the trial is not done twice.
        if rates.is_some() && (arguments.explain || files.input.length() > 4 * done::TRIED) {
            job.kernel_s = done.tried(&mut streamer)?;
            job.programs = Programs::Ready;
        }
    }
    let explained = streamer.plan(&job)?;
    if arguments.explain {
        let offload = rates.filter(|_| arguments.op.is_none()).and_then(|rates| {
            let bytes = files.input.length() * element.bytes() as u64;
            rates.offload(job.work, element, bytes, &options)
        });
        let answer = Explanation {
            device: device.facts.name,
            device_memory,
            explained,
            offload,
        };
        table::print_as(arguments.json, &answer, || shown::explanation(&answer))?;
        return Ok(exit(true));
    }
    streamer.cancel_with(interrupted()?);
    let mut outcome = done.to(&mut streamer, arguments.output.as_deref())?;
    outcome.forecast = rates.is_some().then_some(explained);
    table::print_as(arguments.json, &outcome, || shown::outcome(&outcome))?;
    if let Some((known, rates)) = known.zip(rates) {
        let asked = Request {
            primitive: job.work.name(),
            // Nobody measured rates of another operation.
            work: arguments.op.is_none().then_some(job.work),
            element,
            elements: job.elements,
            by: job.way_in.name(),
            device_memory,
        };
        if let Some(run) = outcome.run(&asked, known.id, &rates) {
            known.keep(run, &device);
        }
    }
    Ok(exit(true))
}

/// Nothing goes through a device: a reduction is what numpy's is, and any other output is as empty as the input.
fn nothing(arguments: &Arguments, files: &Files) -> Result<ExitCode> {
    let element = files.input.element();
    let result = match (arguments.primitive, &arguments.output) {
        (Primitive::Reduce, _) => Some(done::of_nothing(arguments.op.as_deref(), element)?),
        (_, Some(output)) if !arguments.explain => {
            Npy::create(output, element, 0)?;
            None
        }
        _ => None,
    };
    let answer = Nothing {
        result,
        elements: 0,
    };
    table::print_as(arguments.json, &answer, || shown::nothing(&answer))?;
    Ok(exit(true))
}

/// Cancelled by Ctrl-C or a signal to end, so that nothing stays behind; the second one ends the program.
fn interrupted() -> Result<Cancel> {
    let cancel = Cancel::default();
    let of_signals = cancel.clone();
    ctrlc::set_handler(move || {
        if of_signals.is_cancelled() {
            std::process::exit(Status::Interrupted as i32);
        }
        of_signals.cancel();
    })?;
    Ok(cancel)
}

impl Arguments {
    fn work(&self) -> Work {
        match self.primitive {
            Primitive::Transform => Work::Transform,
            Primitive::Reduce => Work::Reduce,
            Primitive::Scan => Work::Scan,
            Primitive::Sort => Work::Sort,
            Primitive::Scatter => Work::Scatter,
        }
    }

    /// Opens what is to be read, and says all that is wrong with any of the files.
    fn files(&self) -> Result<Files, UsageError> {
        let input = open(&self.input);
        let index = self.index.as_deref().map(open).transpose();
        let output = self.output.as_ref().filter(|it| it.exists());
        let taken = output.map(|it| {
            let output = it.display();
            format!("OUT {output} is there already; expected a new file")
        });
        match (input, index, taken) {
            (Ok(input), Ok(index), None) => Ok(Files { input, index }),
            (input, index, taken) => {
                let wrong = [input.err(), index.err(), taken];
                let wrong: Vec<String> = wrong.into_iter().flatten().collect();
                Err(UsageError(wrong.join("\n")))
            }
        }
    }

    /// Refuses what the primitive does not take, before anything is opened.
    fn check(&self) -> Result<(), UsageError> {
        let what = self.primitive.to_possible_value();
        let what = what.as_ref().map_or("", |it| it.get_name());
        let (needs_output, is_explained) = (self.primitive != Primitive::Reduce, self.explain);
        if self.output.is_none() && needs_output && !is_explained {
            return Err(UsageError(format!(
                "OUT is missing; expected the file that {what} is to make"
            )));
        }
        if let (Some(output), false) = (&self.output, needs_output) {
            let output = output.display();
            return Err(UsageError(format!(
                "OUT {output}: reduce makes no file; expected IN alone"
            )));
        }
        let scatters = self.primitive == Primitive::Scatter;
        if scatters != self.index.is_some() {
            return Err(UsageError(match scatters {
                true => "--index is missing; expected a file of places for scatter".to_owned(),
                false => format!("--index is of scatter alone; {what} has no use for it"),
            }));
        }
        match (self.primitive, &self.op) {
            (Primitive::Transform, None) => Err(UsageError(
                "--op is missing; expected what transform does to x, as --op '2 * x'".to_owned(),
            )),
            (Primitive::Sort | Primitive::Scatter, Some(op)) => Err(UsageError(format!(
                "--op {op:?}: {what} has no operation; expected none"
            ))),
            _ => Ok(()),
        }
    }
}

/// A file that cannot be taken is a mistake in what was asked.
fn open(path: &Path) -> Result<Npy, String> {
    Npy::open(path).map_err(|why| why.to_string())
}
