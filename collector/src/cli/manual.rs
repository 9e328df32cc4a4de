//! `kerncast completions` and `kerncast man`.

use std::{fs, io, path::PathBuf, process::ExitCode};

use anyhow::{Result, anyhow};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use kerncast_collector::UsageError;

use super::table;

/// Print what completes commands and options in a shell
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast completions bash \\
      > ~/.local/share/bash-completion/completions/kerncast
  kerncast completions zsh > ~/.zfunc/_kerncast
  kerncast completions fish > ~/.config/fish/completions/kerncast.fish")]
pub(super) struct CompletionArguments {
    /// The shell
    shell: Shell,
}

/// Write man pages, one a command
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast man ~/.local/share/man/man1
  man kerncast-run")]
pub(super) struct ManArguments {
    /// Folder to write them to; made where it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn completions(arguments: &CompletionArguments) -> Result<ExitCode> {
    let mut script = Vec::new();
    let mut command = super::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "kerncast", &mut script);
    table::print(String::from_utf8(script)?.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn man(arguments: &ManArguments) -> Result<ExitCode> {
    let folder = &arguments.folder;
    let problem = |error: io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(|error| UsageError(problem(error)))?;
    clap_mangen::generate_to(super::Arguments::command(), folder)
        .map_err(|error| anyhow!(problem(error)))?;
    Ok(ExitCode::SUCCESS)
}
