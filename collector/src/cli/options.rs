//! Options that several commands share.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Result, anyhow};
use clap::Args;
use kerncast_collector::{
    UsageError,
    agent::host,
    child::Children,
    client::{self, Authority, Client, Token},
    config, folders,
    spool::Spool,
};
use kerncast_suite::{Kernel, SuiteError, load_each};
use kerncast_wire::Agent;

#[derive(Args)]
pub(super) struct ServerOptions {
    /// The server's address [default: http://127.0.0.1:7310]
    #[arg(
        long,
        value_name = "URL",
        env = "KERNCAST_SERVER",
        hide_env_values = true
    )]
    server: Option<String>,
}

/// An address that can be one of a server.
pub(super) fn checked_address(url: &str) -> Result<&str> {
    if !url.starts_with("http://") && !url.starts_with("https://") {
        let problem = format!(
            "{url}: expected a server's address like {}",
            client::DEFAULT
        );
        return Err(UsageError(problem).into());
    }
    Ok(url)
}

impl ServerOptions {
    /// The server that somebody has named.
    pub(super) fn named(&self) -> Option<&str> {
        self.server.as_deref().or(config::get().server.as_deref())
    }

    pub(super) fn connect(&self) -> Result<Client> {
        let url = checked_address(self.named().unwrap_or(client::DEFAULT))?;
        let token = variable("KERNCAST_TOKEN");
        let file = variable("KERNCAST_TOKEN_FILE").map(PathBuf::from);
        // The configuration's token file stands behind the environment's token.
        let configured = config::get().token_file.clone();
        let file = file.or(configured.filter(|_| token.is_none()));
        let token = Token::find(file.as_deref(), token)?;
        Ok(Client::new(
            url,
            token,
            &authority(certificate().as_deref())?,
        ))
    }
}

/// What an environment variable says; nothing where it is empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|it| !it.is_empty())
}

/// The path that an environment variable names, else the configuration file.
fn path(name: &str, configured: Option<&PathBuf>) -> Option<PathBuf> {
    variable(name).map(PathBuf::from).or(configured.cloned())
}

/// The file of the server's certificate, or of who signed it, where there is one.
pub(super) fn certificate() -> Option<PathBuf> {
    path("KERNCAST_CERTIFICATE", config::get().certificate.as_ref())
}

/// Who vouches for the server.
pub(super) fn authority(certificate: Option<&Path>) -> Result<Authority> {
    Ok(match certificate {
        None => Authority::Web,
        Some(file) => Authority::read(file)?,
    })
}

/// Where the token is kept.
pub(super) fn token_file() -> PathBuf {
    let named = path("KERNCAST_TOKEN_FILE", config::get().token_file.as_ref());
    named.unwrap_or_else(folders::token)
}

/// The agent's name, where the environment says it.
pub(super) fn agent_named() -> Option<String> {
    variable("KERNCAST_AGENT")
}

/// This agent.
pub(super) fn agent() -> Agent {
    let name = agent_named().or(config::get().agent.clone());
    Agent {
        name: name.unwrap_or_else(host),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

fn spool_folder() -> PathBuf {
    let named = path("KERNCAST_SPOOL", config::get().spool.as_ref());
    named.unwrap_or_else(folders::spool)
}

/// Where samples wait until the server has them.
pub(super) fn spool() -> Result<Spool> {
    Ok(Spool::open(&spool_folder())?)
}

/// The same, before anything is measured.
pub(super) fn spool_to_write() -> Result<Spool> {
    Ok(Spool::open_to_write(&spool_folder())?)
}

/// Where to what was measured goes.
#[derive(Args)]
pub(super) struct KeepingOptions {
    /// Keep what was measured in the spool; kerncast upload sends it
    #[arg(long)]
    pub(super) no_upload: bool,
    #[command(flatten)]
    pub(super) server: ServerOptions,
}

/// What `run`, `ceilings` and `microbenchmark` have in common: on what they measure, and where to it goes.
#[derive(Args)]
pub(super) struct MeasuringOptions {
    /// This machine's devices, by name, short name, a part of one, or by # (kerncast devices) [default: the first
    /// of each model]
    #[arg(long, value_name = "NAME|NUMBER")]
    pub(super) device: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) keep: KeepingOptions,
}

/// What starts child processes.
pub(super) fn children() -> Result<Children> {
    Children::new().map_err(|error| {
        let folder = env::temp_dir();
        anyhow!(
            "cannot make a folder in {}: {error}. TMPDIR names another place",
            folder.display()
        )
    })
}

/// Kernels, and why others in their folders are none.
#[derive(Default)]
pub(super) struct Suite {
    pub(super) kernels: Vec<Kernel>,
    pub(super) wrong: Vec<SuiteError>,
}

/// The kernels of all [`suite_folders`]. Of those that are wrong it warns, unless all are.
pub(super) fn suite(named: &[PathBuf]) -> Result<Suite> {
    let (mut kernels, mut wrong) = (Vec::new(), Vec::new());
    for folder in suite_folders(named)? {
        for loaded in load_each(&folder)? {
            match loaded {
                Ok(kernel) => kernels.push(kernel),
                Err(why) => wrong.push(why),
            }
        }
    }
    if kernels.is_empty() && !wrong.is_empty() {
        return Err(wrong.remove(0).into());
    }
    for why in &wrong {
        eprintln!("PROBLEM  {why}; the other kernels go on");
    }
    Ok(Suite { kernels, wrong })
}

/// The folders to load kernels from: those named, else KERNCAST_KERNELS, else what the configuration file says, else
/// `./kernels`, else
/// `share/kerncast/kernels` beside the program's folder.
fn suite_folders(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    if let Some(folder) = env::var_os("KERNCAST_KERNELS") {
        return Ok(vec![folder.into()]);
    }
    if let Some(folder) = &config::get().kernels {
        return Ok(vec![folder.clone()]);
    }
    let program = env::current_exe().and_then(fs::canonicalize).ok();
    let shared = program
        .as_deref()
        .and_then(|program| Some(program.parent()?.parent()?.join("share/kerncast/kernels")));
    let places: Vec<PathBuf> = [Some(Path::new("kernels").to_owned()), shared]
        .into_iter()
        .flatten()
        .collect();
    match places.iter().find(|place| place.is_dir()) {
        Some(place) => Ok(vec![place.clone()]),
        None => {
            let places: Vec<String> = places
                .iter()
                .map(|place| place.display().to_string())
                .collect();
            Err(UsageError(format!(
                "found no kernels ({}). Name a folder of kernels by --kernels or KERNCAST_KERNELS",
                places.join(", ")
            ))
            .into())
        }
    }
}
