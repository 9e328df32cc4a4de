//! Samples that wait for the gate, and what it judges them by.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use kerncast_training::gate::ArrivedSample;
use kerncast_wire::Ceilings;
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::history::{ChampionCounters, CounterIds, EarlierCounts, times};
use crate::db::{Result, uploads::readings};

/// Keeps other uses of advisory locks apart.
const GATE_LOCK: i32 = 0x6b63_6167;
/// Samples, and counters of all of them together, that are judged at a time: some 100 MB.
const MOST_SAMPLES: i64 = 10_000;
const MOST_COUNTERS: i64 = 1_000_000;

/// Makes judgements of a device's samples wait for each other until the transaction ends.
pub(crate) async fn lock(connection: &mut PgConnection, device: i32) -> Result<()> {
    sqlx::query!(
        r#"SELECT pg_advisory_xact_lock($1, $2) AS "locked!: ()""#,
        GATE_LOCK,
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
    let counter_ids = readings::counter_ids(connection).await?;
    let counted = readings::values(connection, &ids).await?;
    let matters: HashSet<i32> = counted.values().flatten().map(|(id, _)| *id).collect();
    let names = counter_ids.iter().filter(|(_, id)| matters.contains(id));
    let names = names.map(|(name, id)| (*id, Arc::from(name.as_str())));
    let names: HashMap<i32, Arc<str>> = names.collect();
    let id = |name: &str| counter_ids.get(name).copied();
    let champions = champions.iter().filter_map(|it| CounterIds::new(it, id));
    let earlier = EarlierCounts {
        device,
        workloads: &workloads,
        judged: &ids,
        names: &names,
        champions: &Vec::from_iter(champions),
    };
    let mut histories = times(connection, device, &workloads, &ids).await?;
    earlier.add_counters(connection, &mut histories).await?;
    let histories = histories.into_iter();
    let histories = histories.map(|(workload, history)| (workload, Arc::new(history)));
    let mut histories: HashMap<i32, Arc<_>> = histories.collect();
    // A counter may have got its name since names were read.
    let named = |(id, value): (&i32, &f64)| Some((Arc::clone(names.get(id)?), *value));
    let counters = |sample: &Uuid| counted.get(sample).into_iter().flatten().filter_map(named);
    let arrived = rows.into_iter().map(|row| ArrivedSample {
        counters: counters(&row.id).collect(),
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
        MOST_SAMPLES,
        MOST_COUNTERS
    )
    .fetch_all(connection)
    .await?)
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
