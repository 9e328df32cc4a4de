//! `kerncast`: the agent and command line.

#[macro_use(say)]
extern crate kerncast_collector;

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::main()
}
