//! `kerncast import`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    client::Client,
    import::{self, Import, ImportOptions, KernelChoice, Sent, Source},
};
use kerncast_suite::Parameters;
use kerncast_wire::DeviceKind;

use super::{
    exit,
    options::{self, ServerOptions},
    status::Status,
    table, units,
};

mod report;

/// Read samples from files and send them to the server
///
/// From what other people's profilers printed (ncu, rocprofv3, rocprof, rocprofiler-compute, nvprof, nsys,
/// oneprof, unitrace), from tidy CSV tables, and from Kerncast's own JSON Lines; each also compressed by
/// zstd or gzip.
/// Reading a file again changes nothing.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kerncast import ncu.csv --kernel mm=cuda_matmul --variant local \\
      --param n=1024
  kerncast import counter_collection.csv --times kernel_trace.csv \\
      --device gfx90a
  kerncast import kernels.csv --dry-run
  kerncast import data/*.jsonl.zst

A launch without a time is no sample: `kerncast predict FILE` forecasts it.
docs/importing.md says what each profiler's file gives.")]
pub(super) struct Arguments {
    /// The files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A file with the times of the same launches (rocprofv3's kernel_trace.csv, rocprofiler-compute's
    /// timestamps.csv, nvprof's GPU trace, nsys's cuda_gpu_trace or cuda_gpu_kern_sum); all FILEs are then passes that counted these launches
    #[arg(long, value_name = "FILE", help_heading = "What the file does not say")]
    times: Option<PathBuf>,
    /// The device's name, as OpenCL has it, where the file does not say it
    #[arg(long, value_name = "NAME", help_heading = "What the file does not say")]
    device: Option<String>,
    /// Its vendor, as its OpenCL platform has it [default: the profiler's maker]
    #[arg(long, value_name = "NAME", help_heading = "What the file does not say")]
    vendor: Option<String>,
    /// What OpenCL calls it: cpu, gpu or accelerator
    #[arg(long, value_name = "KIND", value_parser = units::device_kind, default_value = "gpu", help_heading = "What the file does not say")]
    device_kind: DeviceKind,
    /// Only launches on this GPU of the file, as it numbers them. May be given several times
    #[arg(long = "gpu", value_name = "NUMBER", help_heading = "Which")]
    gpus: Vec<String>,
    /// Only launches of this kernel; NAME=OTHER calls it otherwise. May be given several times
    #[arg(long = "kernel", value_name = "NAME", help_heading = "Which")]
    kernels: Vec<KernelChoice>,
    /// The kernels' variant, where the file does not say it: global, local or another [default: default]
    #[arg(long, value_name = "NAME", help_heading = "What the file does not say")]
    variant: Option<String>,
    /// Sizes that the file does not say, as n=1024,m=64 [default: the launch's work-items]
    #[arg(long = "param", value_name = "SIZES", value_parser = units::parameters, help_heading = "What the file does not say")]
    parameters: Option<Parameters>,
    /// Show the samples and send nothing
    #[arg(long, help_heading = "Which")]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub(super) fn import(arguments: &Arguments) -> Result<ExitCode> {
    let words = words(arguments);
    let server = arguments.server.connect()?;
    let (mut good, mut wrong, mut new) = (true, false, 0);
    let mut files = Vec::new();
    for (source, others) in sources(arguments) {
        let read = match import::read(&source, &others, &words) {
            Ok(read) => read,
            Err(error) => {
                say!("{error}");
                wrong = true;
                continue;
            }
        };
        if arguments.dry_run {
            files.push(report::as_json(&source, &read, None));
            if !arguments.json {
                table::print(&report::samples(&source, &read))?;
            }
        } else {
            let sent = send(&read, &server)?;
            files.push(report::as_json(&source, &read, Some(&sent)));
            if !arguments.json {
                table::print(&report::sent(&source, &read, &sent))?;
            }
            good &= sent.rejected.is_empty();
            new += sent.stored.len();
        }
        good &= !read.is_empty();
    }
    if arguments.json {
        table::print_json(&files)?;
    }
    if new > 0 {
        // All is stored: what follows is told where the server can be asked, and changes no exit status.
        let follow = match server.pending_jobs() {
            Ok(1) => "1 fit follows".to_owned(),
            Ok(jobs) => format!("{jobs} fits follow"),
            Err(_) => "fits follow".to_owned(),
        };
        say!(
            "{follow}; `kerncast models --wait 60s` shows the models, and the dashboard's page Quarantine what the server \
             sets aside"
        );
    }
    Ok(match wrong {
        true => Status::Usage.into(),
        false => exit(good),
    })
}

/// With a line for each batch.
fn send(import: &Import, server: &Client) -> Result<Sent> {
    let (total, mut answered) = (import.samples.len(), 0);
    let sent = import::send(import, server, |samples| {
        answered += samples;
        say!("[{answered}/{total}] samples sent");
    });
    Ok(sent?)
}

/// The files, each with those that are of the same launches.
fn sources(arguments: &Arguments) -> Vec<(Source, Vec<Source>)> {
    let mut files = arguments.files.iter().cloned().map(Source::new);
    match &arguments.times {
        None => files.map(|file| (file, Vec::new())).collect(),
        Some(times) => {
            let first = files.next();
            // Of the joined times the last one is believed.
            let others: Vec<Source> = files.chain([Source::new(times.clone())]).collect();
            first.map(|first| (first, others)).into_iter().collect()
        }
    }
}

fn words(arguments: &Arguments) -> ImportOptions {
    ImportOptions {
        agent: options::agent(),
        device: arguments.device.clone(),
        vendor: arguments.vendor.clone(),
        kind: arguments.device_kind,
        gpus: arguments.gpus.clone(),
        kernels: arguments.kernels.clone(),
        variant: arguments.variant.clone(),
        parameters: arguments.parameters.clone().unwrap_or_default(),
    }
}
