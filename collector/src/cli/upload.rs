//! `kerncast upload`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    client::{Client, Uploaded, upload as send},
    spool::{Spool, SpoolError},
};
use kerncast_suite::{self as suite, Kernel};
use kerncast_wire::KernelSource;
use serde_json::json;

use super::{
    agent_report, exit,
    options::{self, KeepingOptions, ServerOptions},
    table, terminal,
};

/// Send the spool's samples, ceilings and sources to the server
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast upload
  kerncast upload --kernels kernels     their sources, too
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
    server: ServerOptions,
}

pub(super) fn upload(arguments: &Arguments) -> Result<ExitCode> {
    let (spool, server) = (options::spool()?, arguments.server.connect()?);
    for folder in &arguments.kernels {
        keep_sources(&suite::load(folder)?, &spool)?;
    }
    let uploaded = deliver(&spool, &server)?;
    agent_report::send(&server, Some(&spool), options::agent(), None);
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
    Ok(exit(is_good(&uploaded)))
}

/// Keeps the kernels' sources in the spool, so that the server can show what was measured.
pub(super) fn keep_sources(kernels: &[Kernel], spool: &Spool) -> Result<()> {
    for kernel in kernels {
        let Some(files) = kernel.files.clone() else {
            let name = &kernel.name;
            say!("warning: {name}: the server can't show its source: a file is no UTF-8");
            continue;
        };
        spool.put_source(&kernel.source_hash, &KernelSource { files })?;
    }
    Ok(())
}

/// Whether what is measured is to be uploaded: somebody has named a server, or there is one where one is looked for.
pub(super) fn is_wanted(keep: &KeepingOptions) -> Result<bool> {
    if keep.no_upload {
        return Ok(false);
    }
    let server = keep.server.connect()?;
    Ok(keep.server.named().is_some() || server.answers())
}

/// Says that the server will refuse what is about to be measured, which may take hours, where it will: the token is
/// missing or wrong. That keeps nothing from being measured, since the spool keeps it.
pub(super) fn say_if_refused(keep: &KeepingOptions) {
    if keep.no_upload {
        return;
    }
    let (why, with) = match keep.server.connect() {
        Err(why) => (Some(why.to_string()), ""),
        Ok(server) => {
            let refused = server.refuses(&options::agent().name);
            (refused, " with another token")
        }
    };
    if let Some(why) = why {
        terminal::say(&format!(
            "warning: {why}; what is measured now stays in the spool, and `kerncast upload` sends it{with}; \
             --no-upload sends nothing"
        ));
    }
}

/// Uploads, unless nobody wants it: then it says what is where. A server that was there when the measuring began, as
/// `was_wanted` says, and is no more, is an error.
pub(super) fn deliver_if_wanted(
    keep: &KeepingOptions,
    spool: &Spool,
    was_wanted: bool,
) -> Result<Option<Uploaded>> {
    if !was_wanted && !is_wanted(keep)? {
        if !spool.measured()?.is_empty() {
            say!(
                "{} are in {}; `kerncast upload --server URL` sends them",
                files(spool),
                spool.folder().display()
            );
        }
        return Ok(None);
    }
    deliver(spool, &keep.server.connect()?).map(Some)
}

/// Uploads and says what became of the samples.
pub(super) fn deliver(spool: &Spool, server: &Client) -> Result<Uploaded> {
    let uploaded = send(spool, server).inspect_err(|_| say!("{}", kept(spool)))?;
    if uploaded == Uploaded::default() {
        say!("the spool {} is empty", spool.folder().display());
        return Ok(uploaded);
    }
    let (stored, repeated) = (uploaded.stored, uploaded.repeated);
    let again = if repeated > 0 {
        format!(", had {repeated} already")
    } else {
        String::new()
    };
    let besides = [
        (uploaded.ceilings, "files of ceilings"),
        (uploaded.sources, "sources of kernels"),
    ];
    let besides = besides.iter().filter(|(count, _)| *count > 0);
    let besides: Vec<String> = besides
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let besides = match &besides[..] {
        [] => String::new(),
        some => format!("; it has {} now", some.join(", ")),
    };
    say!(
        "{} stored {stored} new samples{again}{besides}",
        server.url()
    );
    for path in &uploaded.rejected {
        let problems = path.with_extension("problems.json");
        say!(
            "rejected: {}; {} says why",
            path.display(),
            problems.display()
        );
    }
    for (path, problem) in &uploaded.unreadable {
        say!("left alone: {} can't be read ({problem})", path.display());
    }
    Ok(uploaded)
}

/// Whether nothing is left that a person must look at.
pub(super) fn is_good(uploaded: &Uploaded) -> bool {
    uploaded.rejected.is_empty() && uploaded.unreadable.is_empty()
}

fn kept(spool: &Spool) -> String {
    format!(
        "{} stay in {}; `kerncast upload` sends them",
        files(spool),
        spool.folder().display()
    )
}

/// What is in it, in words.
fn files(spool: &Spool) -> String {
    let count = |files: Result<Vec<PathBuf>, SpoolError>| files.map_or(0, |files| files.len());
    let counts = [
        (count(spool.files()), "samples"),
        (count(spool.ceilings()), "files of ceilings"),
    ];
    let some = counts
        .iter()
        .filter(|(count, what)| *count > 0 || *what == "samples");
    let some: Vec<String> = some
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    some.join(" and ")
}
