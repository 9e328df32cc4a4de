//! Stored hold-outs.

use kerncast_wire::{Errors, HoldOut, KernelErrors, LeftOutRow, Validation};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use crate::db::{Error, Result, from_word, number, plain, uploads::readings};

/// The name of no kernel: errors over all kernels.
pub(super) const OVERALL: &str = "";

/// Rows of all of a model's hold-outs together. Absent where there is no such model.
pub(crate) async fn rows(pool: &PgPool, model: Uuid) -> Result<Option<usize>> {
    let rows = sqlx::query_scalar!(
        r#"
        SELECT coalesce((SELECT sum(cardinality(predicted)) FROM hold_outs WHERE model_id = models.id), 0) AS "rows!"
        FROM models WHERE id = $1
        "#,
        model
    )
    .fetch_optional(pool)
    .await?;
    rows.map(number).transpose()
}

/// A model's hold-outs; none where it was refused. Absent where there is no such model.
pub(crate) async fn get(pool: &PgPool, model: Uuid) -> Result<Option<Validation>> {
    let response = sqlx::query_scalar!("SELECT response FROM models WHERE id = $1", model);
    let Some(response) = response.fetch_optional(pool).await? else {
        return Ok(None);
    };
    let rows = sqlx::query!(
        r#"
        SELECT
            key, predicted AS "predicted: Vec<Option<f64>>", refusals AS "refusals: Vec<Option<String>>",
            overall.errors AS "overall: Json<Errors>", kernels.errors AS "kernels: Json<Vec<KernelErrors>>"
        FROM hold_outs
        LEFT JOIN LATERAL (
            SELECT errors_json(hold_out_errors) AS errors FROM hold_out_errors
            WHERE model_id = $1 AND key = hold_outs.key AND kernel = ''
        ) AS overall ON true
        CROSS JOIN LATERAL (
            SELECT json_agg(
                json_build_object('kernel', kernel, 'errors', errors_json(hold_out_errors)) ORDER BY kernel
            ) AS errors
            FROM hold_out_errors WHERE model_id = $1 AND key = hold_outs.key AND kernel <> ''
        ) AS kernels
        WHERE model_id = $1 ORDER BY key
        "#,
        model
    )
    .fetch_all(pool)
    .await?;
    let samples = samples(pool, model, &response).await?;
    let mut hold_outs = Vec::new();
    for row in rows {
        let forecasts = row.predicted.into_iter().zip(row.refusals);
        let rows = samples.iter().zip(forecasts);
        let rows = rows.map(|(sample, (predicted, refusal))| LeftOutRow {
            predicted,
            refusal,
            ..sample.clone()
        });
        hold_outs.push(HoldOut {
            key: from_word(row.key)?,
            overall: row.overall.map(|Json(errors)| errors),
            kernels: row.kernels.map(|Json(errors)| errors).unwrap_or_default(),
            rows: rows.collect(),
        });
    }
    Ok(Some(Validation { model, hold_outs }))
}

/// A model's samples in their order, without a forecast.
async fn samples(pool: &PgPool, model: Uuid, response: &str) -> Result<Vec<LeftOutRow>> {
    // The query names its rows so, as the schema does.
    use LeftOutRow as HeldOut;

    let rows = sqlx::query_scalar!(
        r#"
        SELECT
            json_build_object(
                'sample', samples.id, 'kernel', kernels.name, 'variant', workloads.variant,
                'parameters', parameters,
                'measured', samples.median_s
            ) AS "row!: Json<HeldOut>"
        FROM models
        CROSS JOIN unnest(sample_ids) WITH ORDINALITY AS row (sample_id, place)
        JOIN samples ON samples.id = row.sample_id
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE models.id = $1
        ORDER BY place
        "#,
        model
    )
    .fetch_all(pool)
    .await
    .map(plain)?;
    match response {
        "time" => Ok(rows),
        _ => counted(pool, rows, response).await,
    }
}

/// The rows with the values of this counter in place of times.
async fn counted(pool: &PgPool, rows: Vec<LeftOutRow>, counter: &str) -> Result<Vec<LeftOutRow>> {
    let counter = sqlx::query_scalar!(
        "SELECT id FROM counters WHERE provider || ':' || name = $1",
        counter
    )
    .fetch_one(pool)
    .await?;
    let samples: Vec<Uuid> = rows.iter().map(|row| row.sample).collect();
    let mut connection = pool.acquire().await?;
    let values = readings::values(&mut connection, &samples).await?;
    let rows = rows.into_iter().map(|row| {
        let measured = values.get(&row.sample).and_then(|it| it.get(&counter));
        let wrong = || format!("sample {} has no value of {counter}", row.sample);
        let measured = *measured.ok_or_else(|| Error::Inconsistent(wrong()))?;
        Ok(LeftOutRow { measured, ..row })
    });
    rows.collect()
}
