//! What is asked of shards. Their tables are few and their own: no migration of the database's knows them.

use chrono::{DateTime, Utc};
use sqlx::{Connection, Executor, PgConnection, PgPool};
use uuid::Uuid;

/// What a shard has: `this_shard`, which shard it is, and `readings`, the values and samples' repetitions. A sample is
/// known by its id and by what it says: values that were written for a sample which never came are no other's.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS this_shard (
        id uuid NOT NULL,
        name text NOT NULL,
        one boolean PRIMARY KEY DEFAULT true CHECK (one)
    );
    CREATE TABLE IF NOT EXISTS readings (
        sample_id uuid NOT NULL,
        provider text NOT NULL,
        -- The first half of the sample's content_hash.
        content uuid NOT NULL,
        values double precision[] NOT NULL,
        written_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (sample_id, provider, content)
    );
    CREATE INDEX IF NOT EXISTS readings_by_time ON readings USING brin (written_at) WITH (autosummarize = on);
    DO $$ BEGIN
        CREATE TYPE new_values AS (sample_id uuid, provider text, content uuid, values double precision[]);
    EXCEPTION WHEN duplicate_object THEN
    END $$;
";

/// What a sample's repetitions, first the warm and then the cold ones, have in the place of a provider, none of which has
/// no name.
pub(crate) const TIMES: &str = "";

/// The values of a reading, or a sample's repetitions.
#[derive(Clone, Debug, PartialEq, sqlx::Type, sqlx::FromRow)]
#[sqlx(type_name = "new_values")]
pub(crate) struct Values {
    pub(crate) sample_id: Uuid,
    pub(crate) provider: String,
    pub(crate) content: Uuid,
    pub(crate) values: Vec<f64>,
}

/// What it should have.
pub(crate) fn named(sample: Uuid, provider: &str) -> String {
    match provider {
        TIMES => format!("the repetitions of sample {sample}"),
        _ => format!("the values of sample {sample} by {provider}"),
    }
}

/// What a shard knows a sample's content by.
///
/// # Errors
/// Where the hash is too short to be one.
pub(crate) fn content(hash: &[u8]) -> sqlx::Result<Uuid> {
    let half = hash.first_chunk().copied().map(Uuid::from_bytes);
    half.ok_or_else(|| sqlx::Error::Decode("a content_hash is too short".into()))
}

/// Whether the database is the shard of this id.
pub(crate) async fn check(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    let found: Uuid = sqlx::query_scalar("SELECT id FROM this_shard")
        .fetch_one(connection)
        .await?;
    match found == id {
        true => Ok(()),
        false => Err(sqlx::Error::Protocol(
            "the database under its address is another shard".to_owned(),
        )),
    }
}

/// What an address leads to.
pub(crate) enum Found {
    /// The shard of this id, and whether it has any values.
    Shard { id: Uuid, empty: bool },
    /// A database without tables of any name of ours.
    Empty,
}

/// Whether there is a shard.
pub(crate) async fn find(connection: &mut PgConnection) -> sqlx::Result<Found> {
    let there: bool = sqlx::query_scalar("SELECT to_regclass('this_shard') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await?;
    if !there {
        return Ok(Found::Empty);
    }
    let (id, empty) =
        sqlx::query_as("SELECT id, NOT EXISTS (SELECT FROM readings) FROM this_shard")
            .fetch_one(connection)
            .await?;
    Ok(Found::Shard { id, empty })
}

/// Whether there are tables of a coordinator.
pub(crate) async fn is_coordinator(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT to_regclass('samples') IS NOT NULL")
        .fetch_one(connection)
        .await
}

/// Makes it the shard of this id.
pub(crate) async fn make(connection: &mut PgConnection, id: Uuid, name: &str) -> sqlx::Result<()> {
    let mut transaction = connection.begin().await?;
    transaction.execute(TABLES).await?;
    sqlx::query("INSERT INTO this_shard (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING")
        .bind(id)
        .bind(name)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await
}

/// Writes values; those that are there already are as new.
pub(crate) async fn write(pool: &PgPool, values: &[Values]) -> sqlx::Result<()> {
    sqlx::query(
        "
        INSERT INTO readings (sample_id, provider, content, values)
        SELECT DISTINCT ON (sample_id, provider, content) sample_id, provider, content, values
        FROM unnest($1::new_values[])
        ORDER BY sample_id, provider, content
        ON CONFLICT (sample_id, provider, content) DO UPDATE SET written_at = now()
        ",
    )
    .bind(values)
    .execute(pool)
    .await
    .map(|_| ())
}

/// What is wanted of samples.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted<'a> {
    /// The values of a provider's readings.
    Of(&'a str),
    /// Those of all readings.
    Readings,
    /// The repetitions too.
    All,
}

/// What is here of these samples.
pub(crate) async fn read(
    pool: &PgPool,
    samples: &[Uuid],
    wanted: Wanted<'_>,
) -> sqlx::Result<Vec<Values>> {
    let (only, but) = match wanted {
        Wanted::Of(provider) => (Some(provider), None),
        Wanted::Readings => (None, Some(TIMES)),
        Wanted::All => (None, None),
    };
    sqlx::query_as(
        "
        SELECT sample_id, provider, content, values FROM readings
        WHERE sample_id = ANY ($1) AND ($2::text IS NULL OR provider = $2) AND ($3::text IS NULL OR provider <> $3)
        ",
    )
    .bind(samples)
    .bind(only)
    .bind(but)
    .fetch_all(pool)
    .await
}

/// What its clock says.
pub(crate) async fn now(pool: &PgPool) -> sqlx::Result<DateTime<Utc>> {
    sqlx::query_scalar("SELECT now()").fetch_one(pool).await
}

/// Deletes what was written of these samples before this moment, and not again since.
pub(crate) async fn delete(
    pool: &PgPool,
    samples: &[Uuid],
    until: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM readings WHERE sample_id = ANY ($1) AND written_at < $2")
        .bind(samples)
        .bind(until)
        .execute(pool)
        .await
        .map(|_| ())
}

/// Samples, with their contents, that values were written of between these moments.
pub(crate) async fn written(
    pool: &PgPool,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<Vec<(Uuid, Uuid)>> {
    let query = "
        SELECT DISTINCT sample_id, content FROM readings WHERE written_at >= $1 AND written_at < $2
    ";
    sqlx::query_as(query)
        .bind(from)
        .bind(until)
        .fetch_all(pool)
        .await
}

/// Deletes what was written of samples with these contents before this moment, and not again since; returns how many
/// readings.
pub(crate) async fn delete_contents(
    pool: &PgPool,
    samples: &[Uuid],
    contents: &[Uuid],
    until: DateTime<Utc>,
) -> sqlx::Result<u64> {
    let query = "
        DELETE FROM readings USING unnest($1::uuid[], $2::uuid[]) AS it (sample, content)
        WHERE sample_id = it.sample AND readings.content = it.content AND written_at < $3
    ";
    sqlx::query(query)
        .bind(samples)
        .bind(contents)
        .bind(until)
        .execute(pool)
        .await
        .map(|it| it.rows_affected())
}

/// Deletes repetitions that were written between these moments, and not again since.
pub(crate) async fn delete_times(
    pool: &PgPool,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<()> {
    let query = "DELETE FROM readings WHERE provider = $1 AND written_at >= $2 AND written_at < $3";
    sqlx::query(query)
        .bind(TIMES)
        .bind(from)
        .bind(until)
        .execute(pool)
        .await
        .map(|_| ())
}

/// Bytes of its tables, and about how many rows there are: readings, and samples' repetitions.
pub(crate) async fn size(pool: &PgPool) -> sqlx::Result<(i64, i64)> {
    sqlx::query_as(
        "
        SELECT pg_total_relation_size('readings'), greatest(reltuples, 0)::bigint
        FROM pg_class WHERE oid = 'readings'::regclass
        ",
    )
    .fetch_one(pool)
    .await
}
