//! The command line and its commands.

mod backup;
mod database;
mod kernels;
mod listen;
mod samples;
mod serve;
mod shards;
mod token;
mod told;

use std::{
    collections::BTreeMap,
    io::{IsTerminal, Write},
    path::PathBuf,
};

use clap::{Args, Parser, Subcommand};
use kerncast_server::{backup::Source, data_folder, routes, shards::Shards, traces};
use sqlx::PgPool;
use tracing_subscriber::{
    EnvFilter, Layer, Registry, layer::SubscriberExt, util::SubscriberInitExt,
};

/// Postgres's notices are about tables that are there already, as they should be.
const LOG: &str = "info,sqlx::postgres::notice=warn";

/// Keeps samples in Postgres, fits and validates models, serves forecasts and the dashboard.
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
  kerncast-server token enrol-code --agent lab-3   or a code with which it gets one itself
  kerncast-server samples reject --agent lab-9 --since 2026-11-20 --reason 'its clock was wrong'
                                                   set its samples aside; restore takes it back
  kerncast-server kernels add kernels/matmul_float offer a kernel to agents that fetch kernels from here
  kerncast-server backup lab.kerncast              write all data into one file, while it serves
  kerncast-server --data ~/new restore lab.kerncast
                                                   and fill a new data folder from it
  kerncast-server verify                           fit all models anew and compare
  kerncast-server --shards shards.toml shards rebalance
                                                   spread devices over the shards of a file
  kerncast-server openapi > openapi.json           print the API's description

The log has a line for each request; RUST_LOG=warn is silent about them."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    listen: listen::Options,
    #[command(flatten)]
    work: serve::Work,
    #[command(flatten)]
    place: Place,
    /// How the log is written, to standard error: for people, or an object of JSON a line.
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
    /// Folder for the private Postgres and the token [default: /var/lib/kerncast for root, else
    /// kerncast in the user's data folder, ~/.local/share].
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
    /// Keep counters' values and repetitions on the shards that this file names (docs/operations.md); what is new of them is
    /// set up.
    #[arg(long, value_name = "FILE", env = "KERNCAST_SHARDS", global = true)]
    shards: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Print the API's description (OpenAPI) as JSON.
    Openapi,
    /// Make, list and revoke tokens and enrolment codes; alone: say where the admin's token is.
    #[command(args_conflicts_with_subcommands = true)]
    Token {
        #[command(subcommand)]
        command: Option<token::Command>,
        /// Make another admin's token and write it to the token's file, for when the file was lost.
        #[arg(long)]
        new: bool,
    },
    /// Reject, accept and restore samples; list those that are quarantined.
    Samples {
        #[command(subcommand)]
        command: samples::Command,
    },
    /// Offer kernels to agents that fetch them from the server, list them, or withdraw them.
    Kernels {
        #[command(subcommand)]
        command: kernels::Command,
    },
    /// List shards, set them up, and move devices between them.
    Shards {
        #[command(subcommand)]
        command: shards::Command,
    },
    /// Let a model answer that is held, because its errors are far above those of the one before it.
    AcceptModel {
        /// Its id, as the dashboard names it.
        id: uuid::Uuid,
        /// Why, for those who read the audit log.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// List what admins did, and when; the newest first.
    Audit,
    /// Write all data into one file, also while a server runs.
    ///
    /// It has what is committed at its beginning. Tokens are in it as hashes only; the file of the admin's token is not.
    Backup {
        /// The new file. It appears when it is whole.
        file: PathBuf,
    },
    /// Fill an empty database from a file of `backup`: all of it, or nothing where something fails.
    Restore {
        /// The file.
        file: PathBuf,
    },
    /// Fit all models that stand anew, from their samples, and say which come out otherwise than they are stored.
    Verify,
}

/// Does what the command line says.
pub(crate) fn run(cli: Cli) -> anyhow::Result<()> {
    // Only a server that serves has spans to send.
    let traces = match cli.command {
        None => cli.work.traces()?,
        Some(_) => None,
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LOG));
    let filter = filter.add_directive(format!("{}=off", traces::TARGET).parse()?);
    let registry = tracing_subscriber::registry();
    match &traces {
        None => registry.with(log(cli.log_format)).with(filter).init(),
        // Each with a filter of its own: what the log leaves out is what is exported.
        Some(traces) => {
            let log = log(cli.log_format).with_filter(filter).boxed();
            registry.with(vec![log, traces.layer().boxed()]).init();
        }
    }
    let Cli {
        command,
        log_format: _,
        listen,
        work,
        place,
    } = cli;
    match command {
        Some(Command::Openapi) => {
            let text = routes::openapi().to_pretty_json()?;
            Ok(writeln!(std::io::stdout(), "{text}")?)
        }
        Some(Command::Token {
            command: Some(command),
            ..
        }) => token::run(&place, command),
        Some(Command::Token { command: None, new }) => token::file(&place, new),
        Some(Command::Samples { command }) => samples::run(&place, command),
        Some(Command::Kernels { command }) => kernels::run(&place, command),
        Some(Command::Shards { command }) => shards::run(&place, command),
        Some(Command::AcceptModel { id, reason }) => samples::accept_model(&place, id, &reason),
        Some(Command::Audit) => samples::audit(&place),
        Some(Command::Backup { file }) => backup::back_up(&place, &file),
        Some(Command::Restore { file }) => backup::restore(&place, &file),
        Some(Command::Verify) => backup::verify(&place),
        None => {
            let served = serve::run(&listen, &work, &place);
            if let Some(traces) = traces {
                traces.end(serve::LEAVING);
            }
            served
        }
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
    /// The shards of the file, where one is named.
    async fn shards(&self, pool: &PgPool) -> anyhow::Result<Shards> {
        match &self.shards {
            None => Ok(Shards::default()),
            Some(file) => Ok(Shards::open(pool, file).await?),
        }
    }

    /// Where the shards of the file are, for backups.
    fn sources(&self) -> anyhow::Result<BTreeMap<String, Source>> {
        match &self.shards {
            None => Ok(BTreeMap::new()),
            Some(file) => Ok(Source::of_shards(file)?),
        }
    }

    /// The data folder, made where it is missing.
    fn folder(&self) -> anyhow::Result<PathBuf> {
        let folder = self
            .data
            .clone()
            .unwrap_or_else(data_folder::default_folder);
        Ok(data_folder::make(&folder)?)
    }
}
