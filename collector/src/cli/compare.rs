//! `kerncast compare`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    comparison::compare as compare_versions, device_choice::target::find_target,
};
use kerncast_suite::Parameters;

use super::{exit, options, parse, table, units, wrap::wrapped};

mod answer;

/// Forecast what a change of a kernel brings on a device, and on which lines
///
/// Nothing is run. Counters come from both sources, or from the server's samples of exactly these sources. One model
/// forecasts both times. The verdict says how often such verdicts were right.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast compare my_kernel my_kernel_tiled --on h200
      two folders with launch files: the variants that both have
  kerncast compare matmul_float:global matmul_float:local --on h200
      two variants of a kernel of the suite
  kerncast compare my_kernel my_kernel_tiled --on h200 --size n=4096 --json")]
pub(super) struct Arguments {
    /// Before the change: a kernel's folder or a kernel of the suite; add :NAME for one of its variants
    #[arg(value_name = "OLD")]
    old: String,
    /// After the change, in the same form
    #[arg(value_name = "NEW")]
    new: String,
    /// The device to forecast: one that the server knows, by name, short name or id (kerncast devices), or an NVIDIA
    /// GPU by its data sheet
    #[arg(long, value_name = "DEVICE")]
    on: String,
    /// Sizes, as n=64 or n=64,m=2 [default: the largest of OLD's launch file for such a device]
    #[arg(long, value_name = "SIZES", value_parser = parse::parameters)]
    size: Vec<Parameters>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: options::ServerOptions,
}

pub(super) fn compare(arguments: &Arguments) -> Result<ExitCode> {
    let server = arguments.server.connect()?;
    let target = find_target(&server.overview()?, &arguments.on)?;
    let (old, new, sizes) = (&arguments.old, &arguments.new, &arguments.size);
    let comparisons = compare_versions(old, new, sizes, &server, &target, &options::children()?)?;
    table::print_as(arguments.json, &comparisons, || {
        wrapped(&units::joined(
            comparisons.iter().map(answer::in_words),
            "\n\n",
        ))
    })?;
    let mut speedups = comparisons.iter().map(|it| it.speedup.speedup);
    Ok(exit(speedups.all(|it| it.is_some())))
}
