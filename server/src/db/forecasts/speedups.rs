//! Kernels left out that were measured before and after a change: their variants `global` and `local`.

use std::collections::BTreeMap;

use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use crate::db::Result;

/// A kernel's two variants at the same sizes, as measured and as a fit that had not seen it forecast them.
pub(crate) struct Pair {
    pub(crate) kernel: String,
    pub(crate) parameters: Json<BTreeMap<String, i64>>,
    pub(crate) before_sample: Uuid,
    pub(crate) after_sample: Uuid,
    /// The time before ÷ the time after.
    pub(crate) measured: f64,
    /// Absent where one was not forecast.
    pub(crate) forecast: Option<f64>,
    /// The larger expected error of the two, named as in the query.
    pub(crate) doubt: f64,
    /// The ratio by the second model.
    pub(crate) second: Option<f64>,
}

/// A model's pairs with a second model's forecasts beside them, but for what an admin has rejected since.
pub(crate) async fn pairs(pool: &PgPool, model: Uuid, second: Option<Uuid>) -> Result<Vec<Pair>> {
    Ok(sqlx::query_as!(
        Pair,
        r#"
        WITH held_out AS MATERIALIZED (
            SELECT models.id AS model, row.*
            FROM models
            JOIN hold_outs ON model_id = models.id AND key = 'kernel'
            CROSS JOIN unnest(workload_ids, sample_ids, predicted, doubts) AS row (workload_id, sample_id, forecast, doubt)
            WHERE models.id IN ($1, $2) AND NOT EXISTS (
                SELECT FROM standings WHERE standing = 'rejected' AND sample_id = row.sample_id
            )
        ), changed AS (
            SELECT before.id AS before_id, after.id AS after_id, kernels.name AS kernel, before.parameters
            FROM workloads AS before
            JOIN workloads AS after USING (kernel_id, parameters)
            JOIN kernels ON kernels.id = kernel_id
            WHERE before.variant = 'global' AND after.variant = 'local' AND NOT generated
        )
        SELECT
            kernel AS "kernel!", parameters AS "parameters!: Json<BTreeMap<String, i64>>",
            before.sample_id AS "before_sample!", after.sample_id AS "after_sample!",
            before_sample.median_s::float8 / after_sample.median_s::float8 AS "measured!",
            CASE WHEN least(before.forecast, after.forecast) > 0 THEN before.forecast / after.forecast END AS forecast,
            greatest(before.doubt, after.doubt) AS "doubt!",
            CASE WHEN least(second_before.forecast, second_after.forecast) > 0
                THEN second_before.forecast / second_after.forecast END AS second
        FROM changed
        JOIN held_out AS before ON before.model = $1 AND before.workload_id = before_id
        JOIN held_out AS after ON after.model = $1 AND after.workload_id = after_id
        LEFT JOIN held_out AS second_before ON second_before.model = $2 AND second_before.workload_id = before_id
        LEFT JOIN held_out AS second_after ON second_after.model = $2 AND second_after.workload_id = after_id
        JOIN samples AS before_sample ON before_sample.id = before.sample_id
        JOIN samples AS after_sample ON after_sample.id = after.sample_id
        JOIN models ON models.id = $1
        -- What another device has run says nothing of this one's verdicts.
        WHERE before_sample.device_id = models.device_id AND after_sample.device_id = models.device_id
        ORDER BY kernel, before_sample.median_s
        "#,
        model,
        second
    )
    .fetch_all(pool)
    .await?)
}
