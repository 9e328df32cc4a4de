use std::time::Duration;

use sqlx::{
    Connection, PgConnection, PgExecutor, PgPool,
    migrate::{MigrateError, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
};
use thiserror::Error;

/// The repository's migrations, compiled in.
static MIGRATIONS: Migrator = sqlx::migrate!("../migrations");

/// The first of them; those of version 0.2 had lower numbers.
const FIRST_MIGRATION: i64 = 300;

/// Requests wait for a connection; more connections than cores would not serve them sooner.
const MOST_CONNECTIONS: u32 = 16;
/// Longest wait of a request for a connection.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// How long a statement of a request may take; fits have their own (`jobs::claim`).
const LONGEST_STATEMENT: &str = "30s";

/// Why there is no database to work with.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// It does not answer, or not to us.
    #[error("the database can't be reached")]
    Unreachable(#[source] sqlx::Error),
    /// A server of version 0.2 or before has been at work on it.
    #[error(
        "the database is of version 0.2, whose tables this server does not know: read its samples with that version \
         (GET /v1/samples), and bring them to a new database with `kerncast import` (docs/operations.md, \"Upgrade\")"
    )]
    Former,
    /// A newer server has been at work on it.
    #[error(
        "the database is newer than this server: it has migration {found}, and this server \
         ({server}) knows them up to {newest}. Run the newer server, or give this one another database"
    )]
    Newer {
        /// The first migration that this server does not know.
        found: i64,
        /// The last one that it knows.
        newest: i64,
        /// This server's version.
        server: &'static str,
    },
    /// A migration failed or was changed after it ran.
    #[error("the database's tables could not be brought up to date")]
    Migration(#[source] MigrateError),
}

/// Connects, and brings the tables up to date.
///
/// # Errors
/// [`ConnectError`]; the tables are then as they were.
pub async fn connect(options: PgConnectOptions) -> Result<PgPool, ConnectError> {
    // Compiling a query that takes milliseconds takes longer than the query. A plan for any filter, none among
    // them, is slower than one made for the filter at hand by more than the planning takes.
    // A server that has vanished, with its machine or its network, is given up by Postgres within a minute: until then
    // the fits that it was making, and their devices, are locked for all other servers.
    let options = options.application_name("kerncast-server").options([
        ("jit", "off"),
        ("plan_cache_mode", "force_custom_plan"),
        ("tcp_keepalives_idle", "30"),
        ("tcp_keepalives_interval", "10"),
        ("tcp_keepalives_count", "3"),
        ("tcp_user_timeout", "60000"),
    ]);
    // A pool would retry for long and then hide why it failed.
    let first = PgConnection::connect_with(&options).await;
    let mut first = first.map_err(ConnectError::Unreachable)?;
    match MIGRATIONS.run(&mut first).await {
        Ok(()) => Ok(PgPoolOptions::new()
            .max_connections(MOST_CONNECTIONS)
            .acquire_timeout(LONGEST_WAIT)
            .connect_lazy_with(options.options([("statement_timeout", LONGEST_STATEMENT)]))),
        Err(MigrateError::VersionMissing(found)) if found < FIRST_MIGRATION => {
            Err(ConnectError::Former)
        }
        Err(MigrateError::VersionMissing(found)) => Err(ConnectError::Newer {
            found,
            newest: MIGRATIONS.iter().map(|it| it.version).max().unwrap_or(0),
            server: env!("CARGO_PKG_VERSION"),
        }),
        Err(error) => Err(ConnectError::Migration(error)),
    }
}

/// Whether the database answers.
pub(crate) async fn ping(database: impl PgExecutor<'_>) -> super::Result<()> {
    sqlx::query!("SELECT 1 AS one").fetch_one(database).await?;
    Ok(())
}
