//! `kerncast enroll`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    client::{Client, NewTokenFile, Token},
    config, folders,
};
use kerncast_wire::MadeToken;
use serde_json::json;

use super::{
    options::{AgentOptions, AuthorityOptions, checked_address},
    table,
};

/// Exchange a code from the server's admin for this machine's token, and keep that
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast enroll https://lab-server:7310 7K3QM-XN0VD-4T9RB-HWC2E
  kerncast enroll https://lab-server:7310 7K3QM-XN0VD-4T9RB-HWC2E --token-file /etc/kerncast/token

The code comes from the dashboard's page Access, or from
  kerncast-server token enrol-code --agent NAME")]
pub(super) struct Arguments {
    /// The server's address
    #[arg(value_name = "URL")]
    url: String,
    /// The code; it is good once
    #[arg(value_name = "CODE")]
    code: String,
    /// File to keep the token in [default: /var/lib/kerncast/token for root, else
    /// ~/.local/share/kerncast/token]
    #[arg(
        long,
        value_name = "FILE",
        env = "KERNCAST_TOKEN_FILE",
        hide_env_values = true
    )]
    token_file: Option<PathBuf>,
    /// Replace a token that is in the file
    #[arg(long)]
    replace: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    agent: AgentOptions,
    #[command(flatten)]
    authority: AuthorityOptions,
}

pub(super) fn enroll(arguments: &Arguments) -> Result<ExitCode> {
    let url = checked_address(&arguments.url)?;
    let named = arguments.token_file.as_ref();
    let named = named.or(config::get().token_file.as_ref());
    let path = named.cloned().unwrap_or_else(folders::token);
    // First of all: a code is good once, and its token must not be lost for want of a place.
    let file = NewTokenFile::begin(&path, arguments.replace)?;
    let server = Client::new(url, Token::none(), &arguments.authority.authority()?);
    let MadeToken { token, summary } = server.enrol(&arguments.code)?;
    let path = file.finish(&token)?;
    let agent = summary.agent.unwrap_or_default();
    eprintln!("the token of agent {agent} is in {}", path.display());
    if !summary.devices.is_empty() {
        eprintln!("it is for {} only", summary.devices.join(", "));
    }
    let here = arguments.agent.agent().name;
    if here != agent {
        eprintln!(
            "warning: this machine calls itself {here}: set KERNCAST_AGENT={agent}, or the server refuses its samples"
        );
    }
    eprintln!("`kerncast run --server {}` uploads with it", server.url());
    if arguments.json {
        table::print_json(&json!({
            "server": server.url(), "agent": agent, "devices": summary.devices, "token_file": path,
        }))?;
    }
    Ok(ExitCode::SUCCESS)
}
