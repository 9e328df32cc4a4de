//! Kernels, and how long they took.

use std::collections::BTreeMap;

use kerncast_wire::{KernelSample, KernelSummary, KernelTime, SourceUse};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

/// At most `rows` kernels with names after `after`; of `only` this name where it is given.
pub(crate) async fn list(
    pool: &PgPool,
    only: Option<&str>,
    after: Option<&str>,
    rows: i64,
) -> sqlx::Result<Vec<KernelSummary>> {
    sqlx::query_as!(
        KernelSummary,
        r#"
        WITH measured AS (
            SELECT device_id, workload_id, count(*) AS samples
            FROM samples
            WHERE $2::text IS NULL OR workload_id IN (
                SELECT workloads.id FROM workloads JOIN kernels ON kernels.id = kernel_id WHERE name = $2
            )
            GROUP BY device_id, workload_id
        )
        SELECT
            name, family, array_agg(DISTINCT variant) AS "variants!",
            ARRAY(
                SELECT DISTINCT jsonb_object_keys(parameters) FROM workloads
                WHERE kernel_id = kernels.id ORDER BY 1
            ) AS "parameters!",
            count(DISTINCT device_id) AS "devices!", sum(samples)::bigint AS "samples!"
        FROM kernels
        JOIN workloads ON kernel_id = kernels.id
        JOIN measured ON workload_id = workloads.id
        WHERE ($1::text IS NULL OR name > $1) AND ($2::text IS NULL OR name = $2)
        GROUP BY kernels.id
        ORDER BY name
        LIMIT $3
        "#,
        after,
        only,
        rows
    )
    .fetch_all(pool)
    .await
}

/// The sources of a kernel's samples, newest sample first.
pub(crate) async fn sources(pool: &PgPool, kernel: &str) -> sqlx::Result<Vec<SourceUse>> {
    sqlx::query_as!(
        SourceUse,
        r#"
        SELECT
            used.hash AS "hash!", sources.hash IS NOT NULL AS "known!", samples AS "samples!",
            first_measured_at AS "first_measured_at!", last_measured_at AS "last_measured_at!"
        FROM (
            SELECT
                provenance ->> 'source_hash' AS hash, count(*) AS samples,
                min(measured_at) AS first_measured_at, max(measured_at) AS last_measured_at
            FROM samples
            JOIN workloads ON workloads.id = workload_id
            JOIN kernels ON kernels.id = kernel_id
            WHERE kernels.name = $1 AND provenance ->> 'source_hash' IS NOT NULL
            GROUP BY 1
        ) AS used
        LEFT JOIN sources ON sources.hash = used.hash
        ORDER BY last_measured_at DESC, used.hash
        "#,
        kernel
    )
    .fetch_all(pool)
    .await
}

/// Which of a kernel's samples.
pub(crate) struct Filter {
    pub(crate) kernel: String,
    pub(crate) device: Option<i64>,
    pub(crate) variant: Option<String>,
}

/// A workload of a kernel on a device: its place in the list of times.
pub(crate) struct Place {
    pub(crate) device: i64,
    pub(crate) workload: i64,
}

/// At most `rows` times of a kernel's workloads, after the place `after`, each with its place.
pub(crate) async fn times(
    pool: &PgPool,
    filter: &Filter,
    after: Option<Place>,
    rows: i64,
) -> sqlx::Result<Vec<(Place, KernelTime)>> {
    let (device, workload) = after.map(|place| (place.device, place.workload)).unzip();
    let rows = sqlx::query!(
        r#"
        SELECT
            device_id::bigint AS "device!", workload_id::bigint AS "workload!", variant,
            parameters AS "parameters: Json<BTreeMap<String, i64>>", count(*) AS "samples!",
            (array_agg(samples.id ORDER BY measured_at DESC, samples.id DESC))[1] AS "sample!",
            max(measured_at) AS "measured_at!",
            (array_agg(provenance ->> 'driver_version' ORDER BY measured_at DESC, samples.id DESC))[1]
                AS driver_version,
            (array_agg(median_s::float8 ORDER BY measured_at DESC, samples.id DESC))[1] AS "time_s!",
            percentile_cont(0.5) WITHIN GROUP (ORDER BY median_s::float8) AS "median_s!",
            min(min_s::float8) AS "min_s!"
        FROM samples
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE kernels.name = $1
            AND ($2::bigint IS NULL OR device_id = $2)
            AND ($3::text IS NULL OR variant = $3)
            AND ($4::bigint IS NULL OR (device_id, workload_id) > ($4, $5::bigint))
        GROUP BY device_id, workload_id, variant, parameters
        ORDER BY device_id, workload_id
        LIMIT $6
        "#,
        filter.kernel,
        filter.device,
        filter.variant,
        device,
        workload,
        rows
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

/// At most `rows` samples of a kernel, newest first, from before that of the id `before`.
pub(crate) async fn history(
    pool: &PgPool,
    filter: &Filter,
    before: Option<Uuid>,
    rows: i64,
) -> sqlx::Result<Vec<KernelSample>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            samples.id, device_id::bigint AS "device!", variant,
            parameters AS "parameters: Json<BTreeMap<String, i64>>", measured_at,
            provenance ->> 'driver_version' AS driver_version,
            provenance ->> 'source_hash' AS source_hash, median_s AS "time_s: f64"
        FROM samples
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE kernels.name = $1
            AND ($2::bigint IS NULL OR device_id = $2)
            AND ($3::text IS NULL OR variant = $3)
            AND (
                $4::uuid IS NULL
                OR (measured_at, samples.id) < (SELECT measured_at, id FROM samples WHERE id = $4)
            )
        ORDER BY measured_at DESC, samples.id DESC
        LIMIT $5
        "#,
        filter.kernel,
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
