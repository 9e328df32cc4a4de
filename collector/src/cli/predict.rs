//! `kerncast predict`.

use std::{
    fs, io,
    io::Read,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    UsageError,
    client::Client,
    device_choice::target::{find_id, find_targets, name_devices_in_error},
    forecast::{requests::predict_file, samples::predict_samples},
    import::{CountedFile, read_counted},
};
use kerncast_wire::{CounterSet, DeviceSummary, Outcome, PredictionRequest};
use uuid::Uuid;

use super::{options::ServerOptions, table};

pub(super) mod answer;

/// Forecast launches from counters or a profiler's file (from source: forecast)
#[derive(Args)]
#[command(after_help = r#"Examples:
  kerncast predict ncu.csv --on h200
      every launch that ncu counted (docs/importing.md)
  kerncast predict examples/ncu.csv --on h200 --on h100
  kerncast predict data/nvidia-h200.jsonl.zst
      Kerncast's own samples, beside what they took
  kerncast predict SPOOL --on h200
      those of a spool's folder
  kerncast predict --counters examples/counters.json --on h200 --json
  kerncast predict ncu.csv --counted-on a100 --on h200
      counted on an A100, how long on an H200?

kerncast forecast counts a kernel's folder here and asks, all in one."#)]
#[command(override_usage = "kerncast predict [OPTIONS] <FILE>
       kerncast predict [OPTIONS] --counters <FILE>")]
#[group(required = true, multiple = false, args = ["file", "counters"])]
pub(super) struct Arguments {
    /// Output of a profiler (ncu, nvprof, rocprof, rocprofv3, oneprof, unitrace, Oclgrind), a tidy CSV, or Kerncast's
    /// own samples (JSON Lines, a spool's folder or a file of it), of any size, also compressed by zstd or gzip; -
    /// reads standard input
    file: Option<PathBuf>,
    /// JSON file, provider → counter → number; - reads standard input
    #[arg(long, value_name = "FILE", help_heading = "Counters")]
    counters: Option<PathBuf>,
    /// The device to forecast: one that the server knows, by name, short name or id (kerncast devices), or an NVIDIA
    /// GPU by its data sheet; may be given several times [default: the only device with models; for Kerncast's own
    /// samples, the one that measured them]
    #[arg(
        long,
        value_name = "DEVICE",
        alias = "device",
        help_heading = "Forecast"
    )]
    on: Vec<String>,
    /// Id of the model that answers [default: the device's champion for these counters]
    #[arg(long, value_name = "ID", help_heading = "Forecast")]
    model: Option<Uuid>,
    /// The device that the counters come from, if it is another; a file's times are then that device's
    #[arg(long, value_name = "NAME|ID", help_heading = "Counters")]
    counted_on: Option<String>,
    /// The kernel's time on the device of --counted-on, as 2.3ms; for --counters
    #[arg(long, value_parser = super::parse::seconds, value_name = "DURATION", requires_all = ["counters", "counted_on"], help_heading = "Counters")]
    time: Option<f64>,
    /// Print the server's answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub(super) fn predict(arguments: &Arguments) -> Result<ExitCode> {
    let server = arguments.server.connect()?;
    let wishes = request(arguments, &server)?;
    let predictions = match (&arguments.file, &arguments.counters) {
        (Some(file), _) => {
            match read_counted(file).map_err(|error| UsageError(error.to_string()))? {
                CountedFile::Samples(samples) => predict_samples(&server, file, samples, &wishes)?,
                CountedFile::Text(text) => predict_file(&server, &text, &wishes)?,
            }
        }
        (None, file) => {
            let request = PredictionRequest {
                counters: file.as_deref().map(read_counters).transpose()?,
                ..wishes
            };
            name_devices_in_error(&server, server.predict(&request))?
        }
    };
    let devices = devices_for_words(&server, arguments.json)?;
    table::print_as(arguments.json, &predictions, || {
        answer::in_words(&predictions, &devices)
    })?;
    // A set without a forecast beside others that have one is a failure in part.
    let mut outcomes = predictions.predictions.iter().map(|it| &it.outcome);
    Ok(super::exit(
        outcomes.all(|outcome| matches!(outcome, Outcome::Forecast(_))),
    ))
}

/// The server's devices, whose names an answer in words has; none for JSON, which has their ids.
pub(super) fn devices_for_words(server: &Client, json: bool) -> Result<Vec<DeviceSummary>> {
    Ok(if json { Vec::new() } else { server.devices()? })
}

/// The counters in the file of `--counters`, or on standard input.
fn read_counters(file: &Path) -> Result<CounterSet> {
    let bytes = if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(file)
    };
    let file = file.display();
    let bytes = bytes.map_err(|error| UsageError(format!("--counters {file}: {error}")))?;
    let counters = serde_json::from_slice(&bytes);
    Ok(counters.map_err(|error| {
        UsageError(format!(
            "--counters {file}: {error}; expected provider → counter → number, as in \
             {{\"oclgrind\": {{\"load_global\": 2097152}}}}"
        ))
    })?)
}

/// The request, without counters.
fn request(arguments: &Arguments, server: &Client) -> Result<PredictionRequest> {
    let (devices, gpus) = find_targets(server, &arguments.on)?;
    let counted_on = arguments.counted_on.as_ref();
    Ok(PredictionRequest {
        model: arguments.model,
        devices,
        gpus,
        counted_on: counted_on.map(|wish| find_id(server, wish)).transpose()?,
        time_s: arguments.time,
        ..PredictionRequest::default()
    })
}
