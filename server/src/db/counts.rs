//! A few counters of each workload's newest sample.

use std::collections::BTreeMap;

use sqlx::{PgPool, types::Json};
use uuid::Uuid;

/// The newest sample of a workload that a provider counted.
pub(crate) struct Counted {
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
) -> sqlx::Result<Option<Vec<Counted>>> {
    let exists = sqlx::query!("SELECT id FROM devices WHERE id = $1::bigint", device);
    if exists.fetch_optional(pool).await?.is_none() {
        return Ok(None);
    }
    sqlx::query_as!(
        Counted,
        r#"
        SELECT
            counted_series.workload_id::bigint AS "workload!", samples.id AS sample, kernels.name AS kernel,
            variant, parameters AS "parameters: Json<BTreeMap<String, i64>>", median_s::float8 AS "time_s!",
            ARRAY(
                SELECT values[array_position(counter_ids, counters.id)]
                FROM unnest($3::text[]) WITH ORDINALITY AS asked (name, place)
                LEFT JOIN counters
                    ON counters.provider = readings.provider AND counters.name = asked.name
                ORDER BY place
            ) AS "values!: Vec<Option<f64>>"
        FROM counted_series
        JOIN samples ON samples.id = newest_id
        JOIN readings ON sample_id = newest_id AND readings.provider = counted_series.provider
        JOIN workloads ON workloads.id = counted_series.workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE counted_series.device_id = $1::bigint AND counted_series.provider = $2
            AND ($4::bigint IS NULL OR counted_series.workload_id > $4)
        ORDER BY counted_series.workload_id
        LIMIT $5
        "#,
        device,
        provider,
        names,
        after,
        rows
    )
    .fetch_all(pool)
    .await
    .map(Some)
}
