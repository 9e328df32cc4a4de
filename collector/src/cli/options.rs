//! Options that several commands share.

use std::{
    env,
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
use kerncast_wire::Agent;

#[derive(Args)]
#[command(next_help_heading = "Server")]
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
    /// Keep the results in the spool; kerncast upload sends them
    #[arg(long, help_heading = "Results")]
    pub(super) no_upload: bool,
    #[command(flatten)]
    pub(super) server: ServerOptions,
}

/// What `run`, `ceilings` and `microbenchmark` have in common: on what they measure, and where to it goes.
#[derive(Args)]
pub(super) struct MeasuringOptions {
    /// This machine's devices, by name, short name, part of a name, or # (kerncast devices) [default: one of each
    /// model, GPUs first]
    #[arg(long, value_name = "NAME|NUMBER", help_heading = "Measuring")]
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
