//! Fits that uploads have asked for.

use std::time::Duration;

use kerncast_training::code_versions;
use kerncast_wire::{FittingJob, FittingJobs};
use sqlx::{PgConnection, PgPool};

use super::fit_key::{FITS_ACROSS_LOCK, FITS_LOCK, FitKey};
use crate::db::{Result, interval};

/// Failed tries after which a job waits for the next upload.
pub(super) const MOST_ATTEMPTS: i32 = 3;

/// All requests for one device, device counted on and provider, as they were when a worker began. An upload may join one
/// of them meanwhile: its row has another version then, and is a request of its own.
pub(crate) struct Job {
    pub(crate) key: FitKey,
    requests: Vec<i64>,
    /// Each request's version: the transaction that wrote it last.
    versions: Vec<i64>,
}

/// What there was to claim.
pub(crate) enum Claim {
    Job(Job),
    /// Another worker was faster, and from now on its device is passed over.
    Taken,
    Nothing,
}

/// Every job that is not done.
pub(crate) async fn list(pool: &PgPool) -> Result<FittingJobs> {
    let jobs = sqlx::query_as!(
        FittingJob,
        r#"
        SELECT
            device_id::bigint AS "device!", counted_on_device_id::bigint AS counted_on, provider,
            -- What was given up waits for nothing.
            coalesce(min(requested_at) FILTER (WHERE attempts < $1), min(requested_at)) AS "requested_at!",
            max(attempts) AS "attempts!", max(last_error) AS last_error,
            bool_and(attempts >= $1) AS "given_up!"
        FROM fitting_jobs
        GROUP BY device_id, counted_on_device_id, provider
        ORDER BY min(id)
        "#,
        MOST_ATTEMPTS
    )
    .fetch_all(pool)
    .await?;
    let pending = jobs.iter().filter(|job| !job.given_up).count();
    Ok(FittingJobs {
        pending: i64::try_from(pending).unwrap_or(i64::MAX),
        items: jobs,
    })
}

/// Takes the oldest device and provider, where uploads of all devices have paused for `pause`, or it has waited for
/// `patience`: an agent that sends batch after batch is fitted once at its end, and now and then on
/// the way, and of files of several devices no pair is fitted before the last. A device's own models come before those
/// across devices, which wait until both devices have theirs: they would be asked for again. Jobs of a device that is
/// being fitted are passed over: they would only wait.
///
/// Until the transaction ends no other worker fits the device. Nothing is written, so that the transaction has no number
/// while fits are computed, and vacuum goes on: uploads slow down to a third where it cannot.
pub(crate) async fn claim(
    connection: &mut PgConnection,
    pause: Duration,
    patience: Duration,
) -> Result<Claim> {
    let Some(key) = oldest_due(connection, pause, patience).await? else {
        return Ok(Claim::Nothing);
    };
    if !key.try_lock(connection).await? {
        return Ok(Claim::Taken);
    }
    // Now nobody else takes them, but somebody may just have.
    let requests = sqlx::query!(
        r#"
        SELECT id, xmin::text::bigint AS "version!"
        FROM fitting_jobs
        WHERE device_id = $1 AND counted_on_device_id IS NOT DISTINCT FROM $2 AND provider = $3
        "#,
        key.device,
        key.counted_on,
        key.provider
    )
    .fetch_all(&mut *connection)
    .await?;
    if requests.is_empty() {
        return Ok(Claim::Taken);
    }
    // Nobody waits for a fit.
    sqlx::query!("SELECT set_config('statement_timeout', '1h', true)")
        .fetch_one(connection)
        .await?;
    Ok(Claim::Job(Job {
        key,
        requests: requests.iter().map(|it| it.id).collect(),
        versions: requests.iter().map(|it| it.version).collect(),
    }))
}

/// What [`claim`] should fit next, but for what other workers are fitting; none where nothing is due.
async fn oldest_due(
    connection: &mut PgConnection,
    pause: Duration,
    patience: Duration,
) -> Result<Option<FitKey>> {
    let row = sqlx::query!(
        r#"
        WITH ripe AS (
            SELECT
                device_id, counted_on_device_id AS counted_on, provider, min(id) AS first,
                min(requested_at) <= now() - $3::interval AS waits_long
            FROM fitting_jobs
            WHERE attempts < $1
            GROUP BY device_id, counted_on_device_id, provider
            HAVING max(retry_at) <= now()
                AND (
                    -- Uploads ask for a device's own; the rest is asked for by those.
                    greatest(
                        max(newest_at),
                        (SELECT max(newest_at) FROM fitting_jobs WHERE counted_on_device_id IS NULL)
                    ) <= now() - $2::interval
                    OR min(requested_at) <= now() - $3::interval
                )
        ), fitting AS MATERIALIZED (
            SELECT classid::bigint AS kind, objid::bigint AS device
            FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = 2
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        )
        SELECT device_id, counted_on, provider
        FROM ripe
        WHERE (CASE WHEN counted_on IS NULL THEN $4::bigint ELSE $5::bigint END, device_id)
                NOT IN (SELECT kind, device FROM fitting)
            AND (
                counted_on IS NULL OR waits_long
                OR NOT EXISTS (
                    SELECT FROM fitting_jobs AS own
                    WHERE own.counted_on_device_id IS NULL AND own.attempts < $1
                        AND own.device_id IN (ripe.device_id, counted_on)
                )
            )
        ORDER BY counted_on IS NOT NULL, first
        LIMIT 1
        "#,
        MOST_ATTEMPTS,
        interval(pause),
        interval(patience),
        i64::from(FITS_LOCK),
        i64::from(FITS_ACROSS_LOCK),
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| FitKey {
        device: row.device_id,
        counted_on: row.counted_on,
        provider: row.provider,
    }))
}

/// Asks for fits wherever other code than today's made a model that nothing has replaced. Returns of how many devices,
/// devices counted on and providers.
///
/// # Errors
/// Where the database fails.
pub async fn request_outdated_fits(pool: &PgPool) -> Result<u64> {
    let count = sqlx::query_scalar!(
        r#"
        WITH outdated AS (
            SELECT DISTINCT device_id, counted_on_device_id, provider
            FROM models
            WHERE NOT superseded AND code_version <> ALL ($1)
        ), asked AS (
            INSERT INTO fitting_jobs (device_id, counted_on_device_id, provider) SELECT * FROM outdated
        )
        SELECT count(*) AS "count!" FROM outdated
        "#,
        &code_versions()
    );
    let count = count.fetch_one(pool).await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Asks for models across devices that new samples of a device with counters of a provider may change: from it to
/// others, and from others to it, wherever both have run a workload. What counts only the launch's geometry, or only
/// local memory, tells nothing of another device.
pub(crate) async fn request_fits_across(
    connection: &mut PgConnection,
    device: i32,
    provider: &str,
) -> Result<()> {
    sqlx::query!(
        "
        WITH counted AS (
            SELECT DISTINCT device_id, provider FROM counted_series
            WHERE provider NOT IN ('launch', 'local_memory') AND newest_id IS NOT NULL
        )
        INSERT INTO fitting_jobs (device_id, counted_on_device_id, provider)
        SELECT target.id, counted.device_id, counted.provider
        FROM devices AS target
        JOIN counted ON counted.device_id <> target.id
        WHERE
            (target.id = $1 OR counted.device_id = $1 AND provider = $2)
            AND EXISTS (
                SELECT FROM counted_series AS common JOIN series USING (workload_id)
                WHERE common.device_id = counted.device_id AND common.provider = counted.provider
                    AND common.newest_id IS NOT NULL
                    AND series.device_id = target.id AND series.newest_id IS NOT NULL
            )
        UNION
        -- What there is, though nothing may be left to fit it to.
        SELECT device_id, counted_on_device_id, provider
        FROM models
        WHERE NOT superseded AND counted_on_device_id IS NOT NULL
            AND (device_id = $1 OR counted_on_device_id = $1 AND provider = $2)
        ",
        device,
        provider
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends a job, in the transaction that stores its models. What has been asked for since it was claimed waits on, from now.
pub(crate) async fn finish(connection: &mut PgConnection, job: &Job) -> Result<()> {
    sqlx::query!(
        "
        DELETE FROM fitting_jobs
        USING unnest($1::bigint[], $2::bigint[]) AS claimed (id, version)
        WHERE fitting_jobs.id = claimed.id AND fitting_jobs.xmin::text::bigint = version
        ",
        &job.requests,
        &job.versions
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "UPDATE fitting_jobs SET requested_at = newest_at WHERE id = ANY ($1)",
        &job.requests
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes a failed try; the next one waits, longer each time. It is none of what has been asked for since it began.
pub(crate) async fn fail(connection: &mut PgConnection, job: &Job, error: &str) -> Result<()> {
    sqlx::query!(
        r#"
        UPDATE fitting_jobs
        SET attempts = attempts + (xmin::text::bigint = version)::integer, last_error = $3,
            requested_at = CASE WHEN xmin::text::bigint = version THEN requested_at ELSE newest_at END,
            -- The transaction began before the fit.
            retry_at = clock_timestamp() + (attempts + 1) * interval '10 seconds'
        FROM unnest($1::bigint[], $2::bigint[]) AS claimed (id, version)
        WHERE fitting_jobs.id = claimed.id
        "#,
        &job.requests,
        &job.versions,
        error
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes that the database failed: that is no try. The next one waits.
pub(crate) async fn postpone(pool: &PgPool, job: &Job, error: &str) -> Result<()> {
    sqlx::query!(
        "
        UPDATE fitting_jobs
        SET last_error = $2, retry_at = now() + interval '10 seconds'
        WHERE id = ANY ($1)
        ",
        &job.requests,
        error
    )
    .execute(pool)
    .await?;
    Ok(())
}
