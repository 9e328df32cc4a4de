//! Speedups: times without local memory ÷ times with it.

use std::collections::BTreeMap;

use kerncast_wire::KernelSpeedup;
use sqlx::{PgPool, types::Json};

/// The response of models of speedups.
pub(crate) const RESPONSE: &str = "speedup";

/// The speedups of a kernel's workloads as the champions had forecast them before they saw the kernel, beside
/// what was measured.
pub(crate) async fn of_kernel(
    pool: &PgPool,
    kernel: &str,
    device: Option<i64>,
) -> sqlx::Result<Vec<KernelSpeedup>> {
    let rows = sqlx::query!(
        r#"
        WITH rows AS MATERIALIZED (
            SELECT models.id, device_id, counted_on_device_id, provider, row.*
            FROM models
            JOIN hold_outs ON model_id = models.id AND key = 'kernel'
            CROSS JOIN unnest(workload_ids, sample_ids, global_sample_ids, predicted)
                AS row (workload_id, local_id, global_id, forecast)
            WHERE rank = 1 AND response = $3 AND ($2::bigint IS NULL OR device_id = $2)
                AND row.workload_id IN (
                    SELECT workloads.id FROM workloads JOIN kernels ON kernels.id = kernel_id
                    WHERE kernels.name = $1
                )
        )
        SELECT
            rows.device_id::bigint AS "device!", counted_on_device_id::bigint AS counted_on, provider,
            rows.id AS model,
            parameters AS "parameters: Json<BTreeMap<String, i64>>", global.id AS global, local.id AS local,
            global.median_s AS "global_s: f64", local.median_s AS "local_s: f64",
            forecast
        FROM rows
        JOIN samples AS local ON local.id = local_id
        JOIN samples AS global ON global.id = global_id
        JOIN workloads ON workloads.id = rows.workload_id
        ORDER BY rows.device_id, counted_on_device_id NULLS FIRST, provider, global.median_s
        "#,
        kernel,
        device,
        RESPONSE
    )
    .fetch_all(pool)
    .await?;
    let speedups = rows.into_iter().map(|row| KernelSpeedup {
        device: row.device,
        counted_on: row.counted_on,
        provider: row.provider,
        model: row.model,
        parameters: row.parameters.0,
        global_sample: row.global,
        local_sample: row.local,
        measured: row.global_s / row.local_s,
        forecast: row.forecast,
    });
    Ok(speedups.collect())
}
