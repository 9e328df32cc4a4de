//! A few counters of each workload's newest sample.

use std::collections::BTreeMap;

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
    let samples: Vec<Uuid> = rows.iter().map(|row| row.sample).collect();
    let mut connection = pool.acquire().await?;
    let ids = readings::counter_ids(&mut connection).await?;
    let ids = names
        .iter()
        .map(|name| ids.get(&format!("{provider}:{name}")));
    let ids: Vec<Option<&i32>> = ids.collect();
    let values = readings::values(&mut connection, &samples).await?;
    let value = |sample: &Uuid, id: &Option<&i32>| values.get(sample)?.get((*id)?).copied();
    let counted = rows.into_iter().map(|row| CountedWorkload {
        workload: row.workload,
        values: ids.iter().map(|id| value(&row.sample, id)).collect(),
        sample: row.sample,
        kernel: row.kernel,
        variant: row.variant,
        parameters: row.parameters,
        time_s: row.time_s,
    });
    Ok(Some(counted.collect()))
}
