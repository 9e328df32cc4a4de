//! `kerncast upload`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    server::{Server, Uploaded, upload as send},
    spool::{Spool, SpoolError},
};

use super::{
    FAILED,
    options::{ServerOptions, SpoolOptions},
};

/// Send the spool's samples and ceilings to the server
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

/// Uploads, unless nobody wants it: then it says what is where.
pub(super) fn deliver_if_wanted(
    options: &ServerOptions,
    no_upload: bool,
    spool: &Spool,
) -> Result<Option<Uploaded>> {
    let server = options.connect()?;
    if no_upload || (options.server.is_none() && !server.answers()) {
        let (samples, ceilings) = (spool.files()?.len(), spool.ceilings()?.len());
        if samples + ceilings > 0 {
            eprintln!(
                "{} are in {}; `kerncast upload --server URL` sends them",
                files(samples, ceilings),
                spool.folder().display()
            );
        }
        return Ok(None);
    }
    deliver(spool, &server).map(Some)
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
        ceilings,
        rejected,
        unreadable,
    } = &uploaded;
    let again = if *repeated > 0 {
        format!(", had {repeated} already")
    } else {
        String::new()
    };
    let ceilings = match ceilings {
        0 => String::new(),
        n => format!("; it has {n} files of ceilings"),
    };
    eprintln!(
        "{} stored {stored} new samples{again}{ceilings}",
        server.url()
    );
    for path in rejected {
        let problems = path.with_extension("problems.json");
        eprintln!(
            "rejected: {}; {} says why",
            path.display(),
            problems.display()
        );
    }
    for (path, problem) in unreadable {
        eprintln!("left alone: {} can't be read ({problem})", path.display());
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
    let count = |files: Result<Vec<PathBuf>, SpoolError>| files.map_or(0, |files| files.len());
    format!(
        "{} stay in {}; `kerncast upload` sends them",
        files(count(spool.files()), count(spool.ceilings())),
        spool.folder().display()
    )
}

fn files(samples: usize, ceilings: usize) -> String {
    match ceilings {
        0 => format!("{samples} samples"),
        n => format!("{samples} samples and {n} files of ceilings"),
    }
}
