//! `kerncast upload`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    server::{Server, Uploaded, upload as send},
    spool::Spool,
};

use super::{
    FAILED,
    options::{ServerOptions, SpoolOptions},
};

/// Send the spool's samples to the server
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast upload
  kerncast upload --server http://lab-server:7310 --token-file /etc/kerncast/token")]
pub(super) struct Arguments {
    #[command(flatten)]
    server: ServerOptions,
    #[command(flatten)]
    spool: SpoolOptions,
}

pub(super) fn upload(arguments: &Arguments) -> Result<ExitCode> {
    let (spool, server) = (arguments.spool.open()?, arguments.server.connect()?);
    let uploaded = deliver(&spool, &server)?;
    Ok(exit_code(&uploaded))
}

/// Uploads and says what became of the samples.
pub(super) fn deliver(spool: &Spool, server: &Server) -> Result<Uploaded> {
    let uploaded = send(spool, server).inspect_err(|_| eprintln!("{}", kept(spool)))?;
    if uploaded == Uploaded::default() {
        eprintln!("the spool {} is empty", spool.folder().display());
        return Ok(uploaded);
    }
    let Uploaded {
        stored,
        repeated,
        rejected,
        unreadable,
    } = &uploaded;
    let again = if *repeated > 0 {
        format!(", had {repeated} already")
    } else {
        String::new()
    };
    eprintln!("{} stored {stored} new samples{again}", server.url());
    for path in rejected {
        let problems = path.with_extension("problems.json");
        eprintln!(
            "rejected: {}; {} says why",
            path.display(),
            problems.display()
        );
    }
    for (path, problem) in unreadable {
        eprintln!("left alone: {} holds no sample ({problem})", path.display());
    }
    Ok(uploaded)
}

pub(super) fn exit_code(uploaded: &Uploaded) -> ExitCode {
    if uploaded.rejected.is_empty() && uploaded.unreadable.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    }
}

fn kept(spool: &Spool) -> String {
    let samples = spool.files().map_or(0, |files| files.len());
    format!(
        "{samples} samples stay in {}; `kerncast upload` sends them",
        spool.folder().display()
    )
}
