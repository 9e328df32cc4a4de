//! `kerncast run`.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    UsageError, agent::NightlyRun, delivery, measure, providers, run, workload,
};
use kerncast_suite::{MOST_GENERATED, Parameters};

use super::{exit, measuring::MeasuringOptions, options, parse, status::Status};

mod report;

/// Measure kernels on this machine's devices, and upload the samples
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast run
      every kernel, on one device of each type
  kerncast run --device h200 --kernel matmul_float
      one kernel, on the device of that name
  kerncast run --kernels ~/my_kernel --size n=4096
      your own kernel, at one size
  kerncast run --budget 10m --json > run.json
      in cron
  kerncast run --generated
      generated kernels alone, for a new device's models
  kerncast run --kernels kernels --generated --budget 30m
      in cron: the suite, and other generated ones every night

Kernels are folders with a launch file: docs/kernels.md.")]
pub(super) struct Arguments {
    /// Folders of kernels [default: KERNCAST_KERNELS, else ./kernels]
    #[arg(long, value_name = "DIR", help_heading = "Kernels")]
    kernels: Vec<PathBuf>,
    /// Measure N generated kernels (without N: 500) instead of the suite; with --kernels, after the smallest sizes of
    /// these. With --budget each day starts with another one, so that a few nights cover all
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "500",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_GENERATED)), help_heading = "Kernels")]
    generated: Option<u32>,
    /// Only these kernels
    #[arg(long, value_name = "NAME", help_heading = "Kernels")]
    kernel: Vec<String>,
    /// Only these variants
    #[arg(long, value_name = "NAME", help_heading = "Kernels")]
    variant: Vec<String>,
    /// Sizes instead of the launch file's, as n=64 or n=64,m=2
    #[arg(long, value_name = "SIZES", value_parser = parse::parameters, help_heading = "Kernels")]
    size: Vec<Parameters>,
    /// Only the first N sizes of each launch file
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "size",
        help_heading = "Kernels"
    )]
    first_sizes: Option<usize>,
    /// Providers of counters: launch, oclgrind, analysis, ncu, rocprofv3 [default: all that are available]
    #[arg(long, value_name = "NAME", value_parser = providers::NAMES, help_heading = "Measuring")]
    provider: Vec<String>,
    /// Stop after about this long; small sizes of all kernels come first [default: no limit]
    #[arg(long, value_name = "DURATION", value_parser = parse::duration, help_heading = "Measuring")]
    pub(super) budget: Option<Duration>,
    /// Kill a workload's process after this long
    #[arg(long, value_name = "DURATION", value_parser = parse::duration, default_value = "60s", help_heading = "Measuring")]
    workload_limit: Duration,
    /// Repeat a workload until its median has settled, for at most this long
    #[arg(long, value_name = "DURATION", value_parser = parse::duration, default_value = "500ms", help_heading = "Measuring")]
    timing: Duration,
    /// Count a workload's instructions for at most this long; beyond that, estimate from its first and last work-groups
    #[arg(long, value_name = "DURATION", value_parser = parse::duration, default_value = "5s", help_heading = "Measuring")]
    count_limit: Duration,
    /// Do not measure the device's highest rates (kerncast ceilings)
    #[arg(long, help_heading = "Measuring")]
    no_ceilings: bool,
    /// Do not measure loads from local memory (kerncast microbenchmark) where the server has none of the device
    #[arg(long, help_heading = "Measuring")]
    no_microbenchmark: bool,
    #[command(flatten)]
    pub(super) measuring: MeasuringOptions,
}

impl Arguments {
    fn request(&self) -> run::Request {
        run::Request {
            folders: self.kernels.clone(),
            generated: self.generated,
            filter: workload::Filter {
                kernels: self.kernel.clone(),
                variants: self.variant.clone(),
                sizes: self.size.clone(),
                first_sizes: self.first_sizes,
            },
            devices: self.measuring.device.clone(),
            providers: self.provider.clone(),
            budget: self.budget,
            settings: measure::Settings {
                agent: options::agent(),
                timing: self.timing,
                workload_limit: self.workload_limit,
                count_limit: self.count_limit,
            },
            with_ceilings: !self.no_ceilings,
            with_local_memory: !self.no_microbenchmark,
            spool: options::spool_folder(),
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let destination = arguments.measuring.destination();
    measure_and_upload(arguments, &destination, None).map(exit)
}

/// Measures what is asked for, or the part of it that is due in the agent's nightly run, and uploads it. Returns whether all
/// went well.
pub(super) fn measure_and_upload(
    arguments: &Arguments,
    destination: &delivery::Destination,
    mut nightly_run: Option<&mut NightlyRun>,
) -> Result<bool> {
    let request = arguments.request();
    let is_agent = nightly_run.is_some();
    let run = options::children()
        .and_then(|it| run::measure(&request, destination, &it, nightly_run.as_deref_mut()))
        .inspect_err(|error| {
            if !is_mistake(error, is_agent) {
                run::report_failure(&request, destination, error);
            }
        })?;
    let uploaded = run::deliver(&run, &request, destination, nightly_run.as_deref());
    let delivered = uploaded.as_ref().ok().and_then(Option::as_ref);
    report::print(&run, delivered, arguments.measuring.json)?;
    let mut outcomes = run.results.iter().map(|it| &it.outcome);
    let has_failed = outcomes.any(|it| matches!(it, measure::Outcome::Failed(_)));
    Ok(uploaded?.as_ref().is_none_or(delivery::is_complete)
        && !has_failed
        && run.problems.is_empty())
}

/// Whether an error is only the caller's mistake and says nothing about this machine. People read the message
/// themselves. The agent's command was right once: a missing device has lost its driver, and a wrong launch file was
/// damaged.
fn is_mistake(error: &anyhow::Error, is_agent: bool) -> bool {
    if is_agent {
        error.is::<UsageError>()
    } else {
        Status::of_error(error) == Status::Usage
    }
}
