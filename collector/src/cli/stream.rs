//! `kerncast stream`.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{UsageError, stream};
use kerncast_primitives::{Cancel, ExplainedStream, Npy, Offload, StreamWork};
use serde::Serialize;
use serde_json::Value;

use super::{exit, parse, status::Status, table};

mod report;

pub(super) use report::offers;

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
      the plan, its forecast, and whether the CPU is faster; nothing is done

The output appears only when it is complete; after Ctrl-C there is none.
--explain first measures bus, device and host if their rates are not known,
which takes some minutes.")]
pub(super) struct Arguments {
    /// The primitive
    #[arg(value_parser = parse::one_of(&PRIMITIVES, StreamWork::name))]
    primitive: StreamWork,
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
    #[arg(long, value_name = "BYTES", value_parser = parse::bytes, help_heading = "Device")]
    device_memory: Option<u64>,
    /// Only print the plan and its forecast
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The primitives that take files.
const PRIMITIVES: [StreamWork; 5] = [
    StreamWork::Transform,
    StreamWork::Reduce,
    StreamWork::Scan,
    StreamWork::Sort,
    StreamWork::Scatter,
];

/// The answer of `--explain`: the plan and its forecast, and whether offloading pays.
#[derive(Serialize)]
struct Explanation {
    device: String,
    device_memory: u64,
    #[serde(flatten)]
    explained: ExplainedStream,
    /// Forecasts for arrays in memory, compared with the CPU; none where the operation or type was not measured.
    offload: Option<Offload>,
}

/// The answer to an input without elements.
#[derive(Serialize)]
struct EmptyInput {
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    elements: u64,
}

pub(super) fn stream(arguments: &Arguments) -> Result<ExitCode> {
    arguments.check()?;
    let inputs = arguments.inputs()?;
    if inputs.input.length() == 0 {
        return answer_empty_input(arguments, &inputs);
    }
    let operation = stream::FileOperation {
        work: arguments.primitive,
        op: arguments.op.as_deref(),
        inputs: &inputs,
    };
    let (device, memory) = (arguments.device.as_deref(), arguments.device_memory);
    let session = stream::Session::plan(&operation, device, memory, arguments.explain)?;
    if arguments.explain {
        let answer = Explanation {
            offload: session.offload(),
            device: session.device,
            device_memory: session.device_memory,
            explained: session.plan,
        };
        table::print_as(arguments.json, &answer, || report::explanation(&answer))?;
        return Ok(exit(true));
    }
    let outcome = session.run(arguments.output.as_deref(), cancel_on_signal()?)?;
    table::print_as(arguments.json, &outcome, || report::outcome(&outcome))?;
    Ok(exit(true))
}

/// Answers for an input without elements, where nothing goes through the device: numpy's result of an empty reduction,
/// and an empty output otherwise.
fn answer_empty_input(arguments: &Arguments, inputs: &stream::Inputs) -> Result<ExitCode> {
    let element = inputs.input.element();
    let result = match (arguments.primitive, &arguments.output) {
        (StreamWork::Reduce, _) => Some(stream::reduce_nothing(arguments.op.as_deref(), element)?),
        (_, Some(output)) if !arguments.explain => {
            Npy::create(output, element, 0)?;
            None
        }
        _ => None,
    };
    let answer = EmptyInput {
        result,
        elements: 0,
    };
    table::print_as(arguments.json, &answer, || report::empty_input(&answer))?;
    Ok(exit(true))
}

/// A cancel that Ctrl-C or another signal to end triggers, so that nothing stays behind; a second signal ends the
/// program.
fn cancel_on_signal() -> Result<Cancel> {
    let cancel = Cancel::default();
    let in_handler = cancel.clone();
    ctrlc::set_handler(move || {
        if in_handler.is_cancelled() {
            std::process::exit(Status::Interrupted as i32);
        }
        in_handler.cancel();
    })?;
    Ok(cancel)
}

impl Arguments {
    /// Opens the files to read; the error names all that is wrong with any file.
    fn inputs(&self) -> Result<stream::Inputs, UsageError> {
        let input = open(&self.input);
        let index = self.index.as_deref().map(open).transpose();
        let output = self.output.as_ref().filter(|it| it.exists());
        let exists = output.map(|it| {
            let output = it.display();
            format!("OUT {output} is there already; expected a new file")
        });
        match (input, index, exists) {
            (Ok(input), Ok(index), None) => Ok(stream::Inputs { input, index }),
            (input, index, exists) => {
                let problems = [input.err(), index.err(), exists];
                let problems: Vec<String> = problems.into_iter().flatten().collect();
                Err(UsageError(problems.join("\n")))
            }
        }
    }

    /// Refuses options that the primitive does not take, before any file is opened.
    fn check(&self) -> Result<(), UsageError> {
        let name = self.primitive.name();
        let needs_output = self.primitive != StreamWork::Reduce;
        if self.output.is_none() && needs_output && !self.explain {
            return Err(UsageError(format!(
                "OUT is missing; expected the file that {name} is to make"
            )));
        }
        if let (Some(output), false) = (&self.output, needs_output) {
            let output = output.display();
            return Err(UsageError(format!(
                "OUT {output}: reduce makes no file; expected IN alone"
            )));
        }
        let needs_index = self.primitive == StreamWork::Scatter;
        if needs_index != self.index.is_some() {
            return Err(UsageError(if needs_index {
                "--index is missing; expected a file of places for scatter".to_owned()
            } else {
                format!("--index is of scatter alone; {name} has no use for it")
            }));
        }
        match (self.primitive, &self.op) {
            (StreamWork::Transform, None) => Err(UsageError(
                "--op is missing; expected what transform does to x, as --op '2 * x'".to_owned(),
            )),
            (StreamWork::Sort | StreamWork::Scatter, Some(op)) => Err(UsageError(format!(
                "--op {op:?}: {name} has no operation; expected none"
            ))),
            _ => Ok(()),
        }
    }
}

fn open(path: &Path) -> Result<Npy, String> {
    Npy::open(path).map_err(|why| why.to_string())
}
