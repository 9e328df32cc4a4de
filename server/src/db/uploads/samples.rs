//! Stored samples.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use kerncast_wire::{
    Agent, Conditions, Device, Doubt, Flag, NewSample, Origin, Provenance, Reading, Reasons,
    Sample, Standing, TimeSummary, Times, Workload,
};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use super::readings;
use crate::db::{Result, from_word, number, to_word};

/// Which samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) device: Option<i64>,
    pub(crate) kernel: Option<String>,
    pub(crate) variant: Option<String>,
    pub(crate) origin: Option<Origin>,
    pub(crate) standing: Option<Standing>,
    pub(crate) flag: Option<Flag>,
}

struct Row {
    id: Uuid,
    measured_at: DateTime<Utc>,
    received_at: DateTime<Utc>,
    agent: String,
    agent_version: String,
    device: Json<Device>,
    kernel: String,
    family: Option<String>,
    variant: String,
    parameters: Json<BTreeMap<String, i64>>,
    generated: bool,
    repetitions: Vec<f64>,
    min_s: f64,
    median_s: f64,
    cv: Option<f64>,
    launches_per_repetition: i64,
    settled: Option<bool>,
    cold_repetitions: Vec<f64>,
    conditions: Option<Json<Conditions>>,
    flags: Vec<String>,
    provenance: Json<Provenance>,
    origin: String,
    token_id: Option<i64>,
    standing: Option<String>,
    standing_reason: Option<String>,
    doubts: Option<Json<Reasons<Doubt>>>,
    decided_by: Option<String>,
}

/// Samples that were asked for, and whether there are more.
pub(crate) struct Listed {
    pub(crate) samples: Vec<Sample>,
    pub(crate) more: bool,
}

/// At most `most` samples with ids below `before`, largest id first: ids of version 7 are in the order
/// of time. Fewer where they are so large that their JSON would have more than about `bytes`, but at least one.
pub(crate) async fn list(
    pool: &PgPool,
    filter: &Filter,
    before: Option<Uuid>,
    most: i64,
    bytes: i64,
) -> Result<Listed> {
    let last = match before {
        Some(before) => Uuid::from_u128(before.as_u128().saturating_sub(1)),
        None => Uuid::max(),
    };
    let mut ids = match (filter.flag, filter.standing) {
        _ if *filter == Filter::default() => ids_of_all(pool, last, most + 1).await?,
        (Some(flag), _) => ids_of_flag(pool, flag, filter, last, most + 1).await?,
        (None, None | Some(Standing::Sound)) => ids_of_series(pool, filter, last, most + 1).await?,
        (None, Some(standing)) => ids_of_standing(pool, standing, filter, last, most + 1).await?,
    };
    let available = ids.len();
    ids.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    ids.truncate(count_that_fit(pool, &ids, bytes).await?);
    Ok(Listed {
        more: ids.len() < available,
        samples: read_samples(pool, &ids).await?,
    })
}

/// How many of these samples, from the first on, have at most about `bytes` of JSON together; at least one.
async fn count_that_fit(pool: &PgPool, ids: &[Uuid], bytes: i64) -> Result<usize> {
    // A repetition is twenty bytes at most, a counter mostly eighty, all else some two thousand.
    let sizes = sqlx::query_scalar!(
        r#"
        SELECT
            20::bigint * numbers + 2000 + coalesce(counted.bytes, 0) AS "bytes!"
        FROM samples
        LEFT JOIN LATERAL (
            SELECT 80 * sum(cardinality(values)) AS bytes FROM readings
            WHERE sample_id = samples.id
        ) AS counted ON true
        WHERE samples.id = ANY ($1)
        ORDER BY samples.id DESC
        "#,
        ids
    )
    .fetch_all(pool)
    .await?;
    let mut total = 0;
    let fitting = sizes.into_iter().take_while(|size| {
        total += size;
        total <= bytes
    });
    Ok(fitting.count().max(1))
}

/// The ids of at most `rows` samples up to `last`, largest first.
async fn ids_of_all(pool: &PgPool, last: Uuid, rows: i64) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
        "SELECT id FROM samples WHERE id <= $1 ORDER BY id DESC LIMIT $2",
        last,
        rows
    )
    .fetch_all(pool)
    .await?)
}

/// The ids of at most `rows` samples up to `last`, largest first, of the series that the filter chooses. However many
/// samples there are, a few of each series are read: an index has each in order. The first of all of them, some more
/// than a page together, say down to which id the page goes; then those that reach as far are read down to there.
async fn ids_of_series(pool: &PgPool, filter: &Filter, last: Uuid, rows: i64) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
        r#"
        WITH chosen AS MATERIALIZED (
            SELECT device_id, workload_id, origin
            FROM series
            JOIN workloads ON workloads.id = workload_id
            JOIN kernels ON kernels.id = kernel_id
            WHERE ($1::bigint IS NULL OR device_id = $1)
                AND ($2::text IS NULL OR kernels.name = $2)
                AND ($3::text IS NULL OR variant = $3)
                AND ($4::text IS NULL OR origin = $4)
        ), heads AS MATERIALIZED (
            SELECT chosen.*, found.id
            FROM chosen CROSS JOIN LATERAL (
                SELECT id FROM samples
                WHERE device_id = chosen.device_id AND workload_id = chosen.workload_id
                    AND origin = chosen.origin AND id <= $5
                    AND NOT ($7 AND EXISTS (SELECT FROM standings WHERE sample_id = samples.id))
                ORDER BY id DESC
                LIMIT (SELECT 1 + $6 / greatest(count(*), 1) FROM chosen)
            ) AS found
        ), reached AS MATERIALIZED (
            -- The head of a series is its largest id: one whose head is below has nothing for the page.
            SELECT DISTINCT device_id, workload_id, origin, down_to
            FROM heads CROSS JOIN (
                SELECT coalesce(
                    (SELECT id FROM heads ORDER BY id DESC OFFSET $6 - 1 LIMIT 1),
                    '00000000-0000-0000-0000-000000000000'
                ) AS down_to
            ) AS page
            WHERE id >= down_to
        )
        SELECT found.id AS "id!"
        FROM reached CROSS JOIN LATERAL (
            SELECT id FROM samples
            WHERE device_id = reached.device_id AND workload_id = reached.workload_id
                AND origin = reached.origin AND id <= $5 AND id >= down_to
                AND NOT ($7 AND EXISTS (SELECT FROM standings WHERE sample_id = samples.id))
            ORDER BY id DESC
            LIMIT $6
        ) AS found
        ORDER BY found.id DESC
        LIMIT $6
        "#,
        filter.device,
        filter.kernel,
        filter.variant,
        filter.origin.map(to_word).transpose()?,
        last,
        rows,
        filter.standing == Some(Standing::Sound)
    )
    .fetch_all(pool)
    .await?)
}

/// The ids of at most `rows` samples up to `last`, largest first, of a standing other than sound: they have a table of
/// their own, and mostly there are few.
async fn ids_of_standing(
    pool: &PgPool,
    standing: Standing,
    filter: &Filter,
    last: Uuid,
    rows: i64,
) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
        "
        SELECT sample_id
        FROM standings
        JOIN samples ON samples.id = sample_id
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE standing = $1 AND sample_id <= $2
            AND ($3::bigint IS NULL OR samples.device_id = $3)
            AND ($4::text IS NULL OR kernels.name = $4)
            AND ($5::text IS NULL OR variant = $5)
            AND ($6::text IS NULL OR origin = $6)
        ORDER BY sample_id DESC
        LIMIT $7
        ",
        to_word(standing)?,
        last,
        filter.device,
        filter.kernel,
        filter.variant,
        filter.origin.map(to_word).transpose()?,
        rows
    )
    .fetch_all(pool)
    .await?)
}

/// The ids of at most `rows` samples up to `last`, largest first, that bear a flag: few do, and an index holds just them.
async fn ids_of_flag(
    pool: &PgPool,
    flag: Flag,
    filter: &Filter,
    last: Uuid,
    rows: i64,
) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
        "
        SELECT samples.id
        FROM samples
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        LEFT JOIN standings ON sample_id = samples.id
        WHERE flags <> '{}' AND $1 = ANY (flags) AND samples.id <= $2
            AND ($3::bigint IS NULL OR samples.device_id = $3)
            AND ($4::text IS NULL OR kernels.name = $4)
            AND ($5::text IS NULL OR variant = $5)
            AND ($6::text IS NULL OR origin = $6)
            AND ($7::text IS NULL OR coalesce(standing, 'sound') = $7)
        ORDER BY samples.id DESC
        LIMIT $8
        ",
        to_word(flag)?,
        last,
        filter.device,
        filter.kernel,
        filter.variant,
        filter.origin.map(to_word).transpose()?,
        filter.standing.map(to_word).transpose()?,
        rows
    )
    .fetch_all(pool)
    .await?)
}

/// The samples of these ids that there are, largest id first.
async fn read_samples(pool: &PgPool, ids: &[Uuid]) -> Result<Vec<Sample>> {
    let rows = rows(pool, ids).await?;
    let mut readings = readings_of(pool, ids).await?;
    let mut readings = |id: &Uuid| readings.remove(id).unwrap_or_default();
    let samples = rows.into_iter().map(|row| sample(readings(&row.id), row));
    samples.collect()
}

/// The rows of these samples, largest id first.
async fn rows(pool: &PgPool, ids: &[Uuid]) -> Result<Vec<Row>> {
    Ok(sqlx::query_as!(
        Row,
        r#"
        SELECT
            samples.id, measured_at, received_at, agents.name AS agent, agents.version AS agent_version,
            device_json(devices) AS "device!: Json<Device>", kernels.name AS kernel, family, variant,
            parameters AS "parameters: Json<BTreeMap<String, i64>>", generated, repetitions,
            min_s, median_s, cv, launches_per_repetition, settled, cold_repetitions,
            conditions AS "conditions: Json<Conditions>", flags,
            provenance AS "provenance: Json<Provenance>", origin, token_id,
            standing AS "standing?",
            coalesce(decision_reason, judgement_reason) AS standing_reason, decided_by,
            CASE WHEN decision IS NULL THEN judgement_doubts END
                AS "doubts: Json<Reasons<Doubt>>"
        FROM samples
        LEFT JOIN standings ON sample_id = samples.id
        JOIN provenances ON provenances.id = provenance_id
        JOIN agents ON agents.id = samples.agent_id
        JOIN devices ON devices.id = samples.device_id
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE samples.id = ANY ($1)
        ORDER BY samples.id DESC
        "#,
        ids
    )
    .fetch_all(pool)
    .await?)
}

/// One sample.
pub(crate) async fn get(pool: &PgPool, id: Uuid) -> Result<Option<Sample>> {
    Ok(read_samples(pool, &[id]).await?.pop())
}

fn sample(readings: BTreeMap<String, Reading>, row: Row) -> Result<Sample> {
    let n = u32::try_from(row.repetitions.len()).unwrap_or(u32::MAX);
    let times = Times {
        repetitions_s: row.repetitions,
        launches_per_repetition: number(row.launches_per_repetition)?,
        settled: row.settled,
        cold_repetitions_s: row.cold_repetitions,
    };
    let flags = row.flags.into_iter().map(from_word);
    let sample = NewSample {
        id: row.id,
        measured_at: row.measured_at,
        agent: Agent {
            name: row.agent,
            version: row.agent_version,
        },
        device: row.device.0,
        workload: Workload {
            kernel: row.kernel,
            family: row.family,
            variant: row.variant,
            parameters: row.parameters.0,
            generated: row.generated,
        },
        times,
        readings,
        conditions: row.conditions.map(|Json(conditions)| conditions),
        flags: flags.collect::<Result<_, _>>()?,
        provenance: row.provenance.0,
        origin: from_word(row.origin)?,
    };
    let standing = row.standing.map(from_word).transpose()?;
    Ok(Sample {
        sample,
        received_at: row.received_at,
        token: row.token_id,
        time: TimeSummary {
            min_s: row.min_s,
            median_s: row.median_s,
            n,
            cv: row.cv,
        },
        standing: standing.unwrap_or_default(),
        standing_reason: row.standing_reason,
        standing_doubts: row.doubts.map(|Json(doubts)| doubts).unwrap_or_default(),
        standing_by: row.decided_by,
    })
}

/// The readings of samples, by provider.
async fn readings_of(
    pool: &PgPool,
    samples: &[Uuid],
) -> Result<HashMap<Uuid, BTreeMap<String, Reading>>> {
    let rows = readings::stored_readings(&mut *pool.acquire().await?, samples).await?;
    let counter_ids = rows.iter().flat_map(|row| &row.counter_ids).copied();
    let counter_ids: BTreeSet<i32> = counter_ids.collect();
    let names: HashMap<i32, String> = sqlx::query!(
        "SELECT id, name FROM counters WHERE id = ANY ($1)",
        &Vec::from_iter(counter_ids)
    )
    .fetch_all(pool)
    .await?
    .into_iter()
    .map(|row| (row.id, row.name))
    .collect();
    let mut readings: HashMap<Uuid, BTreeMap<String, Reading>> = HashMap::new();
    for row in rows {
        let names = row.counter_ids.iter().map(|id| names[id].clone());
        let reading = Reading {
            counters: names.zip(row.values).collect(),
            scope: from_word(row.scope)?,
            refusal: row.refusal,
        };
        let of_sample = readings.entry(row.sample).or_default();
        of_sample.insert(row.provider, reading);
    }
    Ok(readings)
}
