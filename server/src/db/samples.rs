//! Stored samples.

use std::collections::{BTreeMap, HashMap};

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
    token_id: Option<i64>,
}

/// At most `rows` samples with ids below `before`, largest id first: ids of version 7 are in the order
/// of time.
pub(crate) async fn list(
    pool: &PgPool,
    filter: &Filter,
    before: Option<Uuid>,
    rows: i64,
) -> sqlx::Result<Vec<Sample>> {
    let rows = sqlx::query_as!(
        Row,
        r#"
        SELECT
            samples.id, measured_at, received_at, agents.name AS agent, agents.version AS agent_version,
            vendor, devices.name AS device, kind, compute_units, global_memory_bytes,
            local_memory_bytes, kernels.name AS kernel, family, variant,
            parameters AS "parameters: Json<BTreeMap<String, i64>>", repetitions, min_s, median_s, cv,
            launches_per_repetition, settled, cold_repetitions,
            conditions AS "conditions: Json<Conditions>", flags,
            provenance AS "provenance: Json<Provenance>", origin, token_id
        FROM samples
        JOIN agents ON agents.id = agent_id
        JOIN devices ON devices.id = device_id
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE ($1::bigint IS NULL OR device_id = $1)
            AND ($2::text IS NULL OR kernels.name = $2)
            AND ($3::text IS NULL OR variant = $3)
            AND ($4::text IS NULL OR origin = $4)
            AND ($5::uuid IS NULL OR samples.id < $5)
            AND ($6::uuid IS NULL OR samples.id = $6)
        ORDER BY samples.id DESC
        LIMIT $7
        "#,
        filter.device,
        filter.kernel,
        filter.variant,
        filter.origin.map(to_word).transpose()?,
        before,
        filter.id,
        rows,
    )
    .fetch_all(pool)
    .await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut readings = readings(pool, &ids).await?;
    rows.into_iter()
        .map(|row| {
            let readings = readings.remove(&row.id).unwrap_or_default();
            sample(row, readings)
        })
        .collect()
}

/// One sample.
pub(crate) async fn get(pool: &PgPool, id: Uuid) -> sqlx::Result<Option<Sample>> {
    let only = Filter {
        id: Some(id),
        ..Filter::default()
    };
    Ok(list(pool, &only, None, 1).await?.pop())
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
        token_id,
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
        token: token_id,
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
    let names: HashMap<i32, String> = sqlx::query!("SELECT id, name FROM counters")
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
