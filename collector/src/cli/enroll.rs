//! `kerncast enroll`.

use std::{
    io::{self, IsTerminal},
    path::{self, Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use kerncast_collector::{UsageError, client, config, folders};
use serde_json::json;

use super::{options, table};

/// Store the token that an admin made for this machine, and the server's address
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast enroll https://lab-server:7310
  kerncast enroll https://lab-server:7310 --certificate cert.pem <token

Reads the agent's token from standard input, and stores it in
KERNCAST_TOKEN_FILE [default: /var/lib/kerncast/token for root, else
~/.local/share/kerncast/token].

The token comes from the dashboard's page Access, or from
  kerncast-server token create --role agent --agent NAME")]
pub(super) struct Arguments {
    /// The server's address
    #[arg(value_name = "URL")]
    url: String,
    /// File with the certificate (PEM) of the server, or of the authority that signed it; only this one is trusted then
    /// [default: KERNCAST_CERTIFICATE, else the authorities of the web]
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Replace the token in the file
    #[arg(long)]
    replace: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Writes the enrolment's settings, which rank below those that people give. Returns the file.
fn write_settings(
    server: &str,
    agent: &str,
    token: &Path,
    certificate: Option<&Path>,
) -> Result<PathBuf> {
    let settings = config::Config {
        server: Some(server.to_owned()),
        agent: Some(agent.to_owned()),
        token_file: Some(path::absolute(token)?),
        certificate: certificate.map(path::absolute).transpose()?,
        ..config::Config::default()
    };
    let file = folders::enrolled();
    config::write(&file, &settings)?;
    Ok(file)
}

/// Reads the token from standard input: pasted, or a file. On the command line everybody could read it.
fn read_token() -> Result<String> {
    if io::stdin().is_terminal() {
        say!("paste the agent's token (kerncast-server token create --role agent --agent NAME):");
    }
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    let token = line.trim();
    if token.is_empty() {
        let expected = "expected the agent's token on standard input";
        return Err(UsageError(expected.to_owned()).into());
    }
    Ok(token.to_owned())
}

pub(super) fn enroll(arguments: &Arguments) -> Result<ExitCode> {
    let url = &arguments.url;
    client::check_address(url)?;
    let certificate = arguments.certificate.clone().or_else(options::certificate);
    let path = options::token_file();
    if !arguments.replace && path.exists() {
        bail!(
            "{} holds a token already; --replace replaces it, KERNCAST_TOKEN_FILE names another file",
            path.display()
        );
    }
    let token = read_token()?;
    let authority = client::Authority::find(certificate.as_deref())?;
    let server = client::Client::new(url, client::Token::from_input(&token), &authority);
    let Some(summary) = server.access()?.token.filter(|it| it.agent.is_some()) else {
        bail!(
            "the token is not an agent's: `kerncast-server token create --role agent --agent NAME` makes one"
        );
    };
    folders::write(&path, format!("{token}\n").as_bytes()).map_err(|error| {
        let path = path.display();
        anyhow!("cannot write {path}: {error}; KERNCAST_TOKEN_FILE names another file")
    })?;
    let agent = summary.agent.unwrap_or_default();
    say!("the token of agent {agent} is in {}", path.display());
    let settings = write_settings(server.url(), &agent, &path, certificate.as_deref())?;
    let own_name = options::agent().name;
    if own_name != agent && options::agent_variable().is_some() {
        say!(
            "warning: KERNCAST_AGENT calls this machine {own_name}: set KERNCAST_AGENT={agent}, or the server refuses its \
             samples"
        );
    }
    say!(
        "to measure every night, as root: systemctl enable --now kerncast-agent.timer, which the Debian package brings; \
         else let cron call `nice -n 10 kerncast agent run`"
    );
    let url = server.url();
    say!("`kerncast agent run --budget 1m` measures for a minute now, and uploads to {url}");
    if arguments.json {
        table::print_json(&json!({
            "server": server.url(), "agent": agent, "token_file": path,
            "settings": settings,
        }))?;
    }
    Ok(ExitCode::SUCCESS)
}
