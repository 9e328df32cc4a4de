//! `kerncast forecast`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    device_choice::target, forecast, kernels::refuse_source, progress::say_step,
};
use kerncast_suite::Parameters;
use kerncast_wire::Outcome;

use super::{exit, options, parse, table, units, wrap::wrapped};

mod answer;
mod devices;

pub(super) use answer::uncounted_lines;

/// Forecast how long a kernel takes on a device, from its source
///
/// It counts here what can be counted without that device: the launch's geometry, what the source tells, and
/// instructions if Oclgrind is installed. Hardware counters come from the server, if it has a sample of exactly this
/// workload on the device. Nothing is measured and nothing is stored.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast forecast docs/examples/moving_average --on h200
      a folder with a launch file (docs/kernels.md)
  kerncast forecast matmul_float --on h200 --size n=1024
  kerncast forecast matmul_float --on 'RTX 4090'
      a GPU that nobody here has measured, by its data sheet
  kerncast forecast matmul_float --on all
      all of them, the fastest first
  kerncast forecast my_kernel --on h200 --json

Trust is one word with its reason: high, fair, low or none.")]
pub(super) struct Arguments {
    /// A kernel's folder, or a kernel of the suite
    #[arg(required = true, value_name = "DIR|KERNEL")]
    kernels: Vec<String>,
    /// The device to forecast: one that the server knows, by name, short name or id (kerncast devices); an NVIDIA GPU
    /// by its data sheet, as "RTX 4090"; or "all" for all of these GPUs
    #[arg(long, value_name = "DEVICE")]
    on: String,
    /// Sizes, as n=64 or n=64,m=2 [default: the launch file's largest for such a device]
    #[arg(long, value_name = "SIZES", value_parser = parse::parameters, help_heading = "Kernels")]
    size: Vec<Parameters>,
    /// Only these variants
    #[arg(long, value_name = "NAME", help_heading = "Kernels")]
    variant: Vec<String>,
    /// Also print the model, counters' names, other models' answers and all parts of the time
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: options::ServerOptions,
}

pub(super) fn forecast(arguments: &Arguments) -> Result<ExitCode> {
    let names = &arguments.kernels;
    names.iter().try_for_each(|it| refuse_source(it))?;
    let server = arguments.server.connect()?;
    let overview = server.overview()?;
    let is_all = arguments.on == "all";
    let targets = if is_all {
        target::all_targets(&overview)
    } else {
        vec![target::find_target(&overview, &arguments.on)?]
    };
    let children = options::children()?;
    let request = forecast::ForecastRequest {
        kernels: names,
        variants: &arguments.variant,
        sizes: &arguments.size,
        compares_devices: is_all,
    };
    let mut forecasts = Vec::new();
    for (place, target) in targets.iter().enumerate() {
        if is_all {
            say_step(place + 1, targets.len(), &target.short_name);
        }
        match forecast::forecast_kernels(&request, &server, target, &children) {
            Err(error) if is_all => say!("{}: {error:#}", target.short_name),
            of_target => forecasts.extend(of_target?),
        }
    }
    table::print_as(arguments.json, &forecasts, || {
        if is_all {
            return devices::in_words(&forecasts);
        }
        let in_words = |it| answer::in_words(it, arguments.verbose);
        wrapped(&units::joined(forecasts.iter().map(in_words), "\n\n"))
    })?;
    let has_time =
        |it: &forecast::KernelForecast| matches!(it.prediction.outcome, Outcome::Forecast(_));
    Ok(exit(if is_all {
        forecasts.iter().any(has_time)
    } else {
        forecasts.iter().all(has_time)
    }))
}
