//! Speedups: times without local memory ÷ times with it.

use std::collections::BTreeMap;

use kerncast_wire::{HoldOutKey, KernelSpeedup, Signs, SpeedupModel, SpeedupModels};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use super::validations;

/// The response of models of speedups.
pub(crate) const RESPONSE: &str = "speedup";
/// The response of those that version 0.1 made: 1 ÷ the speedup.
pub(crate) const FORMER_RESPONSE: &str = "gain";

/// Which models of speedups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) device: Option<i64>,
    pub(crate) counted_on: Option<i64>,
    pub(crate) provider: Option<String>,
}

/// Models of speedups by device, device counted on and provider, those that answer first.
pub(crate) async fn list(pool: &PgPool, filter: &Filter) -> sqlx::Result<Vec<SpeedupModels>> {
    let rows = sqlx::query!(
        r#"
        WITH ranked AS MATERIALIZED (SELECT model_id, rank FROM rankings)
        SELECT
            id, models.device_id::bigint AS "device!", models.counted_on_device_id::bigint AS counted_on,
            models.provider, method, rank AS "rank?", cardinality(sample_ids)::bigint AS "workloads!",
            kernels, refusal, "right" AS "right?: f64", clear_right AS "clear_right: f64",
            pays_off AS "pays_off?: f64"
        FROM models
        LEFT JOIN ranked ON ranked.model_id = id
        LEFT JOIN speedup_signs ON speedup_signs.model_id = id
        WHERE NOT superseded AND response = $4
            AND ($1::bigint IS NULL OR models.device_id = $1)
            AND ($2::bigint IS NULL OR coalesce(models.counted_on_device_id, models.device_id) = $2)
            AND ($3::text IS NULL OR models.provider = $3)
        ORDER BY models.device_id, models.counted_on_device_id NULLS FIRST, models.provider, rank NULLS LAST, id
        "#,
        filter.device,
        filter.counted_on,
        filter.provider,
        RESPONSE
    )
    .fetch_all(pool)
    .await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let errors = validations::overall_errors(pool, &ids).await?;
    let mut listed: Vec<SpeedupModels> = Vec::new();
    for row in rows {
        let same = |it: &SpeedupModels| {
            (it.device, it.counted_on, &it.provider) == (row.device, row.counted_on, &row.provider)
        };
        if !listed.last().is_some_and(same) {
            listed.push(SpeedupModels {
                device: row.device,
                counted_on: row.counted_on,
                provider: row.provider,
                models: Vec::new(),
            });
        }
        let of = |key| errors.get(&(row.id, key)).copied();
        let model = SpeedupModel {
            model: row.id,
            method: row.method,
            champion: row.rank == Some(1),
            workloads: row.workloads,
            kernels: row.kernels,
            leave_one_kernel_out: of(HoldOutKey::Kernel),
            leave_one_family_out: of(HoldOutKey::Family),
            signs: signs(row.right, row.clear_right, row.pays_off),
            refusal: row.refusal,
        };
        if let Some(last) = listed.last_mut() {
            last.models.push(model);
        }
    }
    Ok(listed)
}

/// How a model of speedups did on kernels that its fit had not seen.
pub(crate) struct Validated {
    pub(crate) factor: Option<f64>,
    pub(crate) signs: Option<Signs>,
}

/// Of the model of this id.
pub(crate) async fn validated(pool: &PgPool, model: Uuid) -> sqlx::Result<Validated> {
    let row = sqlx::query!(
        r#"
        SELECT
            factor AS "factor: f64", "right" AS "right?: f64", clear_right AS "clear_right: f64",
            pays_off AS "pays_off?: f64"
        FROM models
        LEFT JOIN speedup_signs ON speedup_signs.model_id = id
        LEFT JOIN hold_out_errors AS headline
            ON headline.model_id = id AND headline.key = 'kernel' AND headline.kernel = ''
        WHERE id = $1
        "#,
        model
    )
    .fetch_one(pool)
    .await?;
    Ok(Validated {
        factor: row.factor,
        signs: signs(row.right, row.clear_right, row.pays_off),
    })
}

fn signs(right: Option<f64>, clear_right: Option<f64>, pays_off: Option<f64>) -> Option<Signs> {
    right.zip(pays_off).map(|(right, pays_off)| Signs {
        right,
        clear_right,
        pays_off,
    })
}

/// The speedups of a kernel's workloads as the champions had forecast them before they saw the kernel, beside
/// what was measured.
pub(crate) async fn of_kernel(
    pool: &PgPool,
    kernel: &str,
    device: Option<i64>,
) -> sqlx::Result<Vec<KernelSpeedup>> {
    let rows = sqlx::query!(
        r#"
        WITH champions AS MATERIALIZED (
            SELECT model_id, device_id, counted_on_device_id, provider FROM champions WHERE response = $3
        )
        SELECT
            champions.device_id::bigint AS "device!", champions.counted_on_device_id::bigint AS counted_on,
            champions.provider AS "provider!", models.id AS model,
            parameters AS "parameters: Json<BTreeMap<String, i64>>", global.id AS global, local.id AS local,
            global.median_s AS "global_s: f64", local.median_s AS "local_s: f64",
            row.forecast
        FROM champions
        JOIN models ON models.id = champions.model_id
        JOIN hold_outs ON hold_outs.model_id = models.id AND key = 'kernel'
        CROSS JOIN unnest(sample_ids, global_sample_ids, predicted) AS row (local, global, forecast)
        JOIN samples AS local ON local.id = row.local
        JOIN samples AS global ON global.id = row.global
        JOIN workloads ON workloads.id = local.workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE kernels.name = $1 AND ($2::bigint IS NULL OR champions.device_id = $2)
        ORDER BY
            champions.device_id, champions.counted_on_device_id NULLS FIRST, champions.provider, global.median_s
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
