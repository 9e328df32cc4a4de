//! The command line and its commands.

mod backup;
mod database;
mod listen;
mod serve;
mod token;

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
};

use clap::{Args, Parser, Subcommand};
use kerncast_server::{routes, upkeep::data_folder};
use tracing_subscriber::{
    EnvFilter, Layer, Registry, layer::SubscriberExt, util::SubscriberInitExt,
};

/// Postgres's notices are about tables that are there already, as they should be.
const LOG: &str = "info,sqlx::postgres::notice=warn";

/// Stores samples in Postgres, fits and validates models, serves forecasts and the dashboard.
///
/// Without a subcommand it serves until Ctrl-C.
#[derive(Parser)]
#[command(
    version,
    after_help = "\
Examples:
  kerncast-server                                  serve on 127.0.0.1:7310 with a private Postgres
  kerncast-server --listen 0.0.0.0:7310 --tls-certificate cert.pem --tls-key key.pem --host lab.example
                                                   let other machines in, who call it lab.example
  kerncast-server --readers token                  let nobody read without a token
  kerncast-server --data ~/lab                     keep everything in another folder
  kerncast-server --database-url postgres://me@db/kerncast
                                                   use a Postgres that is there already
  kerncast-server token create --role agent --agent lab-3
                                                   make a token for the agent lab-3
  kerncast-server backup lab.kerncast              write all data into one file, while it serves
  kerncast-server --data ~/new restore lab.kerncast
                                                   and fill a new data folder from it
  kerncast-server openapi > openapi.json           print the API's description

The log has a line for each request; RUST_LOG=warn omits these."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    listen: listen::Options,
    #[command(flatten)]
    fits: serve::FitOptions,
    #[command(flatten)]
    place: Place,
    /// Format of the log on standard error: text for people, or one JSON object per line.
    #[arg(
        long,
        value_name = "text|json",
        default_value = "text",
        env = "KERNCAST_LOG_FORMAT",
        hide_possible_values = true,
        global = true
    )]
    log_format: LogFormat,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

/// Where the data are.
#[derive(Args)]
struct Place {
    /// Folder for the private Postgres and the token [default: /var/lib/kerncast-server if it exists or
    /// /var/lib/kerncast for root, else ~/.local/share/kerncast].
    #[arg(long, value_name = "FOLDER", env = "KERNCAST_DATA", global = true)]
    data: Option<PathBuf>,
    /// Use this database and run no private Postgres.
    #[arg(
        long,
        value_name = "URL",
        env = "DATABASE_URL",
        hide_env_values = true,
        global = true
    )]
    database_url: Option<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Print the API's description (OpenAPI) as JSON.
    Openapi,
    /// Make, list and revoke tokens; without a subcommand, say where the admin's token is.
    #[command(args_conflicts_with_subcommands = true)]
    Token {
        #[command(subcommand)]
        command: Option<token::Command>,
        /// Make another admin's token and write it to the token file, if that was lost.
        #[arg(long)]
        new: bool,
    },
    /// Write all data into one file; a server may be running.
    ///
    /// The file has everything committed when the backup begins. Tokens are in it as hashes only; the admin's token
    /// file is not.
    Backup {
        /// The file to write. It appears when it is complete.
        file: PathBuf,
    },
    /// Fill an empty database from a file of `backup`, all or nothing.
    Restore {
        /// The backup.
        file: PathBuf,
    },
}

/// Does what the command line says.
pub(crate) fn run(cli: Cli) -> anyhow::Result<()> {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LOG));
    let registry = tracing_subscriber::registry();
    registry.with(log(cli.log_format)).with(filter).init();
    let place = cli.place;
    match cli.command {
        Some(Command::Openapi) => {
            let text = routes::openapi().to_pretty_json()?;
            Ok(writeln!(std::io::stdout(), "{text}")?)
        }
        Some(Command::Token {
            command: Some(command),
            ..
        }) => token::run(&place, command),
        Some(Command::Token { command: None, new }) => token::file(&place, new),
        Some(Command::Backup { file }) => backup::back_up(&place, &file),
        Some(Command::Restore { file }) => backup::restore(&place, &file),
        None => serve::run(&cli.listen, &cli.fits, &place),
    }
}

/// Writes what happens to standard error.
fn log(format: LogFormat) -> Box<dyn Layer<Registry> + Send + Sync> {
    let log = tracing_subscriber::fmt::layer()
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log.boxed(),
        LogFormat::Json => log.json().flatten_event(true).boxed(),
    }
}

impl Place {
    /// The data folder, made where it is missing.
    fn folder(&self) -> anyhow::Result<PathBuf> {
        let named = self.data.clone();
        Ok(data_folder::make(
            &named.unwrap_or_else(data_folder::default_folder),
        )?)
    }
}
