//! `kerncast upload`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{agent::send_report, delivery, spool::Spool};
use kerncast_suite::load;
use serde_json::json;

use super::{exit, options, table};

/// Send the spool's samples, ceilings and sources to the server
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast upload
  kerncast upload --kernels kernels     with the sources of these kernels
  kerncast upload --server http://lab-server:7310")]
pub(super) struct Arguments {
    /// Also send the sources of the kernels in these folders, for samples that other machines measured; `kerncast run`
    /// sends its own
    #[arg(long, value_name = "DIR")]
    kernels: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: options::ServerOptions,
}

pub(super) fn upload(arguments: &Arguments) -> Result<ExitCode> {
    let spool = Spool::open(&options::spool_folder())?;
    let server = arguments.server.connect()?;
    for folder in &arguments.kernels {
        delivery::keep_sources(&load(folder)?, &spool)?;
    }
    let uploaded = delivery::deliver(&spool, &server)?;
    send_report(&server, Some(&spool), options::agent(), None);
    if arguments.json {
        let unreadable = uploaded.unreadable.iter();
        let unreadable =
            unreadable.map(|(path, why)| json!({ "file": path, "problem": why.to_string() }));
        table::print_json(&json!({
            "stored": uploaded.stored, "repeated": uploaded.repeated, "ceilings": uploaded.ceilings,
            "sources": uploaded.sources, "rejected": uploaded.rejected,
            "unreadable": unreadable.collect::<Vec<_>>(),
        }))?;
    }
    Ok(exit(delivery::is_complete(&uploaded)))
}
