//! `kerncast predict`.

use std::{
    fs, io,
    io::Read,
    path::PathBuf,
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    UsageError,
    client::Client,
    import::{Counted, counted},
};
use kerncast_wire::{CounterSet, FittingJob, Outcome, PredictionRequest};
use uuid::Uuid;

use super::{options::ServerOptions, table};

mod answer;
mod own;

/// While waiting for fits.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// Ask the server how long kernels with these counters take
#[derive(Args)]
#[command(after_help = r#"Examples:
  kerncast predict ncu.csv                       every launch that ncu counted (docs/importing.md)
  kerncast predict kernels.csv --device 1 --device 2
  kerncast predict data/nvidia-h200.jsonl.zst    Kerncast's own samples, beside what they took
  kerncast predict SPOOL --device 1              those of a spool's folder
  echo '{"oclgrind": {"load_global": 2097152, "instructions": 9437184}}' | kerncast predict --counters -
  kerncast predict --counters counters.json --method nnls --level 0.5
  kerncast predict --counters counters.json --device 2 --json
  kerncast predict ncu.csv --device 1 --wait 600 once no fit of the device is pending any more
  kerncast predict ncu.csv --counted-on 1 --device 2 counted on device 1, how long on device 2?"#)]
#[group(required = true, multiple = false, args = ["file", "counters"])]
pub(super) struct Arguments {
    /// What a profiler printed (ncu, nvprof, rocprof, rocprofv3, oneprof, Oclgrind), a tidy CSV, or
    /// Kerncast's own samples (JSON Lines, a spool's folder or a file of it); also compressed by zstd;
    /// - reads standard input
    file: Option<PathBuf>,
    /// JSON file, provider → counter → number; - reads standard input
    #[arg(long, value_name = "FILE")]
    counters: Option<PathBuf>,
    /// The device's number on the server, also several times; may be left out where one device has
    /// models
    #[arg(long = "device", value_name = "ID")]
    devices: Vec<i64>,
    /// The model's id [default: the champion of the device for these counters]
    #[arg(long, value_name = "ID")]
    model: Option<Uuid>,
    /// The method whose best model answers [default: the champion's]
    #[arg(long, value_name = "NAME", conflicts_with = "model")]
    method: Option<String>,
    /// How likely the time is to lie within the interval
    #[arg(long, value_parser = super::units::finite, value_name = "SHARE", default_value_t = 0.9)]
    level: f64,
    /// The number of the device that the counters are of, where it is another; the times of a file are then
    /// that device's
    #[arg(long, alias = "source", value_name = "ID")]
    counted_on: Option<i64>,
    /// Seconds that --counters took on the device of --counted-on
    #[arg(long, value_parser = super::units::finite, value_name = "SECONDS", requires_all = ["counters", "counted_on"])]
    time: Option<f64>,
    /// Wait up to so many seconds until no fit of these devices is pending, so that the newest models answer
    #[arg(long, value_name = "SECONDS", conflicts_with = "model")]
    wait: Option<u64>,
    /// Print the server's answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub(super) fn predict(arguments: &Arguments) -> Result<ExitCode> {
    let server = arguments.server.connect()?;
    if let Some(seconds) = arguments.wait {
        wait(&server, arguments, Duration::from_secs(seconds))?;
    }
    let predictions = match (&arguments.file, &arguments.counters) {
        (Some(file), _) => {
            let wishes = wishes(arguments);
            match counted(file).map_err(|error| UsageError(error.to_string()))? {
                Counted::Samples(samples) => own::predict(&server, file, samples, &wishes)?,
                Counted::Text(text) => server.predict_file(&text, &wishes)?,
            }
        }
        (None, Some(file)) => server.predict(&request(arguments, file)?)?,
        (None, None) => return Err(UsageError("no file was named".to_owned()).into()),
    };
    table::print_as(arguments.json, &predictions, || {
        answer::in_words(&predictions)
    })?;
    // A set without a forecast beside others that have one is a failure in part.
    let mut outcomes = predictions.predictions.iter().map(|it| &it.outcome);
    Ok(super::exit(
        outcomes.all(|outcome| matches!(outcome, Outcome::Forecast(_))),
    ))
}

/// Until the fits that may change the answer are there, or were given up; after `limit` the answer says what is pending.
fn wait(server: &Client, arguments: &Arguments, limit: Duration) -> Result<()> {
    let start = Instant::now();
    let devices = &arguments.devices;
    let changes = |job: &FittingJob| {
        let asked = devices.is_empty() || devices.contains(&job.device);
        asked && job.counted_on == arguments.counted_on && !job.given_up
    };
    let mut told = 0;
    loop {
        let pending = server
            .jobs()?
            .jobs
            .iter()
            .filter(|job| changes(job))
            .count();
        if pending == 0 || start.elapsed() >= limit {
            return Ok(());
        }
        if pending != told {
            eprintln!("waiting for {pending} pending fits");
            told = pending;
        }
        thread::sleep(BETWEEN_LOOKS);
    }
}

fn request(arguments: &Arguments, file: &PathBuf) -> Result<PredictionRequest> {
    Ok(PredictionRequest {
        counters: Some(counters(file)?),
        ..wishes(arguments)
    })
}

/// What `--counters` names.
pub(super) fn counters(file: &PathBuf) -> Result<CounterSet> {
    let text = read(file)?;
    let counters = serde_json::from_slice(&text);
    Ok(counters.map_err(|error| {
        UsageError(format!(
            "--counters {}: {error}; expected provider → counter → number, as in \
             {{\"oclgrind\": {{\"load_global\": 2097152}}}}",
            file.display()
        ))
    })?)
}

/// What is asked for, but for the counters.
fn wishes(arguments: &Arguments) -> PredictionRequest {
    PredictionRequest {
        model: arguments.model,
        method: arguments.method.clone(),
        level: Some(arguments.level),
        devices: Some(arguments.devices.clone()).filter(|devices| !devices.is_empty()),
        counted_on: arguments.counted_on,
        time_s: arguments.time,
        ..PredictionRequest::default()
    }
}

fn read(file: &PathBuf) -> Result<Vec<u8>> {
    let bytes = if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(file)
    };
    Ok(bytes.map_err(|error| UsageError(format!("--counters {}: {error}", file.display())))?)
}
