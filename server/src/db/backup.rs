//! What backups ask of the database.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

/// What a backup is of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the server that made it.
    pub server: String,
    /// The last migration of its tables.
    pub migration: i64,
    /// The Postgres that it was made of.
    pub postgres: String,
    /// When: it has what was committed by then, and nothing later.
    pub made_at: DateTime<Utc>,
    /// How many samples it has.
    pub samples: i64,
    /// How many models.
    pub models: i64,
    /// The shards, each with a file of its own beside this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shards: Vec<String>,
}

/// Fixes what this transaction sees, and returns what that is and its name for `pg_dump --snapshot`. None where there
/// are no tables.
pub(crate) async fn snapshot(
    connection: &mut PgConnection,
) -> sqlx::Result<Option<(Header, String)>> {
    sqlx::query!("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        .execute(&mut *connection)
        .await?;
    if samples_where_tables_are(connection).await?.is_none() {
        return Ok(None);
    }
    let row = sqlx::query!(
        r#"
        SELECT
            pg_export_snapshot() AS "snapshot!", current_setting('server_version') AS "postgres!",
            (SELECT count(*) FROM samples) AS "samples!", (SELECT count(*) FROM models) AS "models!"
        "#
    )
    .fetch_one(&mut *connection)
    .await?;
    let migration = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(&mut *connection)
        .await?;
    // Tables are as an earlier server may have made them.
    let known: bool = sqlx::query_scalar("SELECT to_regclass('shards') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await?;
    let shards = match known {
        true => super::shards::list(connection).await?,
        false => Vec::new(),
    };
    let header = Header {
        server: env!("CARGO_PKG_VERSION").to_owned(),
        migration,
        postgres: row.postgres,
        made_at: Utc::now(),
        samples: row.samples,
        models: row.models,
        shards: shards.into_iter().map(|it| it.name).collect(),
    };
    Ok(Some((header, row.snapshot)))
}

/// How many samples there are where there are any tables, whosever.
pub(crate) async fn samples_where_tables_are(
    connection: &mut PgConnection,
) -> sqlx::Result<Option<i64>> {
    let tables = sqlx::query!(
        r#"
        SELECT count(*) AS "all!", count(*) FILTER (WHERE relname = 'samples') > 0 AS "ours!"
        FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
        "#
    )
    .fetch_one(&mut *connection)
    .await?;
    match (tables.all, tables.ours) {
        (0, _) => Ok(None),
        (_, false) => Ok(Some(0)),
        (_, true) => sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM samples"#)
            .fetch_one(connection)
            .await
            .map(Some),
    }
}

/// Looks at all tables, so that queries are planned by what is in them.
pub(crate) async fn analyse(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("ANALYZE")
        .execute(connection)
        .await
        .map(|_| ())
}
