//! Stored samples.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use kerncast_wire::{
    Agent, Conditions, Device, NewSample, Origin, Provenance, Reading, Sample, TimeSummary, Times,
    Workload,
};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use super::words::{from_word, number, to_word};

/// Which samples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) device: Option<i64>,
    pub(crate) kernel: Option<String>,
    pub(crate) variant: Option<String>,
    pub(crate) origin: Option<Origin>,
    /// Only this one.
    pub(crate) id: Option<Uuid>,
}

struct Row {
    id: Uuid,
    measured_at: DateTime<Utc>,
    received_at: DateTime<Utc>,
    agent: String,
    agent_version: String,
    vendor: String,
    device: String,
    kind: String,
    compute_units: Option<i64>,
    global_memory_bytes: Option<i64>,
    local_memory_bytes: Option<i64>,
    kernel: String,
    family: Option<String>,
    variant: String,
    parameters: Json<BTreeMap<String, i64>>,
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
    found: i64,
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
) -> sqlx::Result<Listed> {
    // A repetition is twenty bytes of JSON at most, a counter mostly eighty, all else some two thousand.
    let rows = sqlx::query_as!(
        Row,
        r#"
        WITH found AS (
            SELECT samples.id, 20 * numbers + 2000 AS bytes
            FROM samples
            JOIN workloads ON workloads.id = workload_id
            JOIN kernels ON kernels.id = kernel_id
            WHERE ($1::bigint IS NULL OR device_id = $1)
                AND ($2::text IS NULL OR kernels.name = $2)
                AND ($3::text IS NULL OR variant = $3)
                AND ($4::text IS NULL OR origin = $4)
                AND ($5::uuid IS NULL OR samples.id < $5)
                AND ($6::uuid IS NULL OR samples.id = $6)
            ORDER BY samples.id DESC
            LIMIT $7::bigint + 1
        ), sized AS (
            SELECT
                found.id, count(*) OVER () AS found, row_number() OVER from_the_first AS place,
                sum(found.bytes + coalesce(counted.bytes, 0)) OVER from_the_first AS bytes
            FROM found
            LEFT JOIN LATERAL (
                SELECT 80 * sum(cardinality(counter_ids))::integer AS bytes FROM readings
                WHERE sample_id = found.id
            ) AS counted ON true
            WINDOW from_the_first AS (ORDER BY found.id DESC)
        )
        SELECT
            samples.id, measured_at, received_at, agents.name AS agent, agents.version AS agent_version,
            vendor, devices.name AS device, kind, compute_units, global_memory_bytes,
            local_memory_bytes, kernels.name AS kernel, family, variant,
            parameters AS "parameters: Json<BTreeMap<String, i64>>", repetitions, min_s, median_s, cv,
            launches_per_repetition, settled, cold_repetitions,
            conditions AS "conditions: Json<Conditions>", flags,
            provenance AS "provenance: Json<Provenance>", origin, found AS "found!"
        FROM sized
        JOIN samples ON samples.id = sized.id
        JOIN agents ON agents.id = agent_id
        JOIN devices ON devices.id = device_id
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE place <= $7::bigint AND (bytes <= $8 OR place = 1)
        ORDER BY samples.id DESC
        "#,
        filter.device,
        filter.kernel,
        filter.variant,
        filter.origin.map(to_word).transpose()?,
        before,
        filter.id,
        most,
        bytes,
    )
    .fetch_all(pool)
    .await?;
    let found = rows.first().map_or(0, |row| row.found);
    let more = i64::try_from(rows.len()).is_ok_and(|listed| listed < found);
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut readings = readings(pool, &ids).await?;
    let samples = rows.into_iter().map(|row| {
        let readings = readings.remove(&row.id).unwrap_or_default();
        sample(row, readings)
    });
    Ok(Listed {
        samples: samples.collect::<Result<_, _>>()?,
        more,
    })
}

/// One sample.
pub(crate) async fn get(pool: &PgPool, id: Uuid) -> sqlx::Result<Option<Sample>> {
    let only = Filter {
        id: Some(id),
        ..Filter::default()
    };
    Ok(list(pool, &only, None, 1, 0).await?.samples.pop())
}

fn sample(row: Row, readings: BTreeMap<String, Reading>) -> sqlx::Result<Sample> {
    let Row {
        id,
        measured_at,
        received_at,
        agent,
        agent_version,
        vendor,
        device,
        kind,
        compute_units,
        global_memory_bytes,
        local_memory_bytes,
        kernel,
        family,
        variant,
        parameters: Json(parameters),
        repetitions,
        min_s,
        median_s,
        cv,
        launches_per_repetition,
        settled,
        cold_repetitions,
        conditions,
        flags,
        provenance: Json(provenance),
        origin,
        found: _,
    } = row;
    let device = Device {
        vendor,
        name: device,
        kind: from_word(kind)?,
        compute_units: compute_units.map(number).transpose()?,
        global_memory_bytes: global_memory_bytes.map(number).transpose()?,
        local_memory_bytes: local_memory_bytes.map(number).transpose()?,
    };
    let n = u32::try_from(repetitions.len()).unwrap_or(u32::MAX);
    let times = Times {
        repetitions_s: repetitions,
        launches_per_repetition: number(launches_per_repetition)?,
        settled,
        cold_repetitions_s: cold_repetitions,
    };
    let sample = NewSample {
        id,
        measured_at,
        agent: Agent {
            name: agent,
            version: agent_version,
        },
        device,
        workload: Workload {
            kernel,
            family,
            variant,
            parameters,
        },
        times,
        readings,
        conditions: conditions.map(|Json(conditions)| conditions),
        flags: flags.into_iter().map(from_word).collect::<Result<_, _>>()?,
        provenance,
        origin: from_word(origin)?,
    };
    Ok(Sample {
        sample,
        received_at,
        time: TimeSummary {
            min_s,
            median_s,
            n,
            cv,
        },
    })
}

/// The readings of samples, by sample and provider.
async fn readings(
    pool: &PgPool,
    samples: &[Uuid],
) -> sqlx::Result<HashMap<Uuid, BTreeMap<String, Reading>>> {
    let rows = sqlx::query!(
        r#"
        SELECT sample_id, provider, counter_ids, values AS "values: Vec<f64>", scope, refusal
        FROM readings
        WHERE sample_id = ANY ($1)
        "#,
        samples
    )
    .fetch_all(pool)
    .await?;
    let used: BTreeSet<i32> = rows
        .iter()
        .flat_map(|row| row.counter_ids.iter().flatten().copied())
        .collect();
    let names: HashMap<i32, String> = sqlx::query!(
        "SELECT id, name FROM counters WHERE id = ANY ($1)",
        &Vec::from_iter(used)
    )
    .fetch_all(pool)
    .await?
    .into_iter()
    .map(|row| (row.id, row.name))
    .collect();
    let mut readings: HashMap<Uuid, BTreeMap<String, Reading>> = HashMap::new();
    for row in rows {
        let ids = row.counter_ids.unwrap_or_default();
        let values = row.values.unwrap_or_default();
        let counters = ids.iter().zip(values);
        let reading = Reading {
            counters: counters
                .map(|(id, value)| (names[id].clone(), value))
                .collect(),
            scope: from_word(row.scope)?,
            refusal: row.refusal,
        };
        readings
            .entry(row.sample_id)
            .or_default()
            .insert(row.provider, reading);
    }
    Ok(readings)
}
