use std::{collections::BTreeSet, io::Write, path::PathBuf};

use anyhow::{Context, anyhow};
use clap::Subcommand;
use kerncast_server::{
    check_offer,
    db::{self, audit::Actor},
};
use kerncast_suite::{load, to_offer};
use kerncast_wire::{KernelSource, OfferedKernel};

use super::{Place, database::on_database, told::time};

#[derive(Subcommand)]
pub(super) enum Command {
    /// Offer kernels to agents: those that fetch kernels from the server measure them in place of their installed ones.
    #[command(after_help = "\
Examples:
  kerncast-server kernels add kernels/matmul_float
  kerncast-server kernels add ~/our_kernels        every folder in it")]
    Add {
        /// Folders of kernels (docs/kernels.md), or folders of such folders.
        #[arg(required = true, value_name = "FOLDER")]
        folders: Vec<PathBuf>,
    },
    /// List what is offered.
    List,
    /// Offer kernels no more: agents measure their installed ones again.
    Withdraw {
        /// Their names.
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
}

/// Offers, lists or withdraws.
pub(super) fn run(place: &Place, command: Command) -> anyhow::Result<()> {
    // Before the database is asked: all that is named is in order, or nothing is offered.
    let new = match &command {
        Command::Add { folders } => checked(folders)?,
        Command::List | Command::Withdraw { .. } => Vec::new(),
    };
    on_database(place, async |pool| {
        let mut out = std::io::stdout();
        match command {
            Command::Add { .. } => {
                for (name, hash, source) in &new {
                    let actor = Actor::command_line();
                    let offered = db::offered::offer(&pool, name, hash, source, &actor).await?;
                    writeln!(out, "{}", line(&offered))?;
                }
            }
            Command::List => {
                for offered in db::offered::list(&pool).await? {
                    writeln!(out, "{}", line(&offered))?;
                }
            }
            Command::Withdraw { names } => {
                for name in names {
                    let actor = Actor::command_line();
                    let withdrawn = db::offered::withdraw(&pool, &name, &actor).await?;
                    let kernel = withdrawn.with_context(|| {
                        format!("no kernel {name} is offered; `kerncast-server kernels list` lists those that are")
                    })?;
                    writeln!(out, "{}", line(&kernel))?;
                }
            }
        }
        Ok(())
    })
}

/// Names, hashes and files of all kernels in these folders.
fn checked(folders: &[PathBuf]) -> anyhow::Result<Vec<(String, String, KernelSource)>> {
    let mut all = Vec::new();
    let mut names = BTreeSet::new();
    for folder in folders {
        for kernel in load(folder)? {
            let shown = kernel.folder.display().to_string();
            let files = to_offer(&kernel).with_context(|| shown.clone())?.clone();
            let source = KernelSource { files };
            let hash = check_offer(&kernel.name, &source)
                .map_err(|problem| anyhow!("{shown}: expected {}", problem.expected))?;
            if !names.insert(kernel.name.clone()) {
                return Err(anyhow!(
                    "{shown}: expected each kernel once, and {} is in another folder too",
                    kernel.name
                ));
            }
            all.push((kernel.name, hash, source));
        }
    }
    Ok(all)
}

fn line(kernel: &OfferedKernel) -> String {
    let OfferedKernel {
        name,
        source_hash,
        offered_at,
    } = kernel;
    format!("{name}\t{source_hash}\toffered {}", time(offered_at))
}
