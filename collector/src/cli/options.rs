//! Options that several commands share.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Result, anyhow};
use clap::Args;
use kerncast_collector::{
    UsageError, agent,
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
    /// File with the token [default: /var/lib/kerncast/token for root, else
    /// ~/.local/share/kerncast/token]; KERNCAST_TOKEN may hold the token itself
    #[arg(
        long,
        value_name = "FILE",
        env = "KERNCAST_TOKEN_FILE",
        hide_env_values = true
    )]
    token_file: Option<PathBuf>,
    #[command(flatten)]
    authority: AuthorityOptions,
}

#[derive(Args)]
pub(super) struct AuthorityOptions {
    /// File with the certificate (PEM) of the server, or of the authority that signed it, in place of the authorities
    /// of the web
    #[arg(
        long,
        value_name = "FILE",
        env = "KERNCAST_CERTIFICATE",
        hide_env_values = true
    )]
    certificate: Option<PathBuf>,
}

impl AuthorityOptions {
    /// The certificate's file, where there is one.
    pub(super) fn file(&self) -> Option<&Path> {
        let named = self.certificate.as_deref();
        named.or(config::get().certificate.as_deref())
    }

    pub(super) fn authority(&self) -> Result<Authority> {
        Ok(match self.file() {
            None => Authority::Web,
            Some(file) => Authority::read(file)?,
        })
    }
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
        let token = env::var("KERNCAST_TOKEN").ok();
        let file = self.token_file.as_deref();
        // The file's token file stands behind the environment's token.
        let by_default = config::get()
            .token_file
            .as_deref()
            .filter(|_| token.is_none());
        let token = Token::find(file.or(by_default), token)?;
        Ok(Client::new(url, token, &self.authority.authority()?))
    }
}

#[derive(Args)]
pub(super) struct AgentOptions {
    /// This agent's name [default: the host's name]
    #[arg(
        long,
        value_name = "NAME",
        env = "KERNCAST_AGENT",
        hide_env_values = true
    )]
    agent: Option<String>,
}

impl AgentOptions {
    /// Whether the command line or the environment names it.
    pub(super) fn is_named(&self) -> bool {
        self.agent.is_some()
    }

    pub(super) fn agent(&self) -> Agent {
        Agent {
            name: self
                .agent
                .as_ref()
                .or(config::get().agent.as_ref())
                .cloned()
                .unwrap_or_else(agent::host),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

#[derive(Args)]
pub(super) struct SpoolOptions {
    /// Folder where samples wait until the server has them [default: /var/spool/kerncast for root,
    /// else ~/.local/share/kerncast/spool]
    #[arg(
        long,
        value_name = "DIR",
        env = "KERNCAST_SPOOL",
        hide_env_values = true
    )]
    spool: Option<PathBuf>,
}

impl SpoolOptions {
    fn folder(&self) -> PathBuf {
        let named = self.spool.as_ref().or(config::get().spool.as_ref());
        named.cloned().unwrap_or_else(folders::spool)
    }

    pub(super) fn open(&self) -> Result<Spool> {
        Ok(Spool::open(&self.folder())?)
    }

    /// Before anything is measured.
    pub(super) fn open_to_write(&self) -> Result<Spool> {
        Ok(Spool::open_to_write(&self.folder())?)
    }
}

/// Where to what was measured goes.
#[derive(Args)]
pub(super) struct KeepingOptions {
    /// Keep what was measured in the spool; kerncast upload sends it
    #[arg(long)]
    pub(super) no_upload: bool,
    #[command(flatten)]
    pub(super) agent: AgentOptions,
    #[command(flatten)]
    pub(super) server: ServerOptions,
    #[command(flatten)]
    pub(super) spool: SpoolOptions,
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
