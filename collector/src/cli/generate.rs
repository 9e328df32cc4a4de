//! `kerncast generate`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_collector::generated::{self, COUNT, SEED};
use kerncast_suite::MOST_GENERATED;
use serde_json::json;

use super::{exit, table, terminal};

/// Write kernels made by a seed, from which models learn what the suite does not show
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast generate --n 500 --seed 1 --out generated
      500 folders of OpenCL C and a launch file
  kerncast run --kernels generated --no-upload
      measure them; see also kerncast run --generated

The same version and seed give the same files on every machine:
docs/generated.md.")]
pub(super) struct Arguments {
    /// How many
    #[arg(long, value_name = "N", default_value_t = COUNT, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_GENERATED)))]
    n: u32,
    /// Which: of another seed all are others
    #[arg(long, value_name = "NUMBER", default_value_t = SEED)]
    seed: u32,
    /// Folder to write them to
    #[arg(long, value_name = "DIR", default_value = "generated")]
    out: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    generated::write(&arguments.out, arguments.seed, arguments.n)?;
    let folder = arguments.out.display();
    terminal::say(&format!("{} kernels in {folder}", arguments.n));
    if arguments.json {
        let written =
            json!({ "kernels": arguments.n, "seed": arguments.seed, "out": arguments.out });
        table::print_json(&written)?;
    }
    Ok(exit(true))
}
