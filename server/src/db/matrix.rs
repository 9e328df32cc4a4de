//! Models across devices, by pair.

use kerncast_models::across::COUNTED_ON_TIME;
use kerncast_wire::{DevicePair, HoldOutKey, PairModel};
use sqlx::PgPool;

use super::validations;

/// Which pairs.
pub(crate) struct Filter {
    pub(crate) device: Option<i64>,
    pub(crate) counted_on: Option<i64>,
    pub(crate) provider: Option<String>,
}

/// Every pair of devices with models from one to the other.
pub(crate) async fn pairs(pool: &PgPool, filter: &Filter) -> sqlx::Result<Vec<DevicePair>> {
    // The ranking is of all models together: once, not once a model.
    let rows = sqlx::query!(
        r#"
        WITH ranked AS MATERIALIZED (SELECT model_id, rank FROM rankings)
        SELECT
            id, models.device_id::bigint AS "device!", models.counted_on_device_id::bigint AS "counted_on!",
            models.provider, method, $4 = ANY (counters) AS "needs_time!",
            cardinality(sample_ids)::bigint AS "workloads!", kernels, refusal
        FROM models
        LEFT JOIN ranked ON model_id = id
        WHERE models.counted_on_device_id IS NOT NULL AND NOT superseded AND response = 'time'
            AND ($1::bigint IS NULL OR models.device_id = $1)
            AND ($2::bigint IS NULL OR models.counted_on_device_id = $2)
            AND ($3::text IS NULL OR models.provider = $3)
        ORDER BY models.counted_on_device_id, models.device_id, models.provider, rank NULLS LAST, id
        "#,
        filter.device,
        filter.counted_on,
        filter.provider,
        COUNTED_ON_TIME
    )
    .fetch_all(pool)
    .await?;
    let ids: Vec<_> = rows.iter().map(|row| row.id).collect();
    let errors = validations::overall_errors(pool, &ids).await?;
    let mut pairs: Vec<DevicePair> = Vec::new();
    for row in rows {
        let same = |pair: &DevicePair| {
            (pair.counted_on, pair.device, &pair.provider)
                == (row.counted_on, row.device, &row.provider)
        };
        if !pairs.last().is_some_and(same) {
            pairs.push(DevicePair {
                counted_on: row.counted_on,
                device: row.device,
                provider: row.provider,
                models: Vec::new(),
            });
        }
        let of = |key| errors.get(&(row.id, key)).copied();
        let model = PairModel {
            model: row.id,
            method: row.method,
            needs_time: row.needs_time,
            champion: false,
            workloads: row.workloads,
            kernels: row.kernels,
            leave_one_kernel_out: of(HoldOutKey::Kernel),
            leave_one_device_out: of(HoldOutKey::Device),
            refusal: row.refusal,
        };
        if let Some(pair) = pairs.last_mut() {
            pair.models.push(model);
        }
    }
    for pair in &mut pairs {
        let mut fitted = pair.models.iter_mut().filter(|it| it.refusal.is_none());
        let Some(first) = fitted.next() else { continue };
        first.champion = true;
        if first.needs_time {
            fitted
                .filter(|it| !it.needs_time)
                .take(1)
                .for_each(|it| it.champion = true);
        }
    }
    Ok(pairs)
}
