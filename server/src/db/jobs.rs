//! Fits that uploads have asked for.

use std::time::Duration;

use kerncast_wire::{FittingJob, FittingJobs};
use sqlx::{PgConnection, PgPool};

use super::{
    training::{FITS, FITS_ACROSS},
    words::interval,
};

/// Failed tries after which a job waits for the next upload.
const MOST_ATTEMPTS: i32 = 3;

/// All requests for one device, device counted on and provider, locked until the transaction ends.
pub(crate) struct Job {
    pub(crate) device: i32,
    /// The device whose counters forecast it, where that is another.
    pub(crate) counted_on: Option<i32>,
    pub(crate) provider: String,
    requests: Vec<i64>,
}

/// Every job that is not done.
pub(crate) async fn list(pool: &PgPool) -> sqlx::Result<FittingJobs> {
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
        former: jobs.clone(),
        items: jobs,
    })
}

/// Takes the oldest device and provider, where uploads of all devices have paused for `pause`, or it has waited for
/// `patience`: an agent that sends batch after batch is fitted once at its end, and now and then on
/// the way, and of files of several devices no pair is fitted before the last. A device's own models come before those
/// across devices, which wait until both devices have theirs: they would be asked for again. Jobs that another worker
/// holds are passed over, and so are those of a device that is being fitted: they would only wait.
pub(crate) async fn claim(
    connection: &mut PgConnection,
    pause: Duration,
    patience: Duration,
) -> sqlx::Result<Option<Job>> {
    let rows = sqlx::query!(
        r#"
        WITH ripe AS (
            SELECT
                device_id, coalesce(counted_on_device_id, 0) AS counted_on, provider, min(id) AS first,
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
        ), taken AS (
            SELECT fitting_jobs.device_id, counted_on, fitting_jobs.provider
            FROM fitting_jobs JOIN ripe ON id = first
            WHERE (CASE counted_on WHEN 0 THEN $4::bigint ELSE $5::bigint END, fitting_jobs.device_id)
                    NOT IN (SELECT kind, device FROM fitting)
                AND (
                    counted_on = 0 OR waits_long
                    OR NOT EXISTS (
                        SELECT FROM fitting_jobs AS own
                        WHERE own.counted_on_device_id IS NULL AND own.attempts < $1
                            AND own.device_id IN (ripe.device_id, counted_on)
                    )
                )
            ORDER BY counted_on <> 0, id
            LIMIT 1
            FOR UPDATE OF fitting_jobs SKIP LOCKED
        )
        SELECT id, device_id, counted_on_device_id, provider
        FROM fitting_jobs JOIN taken USING (device_id, provider)
        WHERE coalesce(counted_on_device_id, 0) = counted_on
        FOR UPDATE OF fitting_jobs SKIP LOCKED
        "#,
        MOST_ATTEMPTS,
        interval(pause),
        interval(patience),
        i64::from(FITS),
        i64::from(FITS_ACROSS),
    )
    .fetch_all(&mut *connection)
    .await?;
    if !rows.is_empty() {
        // Nobody waits for a fit, and it may wait for another one's lock.
        sqlx::query!("SELECT set_config('statement_timeout', '1h', true)")
            .fetch_one(connection)
            .await?;
    }
    let requests = rows.iter().map(|row| row.id).collect();
    Ok(rows.into_iter().next().map(|row| Job {
        device: row.device_id,
        counted_on: row.counted_on_device_id,
        provider: row.provider,
        requests,
    }))
}

/// Asks for fits wherever other code than today's made a model that nothing has replaced. `current` are the
/// code versions of all methods. Returns of how many devices, devices counted on and providers.
pub(crate) async fn ask_where_outdated(pool: &PgPool, current: &[String]) -> sqlx::Result<u64> {
    let asked = sqlx::query_scalar!(
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
        current
    );
    let asked = asked.fetch_one(pool).await?;
    Ok(u64::try_from(asked).unwrap_or(0))
}

/// Asks for models across devices that new samples of a device with counters of a provider (or of any), or
/// its new ceilings, may change: from it to others, and from others to it, wherever both have run a workload,
/// or the target only its ceilings. Such a target is forecast by all others, so it is asked for whoever has
/// changed. What counts only the launch's geometry, or only local memory, tells nothing of another device.
pub(crate) async fn ask_across(
    connection: &mut PgConnection,
    device: i32,
    provider: Option<&str>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        WITH counted AS (
            SELECT DISTINCT device_id, provider FROM counted_series WHERE provider <> 'local_memory'
        )
        INSERT INTO fitting_jobs (device_id, counted_on_device_id, provider)
        SELECT target.id, counted.device_id, counted.provider
        FROM devices AS target
        JOIN counted ON counted.device_id <> target.id
        WHERE
            CASE WHEN EXISTS (SELECT FROM series WHERE series.device_id = target.id AND newest_id IS NOT NULL) THEN
                (target.id = $1 OR counted.device_id = $1 AND provider = coalesce($2, provider))
                AND EXISTS (
                    SELECT FROM counted_series AS common JOIN series USING (workload_id)
                    WHERE common.device_id = counted.device_id AND common.provider = counted.provider
                        AND series.device_id = target.id AND series.newest_id IS NOT NULL
                )
            ELSE EXISTS (SELECT FROM ceilings WHERE ceilings.device_id = target.id) END
        UNION
        -- What there is, though nothing may be left to fit it to.
        SELECT device_id, counted_on_device_id, provider
        FROM models
        WHERE NOT superseded AND counted_on_device_id IS NOT NULL
            AND (device_id = $1 OR counted_on_device_id = $1 AND provider = coalesce($2, provider))
        ",
        device,
        provider
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Ends a job, in the transaction that stores its models.
pub(crate) async fn finish(connection: &mut PgConnection, job: &Job) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM fitting_jobs WHERE id = ANY ($1)",
        &job.requests
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Notes a failed try; the next one waits, longer each time.
pub(crate) async fn fail(
    connection: &mut PgConnection,
    job: &Job,
    error: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        r#"
        UPDATE fitting_jobs
        SET attempts = attempts + 1, last_error = $2,
            retry_at = now() + (attempts + 1) * interval '10 seconds'
        WHERE id = ANY ($1)
        "#,
        &job.requests,
        error
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Notes that the database failed: that is no try. The next one waits.
pub(crate) async fn postpone(pool: &PgPool, job: &Job, error: &str) -> sqlx::Result<()> {
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
    .await
    .map(|_| ())
}
