//! A few counters of each workload's newest sample.

use std::collections::{BTreeMap, HashMap};

use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use crate::db::{Result, uploads::readings};

/// The newest sample of a workload that a provider counted.
pub(crate) struct CountedWorkload {
    /// The workload's number: its place in the list.
    pub(crate) workload: i64,
    pub(crate) sample: Uuid,
    pub(crate) kernel: String,
    pub(crate) variant: String,
    pub(crate) parameters: Json<BTreeMap<String, i64>>,
    pub(crate) time_s: f64,
    /// Beside the names that were asked for; absent where it was not counted.
    pub(crate) values: Vec<Option<f64>>,
}

/// The counters `names` of `provider`, of at most `rows` workloads of a device with numbers above `after`.
/// None where there is no such device.
pub(crate) async fn newest(
    pool: &PgPool,
    device: i64,
    provider: &str,
    names: &[String],
    after: Option<i64>,
    rows: i64,
) -> Result<Option<Vec<CountedWorkload>>> {
    let exists = sqlx::query!("SELECT id FROM devices WHERE id = $1::bigint", device);
    if exists.fetch_optional(pool).await?.is_none() {
        return Ok(None);
    }
    let rows = sqlx::query!(
        r#"
        SELECT
            newest.workload_id::bigint AS "workload!", samples.id AS sample, kernels.name AS kernel,
            variant, parameters AS "parameters: Json<BTreeMap<String, i64>>", median_s::float8 AS "time_s!"
        FROM (
            SELECT DISTINCT ON (workload_id) workload_id, newest_id
            FROM counted_series
            WHERE device_id = $1::bigint AND provider = $2 AND newest_id IS NOT NULL
                AND ($3::bigint IS NULL OR workload_id > $3)
            ORDER BY workload_id, newest_at DESC, newest_id DESC
        ) AS newest
        JOIN samples ON samples.id = newest_id
        JOIN workloads ON workloads.id = newest.workload_id
        JOIN kernels ON kernels.id = kernel_id
        ORDER BY newest.workload_id
        LIMIT $4
        "#,
        device,
        provider,
        after,
        rows
    )
    .fetch_all(pool)
    .await?;
    let numbers: HashMap<String, i32> = sqlx::query!(
        "SELECT name, id FROM counters WHERE provider = $1 AND name = ANY ($2)",
        provider,
        names
    )
    .fetch_all(pool)
    .await?
    .into_iter()
    .map(|row| (row.name, row.id))
    .collect();
    let samples: Vec<Uuid> = rows.iter().map(|row| row.sample).collect();
    let mut connection = pool.acquire().await?;
    let readings = readings::stored_readings(&mut connection, &samples, Some(provider)).await?;
    let readings: HashMap<Uuid, readings::StoredReading> =
        readings.into_iter().map(|it| (it.sample, it)).collect();
    let value = |sample: &Uuid, name: &String| {
        let (reading, number) = (readings.get(sample)?, numbers.get(name)?);
        let place = reading.counter_ids.iter().position(|it| it == number)?;
        reading.values.get(place).copied()
    };
    let counted = rows.into_iter().map(|row| CountedWorkload {
        workload: row.workload,
        values: names.iter().map(|name| value(&row.sample, name)).collect(),
        sample: row.sample,
        kernel: row.kernel,
        variant: row.variant,
        parameters: row.parameters,
        time_s: row.time_s,
    });
    Ok(Some(counted.collect()))
}
