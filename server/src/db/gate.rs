//! Samples that wait for the gate, and what it says of them.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
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
/// The newest samples of a workload that tell what is usual: so many are looked at …
const NEWEST: i64 = 100;
/// … and so many are told, …
const RECENT: usize = 15;
/// … of one agent's within this time the newest: who measures often is one witness.
const ONE_WITNESS: TimeDelta = TimeDelta::hours(12);

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

/// The samples of the device that no admin has decided on and that are not sound, and those that were found sound
/// within the hour, of agents of which something is new: their collection may turn out to be shifted when more of it
/// arrives. With their workloads' history, but without forecasts.
pub(crate) async fn waiting(
    connection: &mut PgConnection,
    device: i32,
) -> sqlx::Result<Vec<Arrived>> {
    let ids = those_that_fit(connection, device).await?;
    let rows = sqlx::query!(
        r#"
        SELECT
            samples.id, coalesce(tokens.agent, agents.name) AS "agent!", measured_at, received_at, workload_id,
            kernels.name AS kernel, variant, median_s::float8 AS "median_s!"
        FROM samples
        JOIN agents ON agents.id = agent_id
        LEFT JOIN tokens ON tokens.id = token_id
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE samples.id = ANY ($1)
        ORDER BY samples.id
        "#,
        &ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut workloads: Vec<i32> = rows.iter().map(|row| row.workload_id).collect();
    workloads.sort_unstable();
    workloads.dedup();
    let histories = histories(connection, device, &workloads, &ids).await?;
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

/// What waits, but no more than memory has room for: first what was never judged, then what was found sound within
/// the hour, then what is quarantined, the newest first. Where something is left that was never judged, it is for the
/// next time.
async fn those_that_fit(connection: &mut PgConnection, device: i32) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        r#"
        WITH never AS MATERIALIZED (
            SELECT sample_id AS id FROM standings
            WHERE standing = 'unjudged' AND device_id = $1
            ORDER BY sample_id DESC
            LIMIT $2
        ), whose AS MATERIALIZED (
            SELECT DISTINCT coalesce(tokens.agent, agents.name) AS name
            FROM never
            JOIN samples USING (id)
            JOIN agents ON agents.id = agent_id
            LEFT JOIN tokens ON tokens.id = token_id
        ), waiting AS (
            SELECT id, 0 AS turn FROM never
            UNION ALL
            SELECT samples.id, 1
            FROM samples
            JOIN agents ON agents.id = agent_id
            LEFT JOIN tokens ON tokens.id = token_id
            WHERE device_id = $1 AND received_at > now() - interval '1 hour' AND origin <> 'shipped'
                AND coalesce(tokens.agent, agents.name) IN (SELECT name FROM whose)
                AND NOT EXISTS (SELECT FROM standings WHERE sample_id = samples.id)
            UNION ALL
            SELECT sample_id, 2 FROM standings
            WHERE standing = 'quarantined' AND device_id = $1
        ), placed AS (
            SELECT
                id, row_number() OVER turns AS place, sum(coalesce(counted.counters, 0)) OVER turns AS counters
            FROM (SELECT id, turn FROM waiting ORDER BY turn, id DESC LIMIT $2) AS first
            LEFT JOIN LATERAL (
                SELECT sum(cardinality(counter_ids)) AS counters FROM readings
                WHERE readings.sample_id = first.id
            ) AS counted ON true
            WINDOW turns AS (ORDER BY turn, id DESC)
        )
        SELECT id AS "id!" FROM placed WHERE place = 1 OR counters <= $3::bigint
        "#,
        device,
        MOST,
        MOST_COUNTERS
    )
    .fetch_all(connection)
    .await
}

/// What is trusted of these workloads on the device, but for what is judged now.
async fn histories(
    connection: &mut PgConnection,
    device: i32,
    workloads: &[i32],
    judged: &[Uuid],
) -> sqlx::Result<HashMap<i32, History>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            workload AS "workload!", newest.id AS "id!", median_s AS "median_s!",
            received_at AS "received_at!", coalesce(tokens.agent, agents.name) AS "agent!"
        FROM unnest($2::integer[]) AS workload
        CROSS JOIN LATERAL (
            SELECT id, median_s::float8 AS median_s, measured_at, received_at, agent_id, token_id
            FROM trusted_samples
            WHERE device_id = $1 AND workload_id = workload AND id <> ALL ($4)
            ORDER BY measured_at DESC, id DESC
            LIMIT $3
        ) AS newest
        JOIN agents ON agents.id = agent_id
        LEFT JOIN tokens ON tokens.id = token_id
        ORDER BY workload, measured_at DESC, newest.id DESC
        "#,
        device,
        workloads,
        NEWEST,
        judged
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut witnesses: HashMap<i32, Vec<(String, DateTime<Utc>)>> = HashMap::new();
    let mut histories: HashMap<i32, History> = HashMap::new();
    let mut newest: HashMap<i32, Uuid> = HashMap::new();
    for row in rows {
        newest.entry(row.workload).or_insert(row.id);
        let told = witnesses.entry(row.workload).or_default();
        let same = |(agent, at): &(String, DateTime<Utc>)| {
            *agent == row.agent && (*at - row.received_at).abs() < ONE_WITNESS
        };
        if told.len() < RECENT && !told.iter().any(same) {
            told.push((row.agent, row.received_at));
            let history = histories.entry(row.workload).or_default();
            history.times_s.push(row.median_s);
        }
    }
    let ids: Vec<Uuid> = newest.values().copied().collect();
    let mut counters = counters(connection, &ids).await?;
    for (workload, history) in &mut histories {
        history.counters = counters.remove(&newest[workload]).unwrap_or_default();
    }
    Ok(histories)
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
/// out of quarantine, or had been fitted and goes there, it asks for fits by all providers that counted it but
/// `provider`, whose fit is under way.
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
    let former: HashMap<Uuid, String> = sqlx::query!(
        r#"
        SELECT sample_id, standing AS "standing!" FROM standings
        WHERE sample_id = ANY ($1)
        ORDER BY sample_id
        FOR UPDATE
        "#,
        &[&sound[..], &quarantined[..]].concat()
    )
    .fetch_all(&mut *connection)
    .await?
    .into_iter()
    .map(|row| (row.sample_id, row.standing))
    .collect();
    let was = |id: &Uuid| former.get(id).map_or("sound", String::as_str);
    sqlx::query!(
        "DELETE FROM standings WHERE sample_id = ANY ($1) AND decision IS NULL",
        &sound
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "
        INSERT INTO standings AS it (sample_id, device_id, agent_id, judgement, judgement_reason)
        SELECT said.id, device_id, agent_id, 'quarantined', reason
        FROM unnest($1::uuid[], $2::text[]) AS said (id, reason)
        JOIN samples USING (id)
        ORDER BY said.id
        ON CONFLICT (sample_id) DO UPDATE
            SET judgement = excluded.judgement, judgement_reason = excluded.judgement_reason,
                since = CASE WHEN it.judgement = 'quarantined' THEN it.since ELSE now() END
            WHERE it.decision IS NULL AND it.judgement_reason IS DISTINCT FROM excluded.judgement_reason
        ",
        &quarantined,
        &reasons
    )
    .execute(&mut *connection)
    .await?;
    let released = sound.iter().filter(|id| was(id) == "quarantined");
    let fitted = quarantined.iter().filter(|id| was(id) == "sound");
    let fits: Vec<Uuid> = released.chain(fitted).copied().collect();
    let new = quarantined.iter().filter(|id| was(id) == "unjudged");
    let changed: Vec<Uuid> = fits.iter().chain(new).copied().collect();
    if !fits.is_empty() {
        sqlx::query!(
            "
            INSERT INTO fitting_jobs (device_id, provider)
            SELECT DISTINCT device_id, provider
            FROM readings JOIN samples ON samples.id = sample_id
            WHERE sample_id = ANY ($1) AND refusal IS NULL AND provider IS DISTINCT FROM $2
            ",
            &fits,
            provider
        )
        .execute(&mut *connection)
        .await?;
    }
    if !changed.is_empty() {
        sqlx::query!("SELECT look_again($1)", &changed)
            .execute(connection)
            .await?;
    }
    Ok(())
}
