//! What a fit is made from.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use kerncast_profilers::catalogue::canonical;
use kerncast_wire::{ModelSpecification, Scope};
use sqlx::PgConnection;
use uuid::Uuid;

use super::words::from_word;

/// The samples of a device that a provider has counted, by id: of those of one workload with the same of the
/// provider's counters only the newest, so that what is measured every night is not fitted ever more slowly.
pub(crate) struct Training {
    /// Ids of counters, by `PROVIDER:NAME`. Under whatever name a counter was stored, here it has one.
    pub(crate) counters: BTreeMap<String, i32>,
    pub(crate) samples: Vec<TrainingSample>,
}

/// One of them.
pub(crate) struct TrainingSample {
    pub(crate) id: Uuid,
    pub(crate) measured_at: DateTime<Utc>,
    pub(crate) workload: i32,
    pub(crate) kernel: String,
    /// Its sibling kernels' name, where it has any.
    pub(crate) family: Option<String>,
    pub(crate) variant: String,
    /// Median repetition, seconds.
    pub(crate) median_s: f64,
    /// What makes its times doubtful.
    pub(crate) flags: Vec<String>,
    /// What part of the launch the provider counted.
    pub(crate) scope: Scope,
    /// Counters of all providers that counted it, by the counter's id.
    pub(crate) values: HashMap<i32, f64>,
}

/// Keeps other uses of advisory locks apart.
const FITS: i32 = 0x6b63_6173;

/// Makes fits of a device wait for each other until the transaction ends, so that the model stored last
/// has seen the most samples. To be called before the samples are read.
pub(crate) async fn lock(connection: &mut PgConnection, device: i32) -> sqlx::Result<()> {
    sqlx::query!(
        r#"SELECT pg_advisory_xact_lock($1, $2) AS "locked!: ()""#,
        FITS,
        device
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// As [`lock`], where no other fit of the device is under way; else false, at once.
pub(crate) async fn try_lock(connection: &mut PgConnection, device: i32) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT pg_try_advisory_xact_lock($1, $2) AS "locked!""#,
        FITS,
        device
    )
    .fetch_one(connection)
    .await
}

/// What the device's samples with counters of `provider` say.
pub(crate) async fn load(
    connection: &mut PgConnection,
    device: i32,
    provider: &str,
) -> sqlx::Result<Training> {
    let rows = sqlx::query!(r#"SELECT id, provider || ':' || name AS "name!" FROM counters"#);
    let mut counters = BTreeMap::new();
    let mut ids = HashMap::new();
    for row in rows.fetch_all(&mut *connection).await? {
        let counter = counters.entry(canonical(&row.name).into_owned());
        ids.insert(row.id, *counter.or_insert(row.id));
    }
    let rows = sqlx::query!(
        r#"
        WITH newest AS (
            SELECT DISTINCT ON (workload_id, counter_ids)
                id, measured_at, workload_id, median_s, flags, scope
            FROM samples
            JOIN readings ON sample_id = id AND provider = $2 AND refusal IS NULL
            WHERE device_id = $1
            ORDER BY workload_id, counter_ids, measured_at DESC, id DESC
        )
        SELECT
            newest.id, measured_at, workload_id, kernels.name AS kernel, family, variant, median_s, flags,
            newest.scope, counter_ids AS "counter_ids!", values AS "values!: Vec<f64>"
        FROM newest
        JOIN readings ON sample_id = newest.id AND refusal IS NULL
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        ORDER BY newest.id
        "#,
        device,
        provider
    )
    .fetch_all(connection)
    .await?;
    let mut samples: Vec<TrainingSample> = Vec::new();
    for row in rows {
        let counted = row.counter_ids.iter().map(|id| ids[id]);
        let values = counted.zip(row.values);
        match samples.last_mut().filter(|sample| sample.id == row.id) {
            Some(sample) => sample.values.extend(values),
            None => samples.push(TrainingSample {
                id: row.id,
                measured_at: row.measured_at,
                workload: row.workload_id,
                kernel: row.kernel,
                family: row.family,
                variant: row.variant,
                median_s: row.median_s,
                flags: row.flags,
                scope: from_word(row.scope)?,
                values: values.collect(),
            }),
        }
    }
    Ok(Training { counters, samples })
}

/// The specifications with counters of their own that a device and provider has models for.
pub(crate) async fn specifications(
    connection: &mut PgConnection,
    device: i32,
    provider: &str,
) -> sqlx::Result<Vec<ModelSpecification>> {
    let rows = sqlx::query!(
        r#"
        SELECT DISTINCT device_id, provider, method, counters, variant, response FROM models
        WHERE device_id = $1 AND provider = $2 AND source_device_id IS NULL
            AND NOT superseded AND NOT default_counters
        "#,
        device,
        provider
    )
    .fetch_all(connection)
    .await?;
    let mut specifications: Vec<ModelSpecification> = Vec::new();
    for row in rows {
        let counters = row.counters.iter();
        let specification = ModelSpecification {
            device: row.device_id.into(),
            source: None,
            provider: row.provider,
            method: row.method,
            counters: counters.map(|name| canonical(name).into_owned()).collect(),
            variant: row.variant,
            response: canonical(&row.response).into_owned(),
        };
        // Two may differ only in a counter's name.
        if !specifications.contains(&specification) {
            specifications.push(specification);
        }
    }
    Ok(specifications)
}

/// The device's number in the tables, where there is one of this id.
pub(crate) async fn device(connection: &mut PgConnection, id: i64) -> sqlx::Result<Option<i32>> {
    sqlx::query_scalar!("SELECT id FROM devices WHERE id = $1::bigint", id)
        .fetch_optional(connection)
        .await
}
