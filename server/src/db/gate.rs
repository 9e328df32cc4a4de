//! Samples that wait for the gate, and what it says of them.

use std::collections::{BTreeMap, HashMap};

use kerncast_profilers::catalogue::canonical;
use kerncast_training::gate::{Arrived, History, Verdict};
use kerncast_wire::Ceilings;
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

/// Keeps other uses of advisory locks apart.
const GATE: i32 = 0x6b63_6167;
/// Samples, and counters of all of them together, that are judged at a time: some 100 MB.
const MOST: i64 = 10_000;
const MOST_COUNTERS: i64 = 1_000_000;
/// The newest samples of a workload that tell what is usual.
const RECENT: i64 = 15;

/// Makes judgements of a device's samples wait for each other until the transaction ends.
pub(crate) async fn lock(connection: &mut PgConnection, device: i32) -> sqlx::Result<()> {
    sqlx::query!(
        r#"SELECT pg_advisory_xact_lock($1, $2) AS "locked!: ()""#,
        GATE,
        device
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Whether samples of the device wait for their first judgement.
pub(crate) async fn anything_new(connection: &mut PgConnection, device: i32) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM standings WHERE standing = 'unjudged' AND device_id = $1
        ) AS "any!"
        "#,
        device
    )
    .fetch_one(connection)
    .await
}

/// The samples of the device that no admin has decided on and that are not sound, with their workloads' history, but
/// without forecasts.
pub(crate) async fn waiting(
    connection: &mut PgConnection,
    device: i32,
) -> sqlx::Result<Vec<Arrived>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            samples.id, coalesce(tokens.agent, agents.name) AS "agent!", measured_at, received_at, workload_id,
            kernels.name AS kernel, variant, median_s::float8 AS "median_s!"
        FROM standings
        JOIN samples ON samples.id = sample_id
        JOIN agents ON agents.id = samples.agent_id
        LEFT JOIN tokens ON tokens.id = token_id
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE samples.id = ANY ($1)
        ORDER BY samples.id
        "#,
        &those_that_fit(connection, device).await?
    )
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut workloads: Vec<i32> = rows.iter().map(|row| row.workload_id).collect();
    workloads.sort_unstable();
    workloads.dedup();
    let histories = histories(connection, device, &workloads).await?;
    let mut counters = counters(connection, &ids).await?;
    let arrived = rows.into_iter().map(|row| Arrived {
        counters: counters.remove(&row.id).unwrap_or_default(),
        history: histories.get(&row.workload_id).cloned().unwrap_or_default(),
        forecasts: Vec::new(),
        id: row.id,
        agent: row.agent,
        measured_at: row.measured_at,
        received_at: row.received_at,
        workload: row.workload_id,
        kernel: row.kernel,
        variant: row.variant,
        median_s: row.median_s,
    });
    Ok(arrived.collect())
}

/// What waits, but no more than memory has room for: first what was never judged, then the newest. Where something
/// is left that was never judged, it is for the next time.
async fn those_that_fit(connection: &mut PgConnection, device: i32) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        r#"
        SELECT sample_id AS "id!"
        FROM (
            SELECT
                sample_id, row_number() OVER turn AS place,
                sum(coalesce(counted.counters, 0)) OVER turn AS counters
            FROM (
                SELECT sample_id, standing FROM standings
                WHERE standing IN ('unjudged', 'quarantined') AND device_id = $1
                ORDER BY standing DESC, sample_id DESC
                LIMIT $2
            ) AS waiting
            LEFT JOIN LATERAL (
                SELECT sum(cardinality(counter_ids)) AS counters FROM readings
                WHERE readings.sample_id = waiting.sample_id
            ) AS counted ON true
            WINDOW turn AS (ORDER BY standing DESC, sample_id DESC)
        ) AS placed
        WHERE place = 1 OR counters <= $3::bigint
        "#,
        device,
        MOST,
        MOST_COUNTERS
    )
    .fetch_all(connection)
    .await
}

/// What is trusted of these workloads on the device.
async fn histories(
    connection: &mut PgConnection,
    device: i32,
    workloads: &[i32],
) -> sqlx::Result<HashMap<i32, History>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            workload AS "workload!", array_agg(median_s ORDER BY place) AS "times_s!",
            (array_agg(id ORDER BY place))[1] AS "newest!"
        FROM unnest($2::integer[]) AS workload
        CROSS JOIN LATERAL (
            SELECT id, median_s::float8 AS median_s, row_number() OVER (ORDER BY measured_at DESC, id DESC) AS place
            FROM (
                SELECT id, median_s, measured_at FROM trusted_samples
                WHERE device_id = $1 AND workload_id = workload
                ORDER BY measured_at DESC, id DESC
                LIMIT $3
            ) AS recent
        ) AS newest
        GROUP BY workload
        "#,
        device,
        workloads,
        RECENT
    )
    .fetch_all(&mut *connection)
    .await?;
    let newest: Vec<Uuid> = rows.iter().map(|row| row.newest).collect();
    let mut counters = counters(connection, &newest).await?;
    let histories = rows.into_iter().map(|row| {
        let history = History {
            times_s: row.times_s,
            counters: counters.remove(&row.newest).unwrap_or_default(),
        };
        (row.workload, history)
    });
    Ok(histories.collect())
}

/// Of all providers, under the names that they have here.
async fn counters(
    connection: &mut PgConnection,
    samples: &[Uuid],
) -> sqlx::Result<HashMap<Uuid, BTreeMap<String, f64>>> {
    let names: HashMap<i32, String> =
        sqlx::query!(r#"SELECT id, provider || ':' || name AS "name!" FROM counters"#)
            .fetch_all(&mut *connection)
            .await?
            .into_iter()
            .map(|row| (row.id, canonical(&row.name).into_owned()))
            .collect();
    let rows = sqlx::query!(
        r#"
        SELECT sample_id, counter_ids AS "counter_ids!", values AS "values!: Vec<f64>"
        FROM readings
        WHERE sample_id = ANY ($1) AND refusal IS NULL
        "#,
        samples
    )
    .fetch_all(connection)
    .await?;
    let mut counters: HashMap<Uuid, BTreeMap<String, f64>> = HashMap::new();
    for row in rows {
        let named = row.counter_ids.iter().map(|id| names[id].clone());
        let of_sample = counters.entry(row.sample_id).or_default();
        of_sample.extend(named.zip(row.values));
    }
    Ok(counters)
}

/// What the device was last measured to do at most.
pub(crate) async fn ceilings(
    connection: &mut PgConnection,
    device: i32,
) -> sqlx::Result<Option<Ceilings>> {
    sqlx::query_scalar!(
        r#"
        SELECT ceilings_json(ceilings) AS "ceilings!: Json<Ceilings>"
        FROM ceilings
        WHERE device_id = $1
        ORDER BY measured_at DESC, id DESC
        LIMIT 1
        "#,
        device
    )
    .fetch_optional(connection)
    .await
    .map(|found| found.map(|Json(ceilings)| ceilings))
}

/// The models that answer for times on the device from its own counters, one a provider.
pub(crate) async fn champions(
    connection: &mut PgConnection,
    device: i32,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "
        SELECT id FROM models
        WHERE rank = 1 AND response = 'time' AND device_id = $1 AND counted_on_device_id IS NULL
        ",
        device
    )
    .fetch_all(connection)
    .await
}

/// Keeps the gate's verdicts on `judged`, beside them, unless an admin has decided meanwhile. Where a sample comes
/// out of quarantine it asks for fits by all providers that counted it but `provider`, whose fit is under way.
pub(crate) async fn store(
    connection: &mut PgConnection,
    judged: &[Arrived],
    verdicts: &[Verdict],
    provider: Option<&str>,
) -> sqlx::Result<()> {
    let (mut sound, mut quarantined, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    for (arrived, verdict) in judged.iter().zip(verdicts) {
        match verdict {
            Verdict::Sound => sound.push(arrived.id),
            Verdict::Quarantined { reason } => {
                quarantined.push(arrived.id);
                reasons.push(reason.clone());
            }
        }
    }
    let released = sqlx::query!(
        r#"
        DELETE FROM standings WHERE sample_id = ANY ($1) AND decision IS NULL
        RETURNING sample_id, judgement AS "judgement!"
        "#,
        &sound
    )
    .fetch_all(&mut *connection)
    .await?;
    let released: Vec<Uuid> = released
        .into_iter()
        .filter(|row| row.judgement == "quarantined")
        .map(|row| row.sample_id)
        .collect();
    let caught = sqlx::query_scalar!(
        "
        WITH new AS (
            SELECT sample_id, standings.judgement AS former, said.reason
            FROM unnest($1::uuid[], $2::text[]) AS said (id, reason)
            JOIN standings ON sample_id = id
            WHERE decision IS NULL
            ORDER BY sample_id
            FOR UPDATE OF standings
        ), kept AS (
            UPDATE standings SET judgement = 'quarantined', judgement_reason = reason,
                since = CASE WHEN former = 'quarantined' THEN since ELSE now() END
            FROM new
            WHERE standings.sample_id = new.sample_id AND judgement_reason IS DISTINCT FROM reason
        )
        SELECT sample_id FROM new WHERE former = 'unjudged'
        ",
        &quarantined,
        &reasons
    )
    .fetch_all(&mut *connection)
    .await?;
    if !released.is_empty() {
        sqlx::query!(
            "
            INSERT INTO fitting_jobs (device_id, provider)
            SELECT DISTINCT device_id, provider
            FROM readings JOIN samples ON samples.id = sample_id
            WHERE sample_id = ANY ($1) AND refusal IS NULL AND provider IS DISTINCT FROM $2
            ",
            &released,
            provider
        )
        .execute(&mut *connection)
        .await?;
    }
    let changed = [released, caught].concat();
    if !changed.is_empty() {
        sqlx::query!("SELECT look_again($1)", &changed)
            .execute(connection)
            .await?;
    }
    Ok(())
}
