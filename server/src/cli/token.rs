use std::{io::Write, path::Path};

use anyhow::{Context, bail};
use chrono::{DateTime, Utc};
use clap::Subcommand;
use kerncast_server::{
    access::{check_token, token},
    db::{self, access::audit::Actor},
};
use kerncast_wire::{FieldProblem, NewToken, TokenRole, TokenSummary};
use sqlx::PgPool;

use super::{Place, database::on_database};

/// The first is the newest.
const MOST_LISTED: i64 = 10_000;

#[derive(Subcommand)]
pub(super) enum Command {
    /// Make a token and print it, once: nobody can read it again.
    #[command(after_help = "\
Examples:
  kerncast-server token create --role agent --agent lab-3
  kerncast-server token create --role reader --name Grafana
  kerncast-server token create --role admin --name Anna")]
    Create {
        /// What its holder may do: reader, agent (upload what one agent measures) or admin (everything).
        #[arg(long, value_parser = role)]
        role: TokenRole,
        /// For an agent's token: the agent's name (its KERNCAST_AGENT, or its host name).
        #[arg(long, required_if_eq("role", "agent"))]
        agent: Option<String>,
        /// What it is for [default: the agent's name, or the role].
        #[arg(long)]
        name: Option<String>,
    },
    /// List tokens and when they were last used.
    List,
    /// Revoke tokens, on all servers at once.
    Revoke {
        /// Ids of the tokens, from `token list`.
        #[arg(required = true)]
        ids: Vec<i64>,
    },
}

fn role(word: &str) -> Result<TokenRole, String> {
    let role = serde_json::from_value(word.into());
    role.map_err(|_| "expected reader, agent or admin".to_owned())
}

/// Says where the admin's token is, or makes another in its place.
pub(super) fn file(place: &Place, new: bool) -> anyhow::Result<()> {
    let file = place.folder()?.join("token");
    if new {
        on_database(place, async |pool| issue(&pool, &file).await)?;
    } else {
        anyhow::ensure!(
            file.exists(),
            "there is no {}: the server's first start makes one, `kerncast-server token --new` another",
            file.display()
        );
    }
    Ok(writeln!(std::io::stdout(), "{}", file.display())?)
}

/// Makes, lists or revokes.
pub(super) fn run(place: &Place, command: Command) -> anyhow::Result<()> {
    on_database(place, async |pool| {
        let mut out = std::io::stdout();
        match command {
            Command::Create { role, agent, name } => {
                let new = NewToken { name, role, agent };
                fail_on_first(check_token(&new))?;
                let token = token::random()?;
                db::access::tokens::add(&pool, &token::hash(&token), &new, &Actor::command_line())
                    .await?;
                writeln!(out, "{token}")?;
            }
            Command::List => {
                for token in db::access::tokens::list(&pool, None, MOST_LISTED).await? {
                    writeln!(out, "{}", line(&token))?;
                }
            }
            Command::Revoke { ids } => {
                for id in ids {
                    let revoked =
                        db::access::tokens::revoke(&pool, id, &Actor::command_line()).await?;
                    let token = revoked.with_context(|| format!("there is no token {id}"))?;
                    writeln!(out, "{}", line(&token))?;
                }
            }
        }
        Ok(())
    })
}

fn line(token: &TokenSummary) -> String {
    let (id, name) = (token.id, &token.name);
    let role = format!("{:?}", token.role).to_lowercase();
    let used_at = |at| format!("used {}", to_minute(at));
    let last_use = token
        .last_used_at
        .as_ref()
        .map_or("never used".to_owned(), used_at);
    let made_at = to_minute(&token.created_at);
    let mut line = format!("{id}\t{role}\t{name:?}\tmade {made_at}\t{last_use}");
    if let Some(agent) = &token.agent {
        line += &format!("\tagent {agent:?}");
    }
    if let Some(at) = &token.revoked_at {
        line += &format!("\trevoked {}", to_minute(at));
    }
    line
}

/// Makes an admin's token valid and writes it to `file`.
async fn issue(pool: &PgPool, file: &Path) -> anyhow::Result<()> {
    let cannot_write = || format!("can't write {}", file.display());
    let token = token::make(file).with_context(cannot_write)?;
    let admin = NewToken {
        name: None,
        role: TokenRole::Admin,
        agent: None,
    };
    db::access::tokens::add(pool, &token.hash, &admin, &Actor::command_line()).await?;
    token.publish().with_context(cannot_write)
}

/// As [`issue`], where there was never any token.
pub(super) async fn issue_first(pool: &PgPool, file: &Path) -> anyhow::Result<()> {
    if !db::access::tokens::list(pool, None, 1).await?.is_empty() {
        return Ok(());
    }
    let cannot_write = || format!("can't write {}", file.display());
    let token = token::make(file).with_context(cannot_write)?;
    let is_first = db::access::tokens::add_first(pool, &token.hash).await?;
    let outcome = if is_first {
        token.publish()
    } else {
        // Another server was faster.
        token.discard()
    };
    outcome.with_context(cannot_write)
}

/// # Errors
/// The first of the problems, where there is one.
fn fail_on_first(problems: Vec<FieldProblem>) -> anyhow::Result<()> {
    let Some(first) = problems.into_iter().next() else {
        return Ok(());
    };
    let (option, value) = (
        first.field.trim_start_matches('/'),
        first.value.unwrap_or_default(),
    );
    bail!("--{option} {value}: expected {}", first.expected)
}

/// To the minute, UTC.
fn to_minute(at: &DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M").to_string()
}
