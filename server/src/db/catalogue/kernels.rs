//! Kernels, and how long they took.

use std::collections::BTreeMap;

use kerncast_wire::{KernelSample, KernelSummary, KernelTime, SourceUse};
use serde::Deserialize;
use sqlx::{PgPool, types::Json};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::db::{Result, limit::Limit};

/// At most `rows` kernels with names after `after`; of `only` this name where it is given, and only generated ones
/// or only others where that is.
pub(crate) async fn list(
    pool: &PgPool,
    only: Option<&str>,
    generated: Option<bool>,
    after: Option<&str>,
    rows: i64,
) -> Result<Vec<KernelSummary>> {
    Ok(sqlx::query_as!(
        KernelSummary,
        r#"
        SELECT
            name, family, generated, array_agg(DISTINCT variant) AS "variants!",
            ARRAY(
                SELECT DISTINCT jsonb_object_keys(parameters) FROM workloads
                WHERE kernel_id = kernels.id ORDER BY 1
            ) AS "parameters!",
            count(DISTINCT device_id) AS "devices!", sum(samples)::bigint AS "samples!"
        FROM kernels
        JOIN workloads ON kernel_id = kernels.id
        JOIN series ON workload_id = workloads.id
        WHERE ($1::text IS NULL OR name > $1) AND ($2::text IS NULL OR name = $2)
            AND ($4::boolean IS NULL OR generated = $4)
        GROUP BY kernels.id
        ORDER BY name
        LIMIT $3
        "#,
        after,
        only,
        rows,
        generated
    )
    .fetch_all(pool)
    .await?)
}

/// The sources of a kernel's samples, newest sample first.
pub(crate) async fn sources(pool: &PgPool, kernel: &str) -> Result<Vec<SourceUse>> {
    Ok(sqlx::query_as!(
        SourceUse,
        r#"
        SELECT
            source_hash AS hash, sources.hash IS NOT NULL AS "known!", EXISTS (
                SELECT FROM analyses WHERE analyses.hash = source_hash
            ) AS "analysed!", sum(samples)::bigint AS "samples!",
            max(last_measured_at) AS "last_measured_at!"
        FROM sample_counts
        JOIN kernels ON kernels.id = kernel_id
        LEFT JOIN sources ON sources.hash = source_hash
        WHERE kernels.name = $1 AND source_hash <> ''
        GROUP BY source_hash, sources.hash
        ORDER BY max(last_measured_at) DESC, source_hash
        "#,
        kernel
    )
    .fetch_all(pool)
    .await?)
}

/// The newest samples of a workload whose median is listed: what was measured every night for years is no slower
/// to list, and tells of today's driver.
const RECENT_SAMPLES: i64 = 15;

/// Which of a kernel's samples.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only on this device, by its id.
    device: Option<i64>,
    /// Only this variant.
    variant: Option<String>,
    /// `next` of the page before; absent: the first page.
    pub(crate) cursor: Option<String>,
    /// Items on a page.
    #[serde(default)]
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1000, default = 100)]
    pub(crate) limit: Limit,
}

/// A workload of a kernel on a device: its place in the list of times.
pub(crate) struct Place {
    pub(crate) device: i64,
    pub(crate) workload: i64,
}

/// At most `rows` times of a kernel's workloads, after the place `after`, each with its place.
pub(crate) async fn times(
    pool: &PgPool,
    kernel: &str,
    filter: &Filter,
    after: Option<Place>,
    rows: i64,
) -> Result<Vec<(Place, KernelTime)>> {
    let (device, workload) = after.map(|place| (place.device, place.workload)).unzip();
    let rows = sqlx::query!(
        r#"
        WITH listed AS MATERIALIZED (
            SELECT
                device_id, workload_id, variant, parameters, sum(samples)::bigint AS samples,
                min(min_s::float8) AS min_s,
                (array_agg(newest_id ORDER BY newest_at DESC NULLS LAST, newest_id DESC))[1] AS newest_id
            FROM series
            JOIN workloads ON workloads.id = workload_id
            JOIN kernels ON kernels.id = kernel_id
            WHERE kernels.name = $1
                AND ($2::bigint IS NULL OR device_id = $2)
                AND ($3::text IS NULL OR variant = $3)
                AND ($4::bigint IS NULL OR (device_id, workload_id) > ($4, $5::bigint))
            GROUP BY device_id, workload_id, variant, parameters
            -- All may be set aside.
            HAVING count(newest_id) > 0
            ORDER BY device_id, workload_id
            LIMIT $6
        )
        SELECT
            listed.device_id::bigint AS "device!", listed.workload_id::bigint AS "workload!", variant,
            parameters AS "parameters: Json<BTreeMap<String, i64>>", listed.samples AS "samples!",
            newest.id AS sample, newest.measured_at,
            provenance ->> 'driver_version' AS driver_version,
            newest.median_s::float8 AS "time_s!", recent.median_s AS "median_s!", listed.min_s AS "min_s!"
        FROM listed
        JOIN samples AS newest ON newest.id = newest_id
        JOIN provenances ON provenances.id = newest.provenance_id
        CROSS JOIN LATERAL (
            SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY median_s::float8) AS median_s
            FROM (
                SELECT median_s FROM samples_in_use
                WHERE device_id = listed.device_id AND workload_id = listed.workload_id
                ORDER BY measured_at DESC, id DESC
                LIMIT $7
            ) AS newest
        ) AS recent
        ORDER BY listed.device_id, listed.workload_id
        "#,
        kernel,
        filter.device,
        filter.variant,
        device,
        workload,
        rows,
        RECENT_SAMPLES
    )
    .fetch_all(pool)
    .await?;
    let times = rows.into_iter().map(|row| {
        let place = Place {
            device: row.device,
            workload: row.workload,
        };
        let time = KernelTime {
            device: row.device,
            variant: row.variant,
            parameters: row.parameters.0,
            samples: row.samples,
            sample: row.sample,
            measured_at: row.measured_at,
            driver_version: row.driver_version,
            time_s: row.time_s,
            median_s: row.median_s,
            min_s: row.min_s,
        };
        (place, time)
    });
    Ok(times.collect())
}

/// At most `rows` samples of a kernel that are in use, newest first, from before that of the id `before`.
pub(crate) async fn history(
    pool: &PgPool,
    kernel: &str,
    filter: &Filter,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<KernelSample>> {
    // Merged from series, as in samples::ids_of_series, but by time.
    let rows = sqlx::query!(
        r#"
        WITH chosen AS MATERIALIZED (
            SELECT DISTINCT device_id, workload_id, variant, parameters
            FROM series
            JOIN workloads ON workloads.id = workload_id
            JOIN kernels ON kernels.id = kernel_id
            WHERE kernels.name = $1
                AND ($2::bigint IS NULL OR device_id = $2)
                AND ($3::text IS NULL OR variant = $3)
        ), last AS MATERIALIZED (
            SELECT measured_at AS at, id FROM samples WHERE id = $4
            UNION ALL SELECT 'infinity', NULL WHERE $4::uuid IS NULL
        ), heads AS MATERIALIZED (
            SELECT found.measured_at
            FROM chosen CROSS JOIN last CROSS JOIN LATERAL (
                SELECT measured_at FROM samples_in_use AS samples
                WHERE device_id = chosen.device_id AND workload_id = chosen.workload_id
                    AND (measured_at, samples.id) < (last.at, last.id)
                ORDER BY measured_at DESC, samples.id DESC
                LIMIT (SELECT 1 + $5 / greatest(count(*), 1) FROM chosen)
            ) AS found
        )
        SELECT
            found.id AS "id!", chosen.device_id::bigint AS "device!", variant,
            parameters AS "parameters: Json<BTreeMap<String, i64>>", found.measured_at AS "measured_at!",
            provenance ->> 'driver_version' AS driver_version,
            provenance ->> 'source_hash' AS source_hash, found.median_s::float8 AS "time_s!"
        FROM chosen CROSS JOIN last CROSS JOIN LATERAL (
            SELECT * FROM samples_in_use AS samples
            WHERE device_id = chosen.device_id AND workload_id = chosen.workload_id
                AND (measured_at, samples.id) < (last.at, last.id)
                AND measured_at >= coalesce(
                    (SELECT measured_at FROM heads ORDER BY measured_at DESC OFFSET $5 - 1 LIMIT 1), '-infinity'
                )
            ORDER BY measured_at DESC, samples.id DESC
            LIMIT $5
        ) AS found
        JOIN provenances ON provenances.id = found.provenance_id
        ORDER BY found.measured_at DESC, found.id DESC
        LIMIT $5
        "#,
        kernel,
        filter.device,
        filter.variant,
        before,
        rows
    )
    .fetch_all(pool)
    .await?;
    let samples = rows.into_iter().map(|row| KernelSample {
        sample: row.id,
        device: row.device,
        variant: row.variant,
        parameters: row.parameters.0,
        measured_at: row.measured_at,
        driver_version: row.driver_version,
        source_hash: row.source_hash,
        time_s: row.time_s,
    });
    Ok(samples.collect())
}
