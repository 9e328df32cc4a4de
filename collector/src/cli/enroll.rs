//! `kerncast enroll`.

use std::{
    path::{self, Path, PathBuf},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    agent::State,
    client::{Client, NewTokenFile, Token},
    config::{self, Config},
    folders,
};
use kerncast_wire::MadeToken;
use serde_json::json;

use super::{
    agent::{self, Timer},
    options::{self, checked_address},
    table,
};

/// Exchange a code from the server's admin for this machine's token, keep that, and measure every night from now on
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast enroll https://lab-server:7310 7K3QM-XN0VD-4T9RB-HWC2E
  kerncast enroll https://lab-server:7310 7K3QM-XN0VD-4T9RB-HWC2E \\
      --certificate cert.pem

The token is kept in KERNCAST_TOKEN_FILE [default: /var/lib/kerncast/token for
root, else ~/.local/share/kerncast/token].

The code comes from the dashboard's page Access, or from
  kerncast-server token enrol-code --agent NAME")]
pub(super) struct Arguments {
    /// The server's address
    #[arg(value_name = "URL")]
    url: String,
    /// The code; it is good once
    #[arg(value_name = "CODE")]
    code: String,
    /// File with the certificate (PEM) of the server, or of the authority that signed it, in place of the authorities
    /// of the web [default: KERNCAST_CERTIFICATE]
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Replace a token that is in the file
    #[arg(long)]
    replace: bool,
    /// Do not enable systemd's timer, which measures every night
    #[arg(long)]
    no_timer: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Whose this machine is from now on: settings behind those that people give. Their file.
fn remember(
    server: &str,
    agent: &str,
    token: &Path,
    certificate: Option<&Path>,
) -> Result<PathBuf> {
    let enrolled = Config {
        server: Some(server.to_owned()),
        agent: Some(agent.to_owned()),
        token_file: Some(path::absolute(token)?),
        certificate: certificate.map(path::absolute).transpose()?,
        ..Config::default()
    };
    let file = folders::enrolled();
    config::write(&file, &enrolled)?;
    State::open(&folders::state())?.enrolled_here()?;
    Ok(file)
}

pub(super) fn enroll(arguments: &Arguments) -> Result<ExitCode> {
    let url = checked_address(&arguments.url)?;
    let certificate = arguments.certificate.clone().or_else(options::certificate);
    let path = options::token_file();
    // First of all: a code is good once, and its token must not be lost for want of a place.
    let file = NewTokenFile::begin(&path, arguments.replace)?;
    let server = Client::new(
        url,
        Token::none(),
        &options::authority(certificate.as_deref())?,
    );
    let MadeToken { token, summary } = server.enrol(&arguments.code)?;
    let path = file.finish(&token)?;
    let agent = summary.agent.unwrap_or_default();
    say!("the token of agent {agent} is in {}", path.display());
    if !summary.devices.is_empty() {
        say!("it is for {} only", summary.devices.join(", "));
    }
    let enrolled = remember(server.url(), &agent, &path, certificate.as_deref())?;
    let here = options::agent().name;
    if here != agent && options::agent_named().is_some() {
        say!(
            "warning: this machine is told to call itself {here}: set KERNCAST_AGENT={agent}, or the server refuses its \
             samples"
        );
    }
    let timer = match arguments.no_timer {
        true => Timer::Not("as was asked for (--no-timer)".to_owned()),
        false => agent::enable(),
    };
    match &timer {
        Timer::Enabled(next) => say!("the timer is enabled; the next run: {next}"),
        Timer::Not(why) => say!("no timer was enabled: {why}"),
    }
    say!(
        "`kerncast agent run --budget 1m` measures for a minute now, and uploads to {}",
        server.url()
    );
    if arguments.json {
        let (next_run, no_timer) = match &timer {
            Timer::Enabled(next) => (Some(next), None),
            Timer::Not(why) => (None, Some(why)),
        };
        table::print_json(&json!({
            "server": server.url(), "agent": agent, "devices": summary.devices, "token_file": path,
            "settings": enrolled, "next_run": next_run, "no_timer": no_timer,
        }))?;
    }
    Ok(ExitCode::SUCCESS)
}
