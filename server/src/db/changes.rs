//! What workloads took before a time and since, and how far models were off.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kerncast_wire::{ErrorChange, NewSamples};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

/// Samples of a workload that are looked at on either side of the time, the newest ones: their median is a time that
/// one odd run does not move.
const NEWEST: i64 = 5;

/// A workload on a device, measured there on both sides of a time or before it alone.
pub(crate) struct Times {
    pub(crate) device: i64,
    pub(crate) kernel: String,
    pub(crate) variant: String,
    pub(crate) parameters: BTreeMap<String, i64>,
    /// Medians, seconds, in the order measured.
    pub(crate) before_s: Vec<f64>,
    pub(crate) since_s: Vec<f64>,
    /// The newest on either side.
    pub(crate) before: Uuid,
    pub(crate) sample: Option<Uuid>,
}

/// Of all workloads that agents had measured before the time, by device.
pub(crate) async fn times(pool: &PgPool, since: DateTime<Utc>) -> sqlx::Result<Vec<Times>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            series.device_id::bigint AS "device!", kernels.name AS kernel, variant,
            parameters AS "parameters: Json<BTreeMap<String, i64>>",
            before.times AS "before_s!", before.ids[array_upper(before.ids, 1)] AS "before!",
            coalesce(after.times, '{}') AS "since_s!", after.ids[array_upper(after.ids, 1)] AS sample
        FROM series
        JOIN workloads ON workloads.id = series.workload_id
        JOIN kernels ON kernels.id = kernel_id
        CROSS JOIN LATERAL (
            SELECT array_agg(median_s::float8 ORDER BY measured_at, id) AS times,
                array_agg(id ORDER BY measured_at, id) AS ids
            FROM (
                SELECT id, median_s, measured_at FROM samples_in_use
                WHERE device_id = series.device_id AND workload_id = series.workload_id
                    AND origin = 'measured' AND measured_at < $1
                ORDER BY measured_at DESC, id DESC LIMIT $2
            ) AS newest
        ) AS before
        CROSS JOIN LATERAL (
            SELECT array_agg(median_s::float8 ORDER BY measured_at, id) AS times,
                array_agg(id ORDER BY measured_at, id) AS ids
            FROM (
                SELECT id, median_s, measured_at FROM samples_in_use
                WHERE device_id = series.device_id AND workload_id = series.workload_id
                    AND origin = 'measured' AND measured_at >= $1
                ORDER BY measured_at DESC, id DESC LIMIT $2
            ) AS newest
            WHERE newest_at >= $1
        ) AS after
        WHERE series.origin = 'measured' AND before.times IS NOT NULL
        ORDER BY series.device_id, kernels.name, variant, parameters
        "#,
        since,
        NEWEST
    )
    .fetch_all(pool)
    .await?;
    let times = rows.into_iter().map(|row| Times {
        device: row.device,
        kernel: row.kernel,
        variant: row.variant,
        parameters: row.parameters.0,
        before_s: row.before_s,
        since_s: row.since_s,
        before: row.before,
        sample: row.sample,
    });
    Ok(times.collect())
}

/// What agents have measured since, by device.
pub(crate) async fn samples(pool: &PgPool, since: DateTime<Utc>) -> sqlx::Result<Vec<NewSamples>> {
    sqlx::query_as!(
        NewSamples,
        r#"
        SELECT
            device_id::bigint AS "device!", sum(new.samples)::bigint AS "samples!",
            count(*) AS "workloads!",
            count(*) FILTER (WHERE new.samples = series.samples) AS "new_workloads!"
        FROM series
        CROSS JOIN LATERAL (
            SELECT measured_at FROM samples
            WHERE device_id = series.device_id AND workload_id = series.workload_id AND origin = 'measured'
            ORDER BY measured_at LIMIT 1
        ) AS oldest
        CROSS JOIN LATERAL (
            -- What is new altogether need not be counted, and after a day of many agents that is most of it.
            SELECT CASE WHEN oldest.measured_at >= $1 THEN series.samples ELSE (
                SELECT count(*) FROM samples
                WHERE device_id = series.device_id AND workload_id = series.workload_id AND origin = 'measured'
                    AND measured_at >= $1
            ) END AS samples
        ) AS new
        WHERE series.origin = 'measured' AND newest_at >= $1
        GROUP BY device_id
        ORDER BY sum(new.samples) DESC, device_id
        "#,
        since
    )
    .fetch_all(pool)
    .await
}

/// How far each device's champions of times are off about kernels that they had not seen, and the models of the same
/// kind that were there at the time.
pub(crate) async fn errors(pool: &PgPool, since: DateTime<Utc>) -> sqlx::Result<Vec<ErrorChange>> {
    sqlx::query_as!(
        ErrorChange,
        r#"
        SELECT
            champion.device_id::bigint AS "device!", champion.provider, champion.id AS model, champion.method,
            older.factor::float8 AS "before!", judged.factor::float8 AS "now!"
        FROM models AS champion
        JOIN hold_out_errors AS judged
            ON judged.model_id = champion.id AND judged.key = champion.judged_by AND judged.kernel = ''
        CROSS JOIN LATERAL (
            SELECT errors.factor
            FROM models AS older
            JOIN hold_out_errors AS errors
                ON errors.model_id = older.id AND errors.key = champion.judged_by AND errors.kernel = ''
            WHERE older.superseded AND older.held IS NULL AND older.created_at < $1
                AND have_same_specification(older, champion)
            ORDER BY older.id DESC LIMIT 1
        ) AS older
        WHERE champion.rank = 1 AND champion.response = 'time' AND champion.counted_on_device_id IS NULL
            AND champion.created_at >= $1 AND older.factor IS NOT NULL AND judged.factor IS NOT NULL
        ORDER BY champion.device_id, champion.provider
        "#,
        since
    )
    .fetch_all(pool)
    .await
}
