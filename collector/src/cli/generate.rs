//! `kerncast generate`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result};
use clap::Args;
use kerncast_suite::{MOST_GENERATED, generate};

use super::{exit, terminal};

/// Write kernels made by a seed, from which models learn what the suite does not show
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast generate --n 500 --seed 1 --out generated     500 folders of OpenCL C and a launch file
  kerncast run --kernels generated --no-upload           measure them; see also kerncast run --generated

The same version and seed give the same files on every machine: docs/generated.md.")]
pub(super) struct Arguments {
    /// How many
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_GENERATED)))]
    n: u32,
    /// Which: of another seed all are others
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u32,
    /// Folder to write them to
    #[arg(long, value_name = "DIR", default_value = "generated")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    write(&arguments.out, arguments.seed, arguments.n)?;
    let folder = arguments.out.display();
    terminal::say(&format!("{} kernels in {folder}", arguments.n));
    Ok(exit(true))
}

/// Writes the first `count` kernels of a seed into `folder`, each in a folder of its own.
fn write(folder: &Path, seed: u32, count: u32) -> Result<()> {
    for kernel in generate(seed, count) {
        let path = folder.join(&kernel.name);
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        for (name, text) in &kernel.files {
            let path = path.join(name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}
