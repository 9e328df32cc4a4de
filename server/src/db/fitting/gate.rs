//! Samples that wait for the gate, and what it says of them.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use kerncast_training::gate::{ArrivedSample, SampleCounters, Verdict};
use kerncast_wire::Ceilings;
use sqlx::{PgConnection, PgExecutor, PgPool, types::JsonValue};
use uuid::Uuid;

use super::history::{ChampionCounters, EarlierCounts, times};
use crate::db::{Result, to_json, uploads::readings};

/// Keeps other uses of advisory locks apart.
const GATE: i32 = 0x6b63_6167;
/// Samples, and counters of all of them together, that are judged at a time: some 100 MB.
const MOST: i64 = 10_000;
const MOST_COUNTERS: i64 = 1_000_000;

/// Makes judgements of a device's samples wait for each other until the transaction ends.
pub(crate) async fn lock(connection: &mut PgConnection, device: i32) -> Result<()> {
    sqlx::query!(
        r#"SELECT pg_advisory_xact_lock($1, $2) AS "locked!: ()""#,
        GATE,
        device
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether samples of the device wait for their first judgement.
pub(crate) async fn has_unjudged(executor: impl PgExecutor<'_>, device: i32) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM standings WHERE standing = 'unjudged' AND device_id = $1
        ) AS "any!"
        "#,
        device
    )
    .fetch_one(executor)
    .await?)
}

/// The samples of the device that no admin has decided on and that are not sound, and those that were found sound
/// within the hour, of agents of which something is new: their collection may turn out to be shifted when more of it
/// arrives. With their workloads' history beside these champions, but without forecasts.
pub(crate) async fn waiting_samples(
    connection: &mut PgConnection,
    device: i32,
    champions: &[ChampionCounters],
) -> Result<Vec<ArrivedSample>> {
    let ids = ids_that_fit(connection, device).await?;
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
    let mut counters = counters(connection, &ids).await?;
    let mut histories = times(connection, device, &workloads, &ids).await?;
    let names = counters.values().flat_map(BTreeMap::keys);
    let earlier = EarlierCounts {
        device,
        workloads: &workloads,
        judged: &ids,
        names: names.cloned().collect(),
        champions,
    };
    earlier.add_counters(connection, &mut histories).await?;
    let histories = histories.into_iter();
    let histories = histories.map(|(workload, history)| (workload, Arc::new(history)));
    let mut histories: HashMap<i32, Arc<_>> = histories.collect();
    let arrived = rows.into_iter().map(|row| ArrivedSample {
        counters: counters.remove(&row.id).unwrap_or_default(),
        history: Arc::clone(histories.entry(row.workload_id).or_default()),
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
async fn ids_that_fit(connection: &mut PgConnection, device: i32) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
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
            -- Unless those above are as many as may be: in a busy hour these are hundreds of thousands.
            WHERE (SELECT count(*) FROM never) < $2
                AND device_id = $1 AND received_at > now() - interval '1 hour' AND origin <> 'shipped'
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
                SELECT sum(cardinality(values)) AS counters FROM readings
                WHERE sample_id = first.id
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
    .await?)
}

/// The counters of samples, of all providers.
async fn counters(
    connection: &mut PgConnection,
    samples: &[Uuid],
) -> Result<HashMap<Uuid, SampleCounters>> {
    let names: HashMap<i32, Arc<str>> =
        sqlx::query!(r#"SELECT id, provider || ':' || name AS "name!" FROM counters"#)
            .fetch_all(&mut *connection)
            .await?
            .into_iter()
            .map(|row| (row.id, row.name.into()))
            .collect();
    let mut counters: HashMap<Uuid, SampleCounters> = HashMap::new();
    for reading in readings::of(connection, samples, None).await? {
        let of_sample = counters.entry(reading.sample).or_default();
        for (id, value) in reading.counter_ids.iter().zip(reading.values) {
            // One may have got its name since these were read.
            if let Some(name) = names.get(id) {
                of_sample.insert(Arc::clone(name), value);
            }
        }
    }
    Ok(counters)
}

/// What each agent has found that the device does at most, in the ninety days before it last said so by the server's
/// clock: one voice each, however often it says it.
pub(crate) async fn ceilings(connection: &mut PgConnection, device: i32) -> Result<Vec<Ceilings>> {
    let rows = sqlx::query!(
        r#"
        WITH said AS (
            SELECT
                coalesce(tokens.agent, agents.name) AS agent, received_at,
                max(received_at) OVER (PARTITION BY coalesce(tokens.agent, agents.name)) AS last,
                launch_latency_s::float8 AS launch, copy_bytes_per_s::float8 AS copy,
                fp32_flop_per_s::float8 AS fp32, fp64_flop_per_s::float8 AS fp64
            FROM ceilings
            JOIN agents ON agents.id = agent_id
            LEFT JOIN tokens ON tokens.id = token_id
            WHERE device_id = $1
        )
        SELECT min(launch) AS launch, max(copy) AS copy, max(fp32) AS fp32, max(fp64) AS fp64
        FROM said
        WHERE received_at >= last - interval '90 days'
        GROUP BY agent
        "#,
        device
    )
    .fetch_all(connection)
    .await?;
    let of_agent = rows.into_iter().map(|row| Ceilings {
        launch_latency_s: row.launch,
        copy_bytes_per_s: row.copy,
        fp32_flop_per_s: row.fp32,
        fp64_flop_per_s: row.fp64,
        ..Ceilings::default()
    });
    Ok(of_agent.collect())
}

/// The models that answer for times on the device from its own counters, one a provider.
pub(crate) async fn champions(pool: &PgPool, device: i32) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
        "
        SELECT id FROM models
        WHERE rank = 1 AND response = 'time' AND device_id = $1 AND counted_on_device_id IS NULL
        ",
        device
    )
    .fetch_all(pool)
    .await?)
}

/// Keeps the gate's verdicts on `judged`, beside them, unless an admin has decided meanwhile. Where a sample comes
/// out of quarantine, or had been fitted and goes there, it asks for fits by all providers that counted it but
/// `provider`, whose fit is under way.
pub(crate) async fn store_verdicts(
    connection: &mut PgConnection,
    judged: &[ArrivedSample],
    verdicts: &[Verdict],
    provider: Option<&str>,
) -> Result<()> {
    let (mut sound, mut quarantined) = (Vec::new(), Vec::new());
    let (mut reasons, mut all_doubts): (Vec<String>, Vec<JsonValue>) = (Vec::new(), Vec::new());
    for (arrived, verdict) in judged.iter().zip(verdicts) {
        match verdict {
            Verdict::Sound => sound.push(arrived.id),
            Verdict::Quarantined { doubts } => {
                quarantined.push(arrived.id);
                reasons.push(doubts.to_string());
                all_doubts.push(to_json(doubts)?);
            }
        }
    }
    let judged = [&sound[..], &quarantined[..]].concat();
    let former = standings(connection, &judged).await?;
    let was = |id: &Uuid| former.get(id).map_or("sound", String::as_str);
    sqlx::query!(
        "DELETE FROM standings WHERE sample_id = ANY ($1) AND decision IS NULL",
        &sound
    )
    .execute(&mut *connection)
    .await?;
    quarantine(connection, &quarantined, &reasons, &all_doubts).await?;
    let released = sound.iter().filter(|id| was(id) == "quarantined");
    let fitted = quarantined.iter().filter(|id| was(id) == "sound");
    let fits: Vec<Uuid> = released.chain(fitted).copied().collect();
    let new = quarantined.iter().filter(|id| was(id) == "unjudged");
    let changed: Vec<Uuid> = fits.iter().chain(new).copied().collect();
    if !fits.is_empty() {
        sqlx::query!("SELECT ask_for_fits($1, $2)", &fits, provider)
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

/// Locks and returns the standings of samples, by id; of those that are not simply sound.
async fn standings(
    connection: &mut PgConnection,
    samples: &[Uuid],
) -> Result<HashMap<Uuid, String>> {
    let rows = sqlx::query!(
        r#"
        SELECT sample_id, standing AS "standing!" FROM standings
        WHERE sample_id = ANY ($1)
        ORDER BY sample_id
        FOR UPDATE
        "#,
        samples
    )
    .fetch_all(connection)
    .await?;
    let standings = rows.into_iter();
    Ok(standings.map(|row| (row.sample_id, row.standing)).collect())
}

/// Quarantines samples that no admin has decided on. `reasons` and `doubts` lie beside them.
async fn quarantine(
    connection: &mut PgConnection,
    samples: &[Uuid],
    reasons: &[String],
    doubts: &[JsonValue],
) -> Result<()> {
    sqlx::query!(
        "
        INSERT INTO standings AS it (sample_id, device_id, agent_id, judgement, judgement_reason, judgement_doubts)
        SELECT said.id, device_id, agent_id, 'quarantined', reason, doubts
        FROM unnest($1::uuid[], $2::text[], $3::jsonb[]) AS said (id, reason, doubts)
        JOIN samples USING (id)
        ORDER BY said.id
        ON CONFLICT (sample_id) DO UPDATE
            SET judgement = excluded.judgement, judgement_reason = excluded.judgement_reason,
                judgement_doubts = excluded.judgement_doubts,
                since = CASE WHEN it.judgement = 'quarantined' THEN it.since ELSE now() END
            WHERE it.decision IS NULL AND it.judgement_doubts IS DISTINCT FROM excluded.judgement_doubts
        ",
        samples,
        reasons,
        doubts
    )
    .execute(connection)
    .await?;
    Ok(())
}
