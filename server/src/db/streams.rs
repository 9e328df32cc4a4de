//! What streams through devices can do, and did.

use std::time::Duration;

use chrono::{DateTime, Utc};
use kerncast_offload::{MeasuredStreams, Rates, Run, StoredStreamRun};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use super::words::{interval, plain};

/// At most `rows` runs of a device, the newest first. None where there is no such device.
pub(crate) async fn runs(
    pool: &PgPool,
    device: i64,
    rows: i64,
) -> sqlx::Result<Option<Vec<StoredStreamRun>>> {
    let exists = sqlx::query!("SELECT id FROM devices WHERE id = $1::bigint", device);
    if exists.fetch_optional(pool).await?.is_none() {
        return Ok(None);
    }
    sqlx::query_scalar!(
        r#"
        SELECT
            json_build_object(
                'id', stream_runs.id, 'measured_at', measured_at, 'agent', agents.name, 'run', run
            ) AS "run!: Json<StoredStreamRun>"
        FROM stream_runs
        JOIN agents ON agents.id = agent_id
        WHERE device_id = $1::bigint
        ORDER BY measured_at DESC, stream_runs.id DESC
        LIMIT $2
        "#,
        device,
        rows
    )
    .fetch_all(pool)
    .await
    .map(|found| Some(plain(found)))
}

/// At most `rows` runs that these rates forecast, by the agent that measured the rates, the newest first.
pub(crate) async fn runs_of(pool: &PgPool, rates: Uuid, rows: i64) -> sqlx::Result<Vec<Run>> {
    sqlx::query_scalar!(
        r#"
        SELECT run AS "run!: Json<Run>"
        FROM stream_rates
        JOIN agents AS measured_by ON measured_by.id = stream_rates.agent_id
        JOIN stream_runs
            ON stream_runs.device_id = stream_rates.device_id AND run ->> 'rates' = stream_rates.id::text
        JOIN agents AS done_by ON done_by.id = stream_runs.agent_id AND done_by.name = measured_by.name
        WHERE stream_rates.id = $1
        ORDER BY stream_runs.measured_at DESC, stream_runs.id DESC
        LIMIT $2
        "#,
        rates,
        rows
    )
    .fetch_all(pool)
    .await
    .map(plain)
}

/// Deletes runs that were done as long ago as `keep`, but for what is read: of each device the newest ([`runs`]), and the
/// newest that its newest rates forecast ([`runs_of`]), at most `rows` each. Returns how many.
pub(crate) async fn drop_runs(pool: &PgPool, rows: i64, keep: Duration) -> sqlx::Result<u64> {
    sqlx::query!(
        "
        DELETE FROM stream_runs USING (
            SELECT devices.id AS device_id, last.measured_at, last.id, ARRAY(
                SELECT judged.id
                FROM (
                    SELECT stream_rates.id, name
                    FROM stream_rates
                    JOIN agents ON agents.id = agent_id
                    WHERE device_id = devices.id
                    ORDER BY measured_at DESC, stream_rates.id DESC
                    LIMIT 1
                ) AS rates
                JOIN stream_runs AS judged ON judged.device_id = devices.id AND run ->> 'rates' = rates.id::text
                JOIN agents AS done_by ON done_by.id = judged.agent_id AND done_by.name = rates.name
                ORDER BY judged.measured_at DESC, judged.id DESC
                LIMIT $1::bigint
            ) AS judged
            FROM devices CROSS JOIN LATERAL (
                SELECT measured_at, id FROM stream_runs
                WHERE device_id = devices.id
                ORDER BY measured_at DESC, id DESC
                OFFSET $1::bigint - 1 LIMIT 1
            ) AS last
        ) AS read
        WHERE stream_runs.device_id = read.device_id
            AND (stream_runs.measured_at, stream_runs.id) < (read.measured_at, read.id)
            AND now() - stream_runs.measured_at >= $2::interval AND stream_runs.id <> ALL (read.judged)
        ",
        rows,
        interval(keep)
    )
    .execute(pool)
    .await
    .map(|done| done.rows_affected())
}

/// The newest rates of each device, by its name.
pub(crate) async fn list(pool: &PgPool) -> sqlx::Result<Vec<MeasuredStreams>> {
    sqlx::query_scalar!(
        r#"
        SELECT
            json_build_object(
                'device', device_id, 'measured_at', measured_at, 'threads', rates -> 'threads',
                'is_host', rates -> 'is_host', 'global_memory_bytes', global_memory_bytes
            ) AS "streams!: Json<MeasuredStreams>"
        FROM (
            SELECT DISTINCT ON (device_id) device_id, measured_at, rates
            FROM stream_rates
            ORDER BY device_id, measured_at DESC, id DESC
        ) AS newest
        JOIN devices ON devices.id = device_id
        ORDER BY devices.name, vendor
        "#
    )
    .fetch_all(pool)
    .await
    .map(plain)
}

/// What answers for a device.
pub(crate) struct Newest {
    pub(crate) id: Uuid,
    pub(crate) measured_at: DateTime<Utc>,
    pub(crate) rates: Rates,
    pub(crate) global_memory_bytes: Option<i64>,
}

/// The newest rates of a device; none where nobody measured any.
pub(crate) async fn newest(pool: &PgPool, device: i64) -> sqlx::Result<Option<Newest>> {
    let row = sqlx::query!(
        r#"
        SELECT stream_rates.id AS "id!", measured_at AS "measured_at!", rates AS "rates!: Json<Rates>", global_memory_bytes
        FROM stream_rates
        JOIN devices ON devices.id = device_id
        WHERE device_id = $1::bigint
        ORDER BY measured_at DESC, stream_rates.id DESC
        LIMIT 1
        "#,
        device
    );
    let row = row.fetch_optional(pool).await?;
    Ok(row.map(|it| Newest {
        id: it.id,
        measured_at: it.measured_at,
        rates: it.rates.0,
        global_memory_bytes: it.global_memory_bytes,
    }))
}
