//! `kerncast completions`.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::table;

/// Print a script that completes commands and options in a shell
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast completions bash \\
      > ~/.local/share/bash-completion/completions/kerncast
  kerncast completions zsh > ~/.zfunc/_kerncast
  kerncast completions fish > ~/.config/fish/completions/kerncast.fish")]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn completions(arguments: &Arguments) -> Result<ExitCode> {
    let mut script = Vec::new();
    let mut command = super::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "kerncast", &mut script);
    table::print(String::from_utf8(script)?.trim_end())?;
    Ok(ExitCode::SUCCESS)
}
