//! Options and settings that several commands share, as values.

use std::{env, path::PathBuf};

use anyhow::{Result, anyhow};
use clap::Args;
use kerncast_collector::{agent::host, child::Children, client, config, folders};
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

impl ServerOptions {
    /// The address, where somebody has named a server.
    pub(super) fn address(&self) -> Option<&str> {
        self.server.as_deref().or(config::get().server.as_deref())
    }

    /// The server, with the token that the environment or the configuration gives.
    pub(super) fn connect(&self) -> Result<client::Client, client::ConnectError> {
        let url = self.address().unwrap_or(client::DEFAULT);
        client::check_address(url)?;
        let token = variable("KERNCAST_TOKEN");
        let file = variable("KERNCAST_TOKEN_FILE").map(PathBuf::from);
        // The configuration's token file stands behind the environment's token.
        let configured = config::get().token_file.clone();
        let file = file.or(configured.filter(|_| token.is_none()));
        let token = client::Token::find(file.as_deref(), token)?;
        let authority = client::Authority::find(certificate().as_deref())?;
        Ok(client::Client::new(url, token, &authority))
    }
}

/// The value of an environment variable; none where it is empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|it| !it.is_empty())
}

/// The path that an environment variable names, else the configuration file.
fn path(name: &str, configured: Option<&PathBuf>) -> Option<PathBuf> {
    variable(name).map(PathBuf::from).or(configured.cloned())
}

/// The file of the server's certificate, or of the authority that signed it.
pub(super) fn certificate() -> Option<PathBuf> {
    path("KERNCAST_CERTIFICATE", config::get().certificate.as_ref())
}

/// The file that `kerncast enroll` writes the token to.
pub(super) fn token_file() -> PathBuf {
    let file = path("KERNCAST_TOKEN_FILE", config::get().token_file.as_ref());
    file.unwrap_or_else(folders::token)
}

/// The agent's name, where the environment has one.
pub(super) fn agent_variable() -> Option<String> {
    variable("KERNCAST_AGENT")
}

pub(super) fn agent() -> Agent {
    let name = agent_variable().or(config::get().agent.clone());
    Agent {
        name: name.unwrap_or_else(host),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// The folder where samples wait until the server has them.
pub(super) fn spool_folder() -> PathBuf {
    let folder = path("KERNCAST_SPOOL", config::get().spool.as_ref());
    folder.unwrap_or_else(folders::spool)
}

pub(super) fn children() -> Result<Children> {
    Children::new().map_err(|error| {
        let folder = env::temp_dir();
        let folder = folder.display();
        anyhow!("cannot make a folder in {folder}: {error}. TMPDIR names another place")
    })
}
