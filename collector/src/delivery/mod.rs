//! The way of measurements from the spool to the server: whether they are uploaded, and messages about the outcome.

use std::path::PathBuf;

use anyhow::Result;
use kerncast_suite::Kernel;
use kerncast_wire::KernelSource;

use crate::{
    client::{Client, ConnectError, Uploaded, upload},
    spool::{Spool, SpoolError},
    units::joined,
};

mod analyses;

pub use analyses::send_missing_analyses;

/// The server that measurements go to, if any.
pub struct Destination {
    /// None where nothing is to be uploaded.
    server: Result<Option<Client>, ConnectError>,
    /// Whether somebody named the server, which is then expected to be there.
    is_named: bool,
    /// Whether the server answered when this was made.
    was_there: bool,
}

impl Destination {
    /// A destination; `server`: none where nothing is to be uploaded. A server that nobody named gets uploads only if
    /// it answers.
    pub fn new(server: Result<Option<Client>, ConnectError>, is_named: bool) -> Self {
        let mut destination = Self {
            server,
            is_named,
            was_there: false,
        };
        destination.was_there = matches!(destination.server_that_is_there(), Ok(Some(_)));
        destination
    }

    /// The server; none where nothing is to be uploaded.
    pub fn server(&self) -> Result<Option<&Client>, ConnectError> {
        let server = self.server.as_ref().map(Option::as_ref);
        server.map_err(ConnectError::clone)
    }

    fn server_that_is_there(&self) -> Result<Option<&Client>, ConnectError> {
        let server = self.server()?;
        Ok(server.filter(|it| self.is_named || it.answers()))
    }

    /// Warns before hours of measuring if the server will refuse the uploads because of the token. Measuring goes on,
    /// and the spool keeps the results.
    pub fn warn_if_refused(&self, agent: &str) {
        let (why, with) = match &self.server {
            Ok(None) => return,
            Err(error) => (Some(error.to_string()), ""),
            Ok(Some(server)) => (server.refusal_for(agent), " with another token"),
        };
        if let Some(why) = why {
            say!(
                "warning: {why}; what is measured now stays in the spool, and `kerncast upload` sends it{with}; \
                 --no-upload sends nothing"
            );
        }
    }

    /// Uploads the spool if the server was there when measuring began or is there now. Otherwise prints where the files
    /// are.
    ///
    /// # Errors
    /// There is no connection, or the upload fails: the files stay in the spool.
    pub fn deliver(&self, spool: &Spool) -> Result<Option<Uploaded>> {
        match self.server()? {
            Some(server) if self.was_there => deliver(spool, server).map(Some),
            _ => self.deliver_if_there(spool),
        }
    }

    /// Uploads the spool if the server is there now; otherwise prints where the files are.
    pub fn deliver_if_there(&self, spool: &Spool) -> Result<Option<Uploaded>> {
        if let Some(server) = self.server_that_is_there()? {
            return deliver(spool, server).map(Some);
        }
        if !spool.samples_and_ceilings()?.is_empty() {
            let (files, folder) = (count_files(spool), spool.folder().display());
            say!("{files} are in {folder}; `kerncast upload --server URL` sends them");
        }
        Ok(None)
    }
}

/// Uploads the spool and prints the outcome.
///
/// # Errors
/// The server or the disk fails: the files stay in the spool.
pub fn deliver(spool: &Spool, server: &Client) -> Result<Uploaded> {
    let folder = spool.folder().display();
    let uploaded = upload(spool, server).inspect_err(|_| {
        let files = count_files(spool);
        say!("{files} stay in {folder}; `kerncast upload` sends them");
    })?;
    if uploaded == Uploaded::default() {
        say!("the spool {folder} is empty");
        return Ok(uploaded);
    }
    let (stored, repeated) = (uploaded.stored, uploaded.repeated);
    let again = match repeated {
        0 => String::new(),
        _ => format!(", had {repeated} already"),
    };
    let others = [
        (uploaded.ceilings, "files of ceilings"),
        (uploaded.sources, "sources of kernels"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others = joined(others.map(|(count, what)| format!("{count} {what}")), ", ");
    let others = match &*others {
        "" => String::new(),
        others => format!("; it has {others} now"),
    };
    let url = server.url();
    say!("{url} stored {stored} new samples{again}{others}");
    for path in &uploaded.rejected {
        let problems = path.with_extension("problems.json");
        let (path, problems) = (path.display(), problems.display());
        say!("rejected: {path}; {problems} says why");
    }
    for (path, problem) in &uploaded.unreadable {
        say!("skipped: {} can't be read ({problem})", path.display());
    }
    Ok(uploaded)
}

/// Whether the server accepted every file.
pub fn is_complete(uploaded: &Uploaded) -> bool {
    uploaded.rejected.is_empty() && uploaded.unreadable.is_empty()
}

/// Stores the kernels' sources in the spool, so that the server can show them.
pub fn keep_sources(kernels: &[Kernel], spool: &Spool) -> Result<(), SpoolError> {
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

/// The numbers of samples and of files of ceilings in the spool, in words.
fn count_files(spool: &Spool) -> String {
    let count = |files: Result<Vec<PathBuf>, SpoolError>| files.map_or(0, |files| files.len());
    let samples = format!("{} samples", count(spool.samples()));
    match count(spool.ceilings()) {
        0 => samples,
        ceilings => format!("{samples} and {ceilings} files of ceilings"),
    }
}
