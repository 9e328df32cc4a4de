//! Stored hold-outs.

use std::collections::BTreeMap;

use kerncast_wire::{
    Coverage, Errors, HeldOut, HoldOut, HoldOutKey, KernelErrors, Signs, Validation,
};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use super::words::{from_word, number};

/// The name of no kernel: errors over all kernels.
pub(super) const OVERALL: &str = "";
/// All there are. An index that is asked for each passes over the kernels' errors between them.
const KEYS: [&str; 4] = ["row", "kernel", "family", "device"];

struct ErrorsRow {
    model_id: Uuid,
    key: String,
    kernel: String,
    n: i64,
    unpredicted: i64,
    mean_ape: Option<f64>,
    median_ape: Option<f64>,
    factor: Option<f64>,
    within_25: Option<f64>,
    negative: i64,
}

impl ErrorsRow {
    fn errors(self) -> sqlx::Result<Option<Errors>> {
        let (Some(mean_ape), Some(median_ape), Some(within_25)) =
            (self.mean_ape, self.median_ape, self.within_25)
        else {
            return Ok(None);
        };
        Ok(Some(Errors {
            n: number(self.n)?,
            unpredicted: number(self.unpredicted)?,
            mean_ape,
            median_ape,
            factor: self.factor,
            within_25,
            negative: number(self.negative)?,
        }))
    }
}

/// Errors over all kernels, by model and key.
pub(crate) async fn overall_errors(
    pool: &PgPool,
    models: &[Uuid],
) -> sqlx::Result<BTreeMap<(Uuid, HoldOutKey), Errors>> {
    let rows = sqlx::query_as!(
        ErrorsRow,
        "SELECT * FROM hold_out_errors WHERE model_id = ANY ($1) AND key = ANY ($2) AND kernel = $3",
        models,
        &KEYS.map(str::to_owned),
        OVERALL
    )
    .fetch_all(pool)
    .await?;
    let mut errors = BTreeMap::new();
    for row in rows {
        let key = (row.model_id, from_word(row.key.clone())?);
        if let Some(found) = row.errors()? {
            errors.insert(key, found);
        }
    }
    Ok(errors)
}

/// How each model's intervals did, where it has any.
pub(crate) async fn coverages(
    pool: &PgPool,
    models: &[Uuid],
) -> sqlx::Result<BTreeMap<Uuid, Coverage>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            model_id, level AS "level: f64", covered AS "covered: f64", covered_rows AS "covered_rows: f64",
            typical_factor AS "typical_factor: f64", n, without
        FROM coverages WHERE model_id = ANY ($1)
        "#,
        models
    )
    .fetch_all(pool)
    .await?;
    rows.into_iter()
        .map(|row| {
            let coverage = Coverage {
                level: row.level,
                covered: row.covered,
                covered_rows: row.covered_rows,
                typical_factor: row.typical_factor,
                n: number(row.n)?,
                without: number(row.without)?,
            };
            Ok((row.model_id, coverage))
        })
        .collect()
}

/// How often each model of speedups was on the right side of 1.
pub(crate) async fn signs(pool: &PgPool, models: &[Uuid]) -> sqlx::Result<BTreeMap<Uuid, Signs>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            model_id, "right" AS "right: f64", clear_right AS "clear_right: f64",
            pays_off AS "pays_off: f64"
        FROM speedup_signs WHERE model_id = ANY ($1)
        "#,
        models
    )
    .fetch_all(pool)
    .await?;
    let signs = rows.into_iter().map(|row| {
        let signs = Signs {
            right: row.right,
            clear_right: row.clear_right,
            pays_off: row.pays_off,
        };
        (row.model_id, signs)
    });
    Ok(signs.collect())
}

/// A model's hold-outs; none where it was refused. Absent where there is no such model.
pub(crate) async fn get(pool: &PgPool, model: Uuid) -> sqlx::Result<Option<Validation>> {
    let exists = sqlx::query!("SELECT id FROM models WHERE id = $1", model);
    if exists.fetch_optional(pool).await?.is_none() {
        return Ok(None);
    }
    let rows = sqlx::query!(
        r#"
        SELECT key, predicted AS "predicted: Vec<Option<f64>>", refusals AS "refusals: Vec<Option<String>>"
        FROM hold_outs WHERE model_id = $1 ORDER BY key
        "#,
        model
    )
    .fetch_all(pool)
    .await?;
    let samples = samples(pool, model).await?;
    let mut hold_outs = Vec::new();
    for row in rows {
        let (overall, kernels) = errors(pool, model, &row.key).await?;
        let forecasts = row.predicted.into_iter().zip(row.refusals);
        let rows = samples
            .iter()
            .zip(forecasts)
            .map(|(sample, (predicted, refusal))| HeldOut {
                predicted,
                refusal,
                ..sample.clone()
            });
        hold_outs.push(HoldOut {
            key: from_word(row.key)?,
            overall,
            kernels,
            rows: rows.collect(),
        });
    }
    Ok(Some(Validation { model, hold_outs }))
}

/// A model's samples in their order, without a forecast.
async fn samples(pool: &PgPool, model: Uuid) -> sqlx::Result<Vec<HeldOut>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            samples.id, kernels.name AS kernel, workloads.variant,
            parameters AS "parameters: Json<BTreeMap<String, i64>>",
            coalesce(
                values[array_position(counter_ids, counters.id)],
                CASE response
                    WHEN 'gain' THEN samples.median_s / global.median_s
                    ELSE global.median_s / samples.median_s
                END,
                samples.median_s
            ) AS "measured!"
        FROM models
        CROSS JOIN unnest(sample_ids) WITH ORDINALITY AS row (sample_id, place)
        JOIN samples ON samples.id = row.sample_id
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        -- Where the response is a speedup or, of version 0.1, a gain; else it is absent.
        LEFT JOIN samples AS global ON global.id = global_sample_ids[place]
        -- Where the response is a counter; else both are absent.
        LEFT JOIN counters ON response = counters.provider || ':' || counters.name
        LEFT JOIN readings
            ON readings.sample_id = samples.id AND readings.provider = counters.provider
        WHERE models.id = $1
        ORDER BY place
        "#,
        model
    )
    .fetch_all(pool)
    .await?;
    let held_out = rows.into_iter().map(|row| HeldOut {
        sample: row.id,
        kernel: row.kernel,
        variant: row.variant,
        parameters: row.parameters.0,
        measured: row.measured,
        predicted: None,
        refusal: None,
    });
    Ok(held_out.collect())
}

/// A hold-out's errors over all kernels and of each.
async fn errors(
    pool: &PgPool,
    model: Uuid,
    key: &str,
) -> sqlx::Result<(Option<Errors>, Vec<KernelErrors>)> {
    let rows = sqlx::query_as!(
        ErrorsRow,
        "SELECT * FROM hold_out_errors WHERE model_id = $1 AND key = $2 ORDER BY kernel",
        model,
        key
    )
    .fetch_all(pool)
    .await?;
    let mut overall = None;
    let mut kernels = Vec::new();
    for row in rows {
        let kernel = row.kernel.clone();
        let errors = row.errors()?;
        if kernel == OVERALL {
            overall = errors;
        } else {
            kernels.push(KernelErrors { kernel, errors });
        }
    }
    Ok((overall, kernels))
}
