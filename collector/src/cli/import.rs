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

use super::{exit, options, parse, status::Status, table};

mod report;

/// Make samples from files, and send them to the server
///
/// Reads what profilers print (ncu, rocprofv3, rocprof, rocprofiler-compute, nvprof, nsys, oneprof, unitrace), tidy CSV
/// tables and Kerncast's own JSON Lines, also compressed by zstd or gzip. Importing a file twice stores its samples
/// once.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kerncast import ncu.csv --kernel mm=cuda_matmul --variant local \\
      --param n=1024
  kerncast import counter_collection.csv --times kernel_trace.csv \\
      --device gfx90a
  kerncast import kernels.csv --dry-run
  kerncast import data/*.jsonl.zst

A launch without a time makes no sample; `kerncast predict FILE` forecasts it.
docs/importing.md says what each profiler's file contains.")]
pub(super) struct Arguments {
    /// The files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File with the times of the same launches (rocprofv3's kernel_trace.csv, rocprofiler-compute's timestamps.csv,
    /// nvprof's GPU trace, nsys's cuda_gpu_trace or cuda_gpu_kern_sum); all FILEs are then counting passes over these
    /// launches
    #[arg(long, value_name = "FILE", help_heading = "What the file lacks")]
    times: Option<PathBuf>,
    /// The device's name in OpenCL, if the file lacks it
    #[arg(long, value_name = "NAME", help_heading = "What the file lacks")]
    device: Option<String>,
    /// The vendor of its OpenCL platform [default: the profiler's maker]
    #[arg(long, value_name = "NAME", help_heading = "What the file lacks")]
    vendor: Option<String>,
    /// Its kind in OpenCL: cpu, gpu or accelerator
    #[arg(long, value_name = "KIND", value_parser = parse::device_kind, default_value = "gpu", help_heading = "What the file lacks")]
    device_kind: DeviceKind,
    /// Only launches on this GPU, as the file numbers it; may be given several times
    #[arg(long = "gpu", value_name = "NUMBER", help_heading = "Selection")]
    gpus: Vec<String>,
    /// Only launches of this kernel; NAME=OTHER also renames it; may be given several times
    #[arg(long = "kernel", value_name = "NAME", help_heading = "Selection")]
    kernels: Vec<KernelChoice>,
    /// The kernels' variant, if the file lacks it: global, local or another [default: default]
    #[arg(long, value_name = "NAME", help_heading = "What the file lacks")]
    variant: Option<String>,
    /// Sizes that the file lacks, as n=1024,m=64 [default: the launch's work-items]
    #[arg(long = "param", value_name = "SIZES", value_parser = parse::parameters, help_heading = "What the file lacks")]
    parameters: Option<Parameters>,
    /// Show the samples and send nothing
    #[arg(long, help_heading = "Selection")]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: options::ServerOptions,
}

pub(super) fn import(arguments: &Arguments) -> Result<ExitCode> {
    let options = import_options(arguments);
    let server = arguments.server.connect()?;
    let (mut good, mut has_unreadable, mut new) = (true, false, 0);
    let mut files = Vec::new();
    for (source, others) in sources(arguments) {
        let import = match import::read(&source, &others, &options) {
            Ok(import) => import,
            Err(error) => {
                say!("{error}");
                has_unreadable = true;
                continue;
            }
        };
        if arguments.dry_run {
            files.push(report::as_json(&source, &import, None));
            if !arguments.json {
                table::print(&report::samples(&source, &import))?;
            }
        } else {
            let sent = send(&import, &server)?;
            files.push(report::as_json(&source, &import, Some(&sent)));
            if !arguments.json {
                table::print(&report::sent(&source, &import, &sent))?;
            }
            good &= sent.rejected.is_empty();
            new += sent.stored.len();
        }
        good &= !import.is_empty();
    }
    if arguments.json {
        table::print_json(&files)?;
    }
    if new > 0 {
        // All is stored: whether the server can say what follows changes no exit status.
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
    Ok(if has_unreadable {
        Status::Usage.into()
    } else {
        exit(good)
    })
}

/// Sends an import, and says how far it is after each batch.
fn send(import: &Import, server: &Client) -> Result<Sent> {
    let (total, mut sent_samples) = (import.samples.len(), 0);
    let sent = import::send(import, server, |samples| {
        sent_samples += samples;
        say!("[{sent_samples}/{total}] samples sent");
    });
    Ok(sent?)
}

/// The files to read, each with further files of the same launches.
fn sources(arguments: &Arguments) -> Vec<(Source, Vec<Source>)> {
    let mut files = arguments.files.iter().cloned().map(Source::new);
    match &arguments.times {
        None => files.map(|file| (file, Vec::new())).collect(),
        Some(times) => {
            let first = files.next();
            // Of several times of a launch the last file's are believed.
            let others: Vec<Source> = files.chain([Source::new(times.clone())]).collect();
            first.map(|first| (first, others)).into_iter().collect()
        }
    }
}

fn import_options(arguments: &Arguments) -> ImportOptions {
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
