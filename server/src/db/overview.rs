//! Champions of every device and provider, and what there is in all.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kerncast_wire::{ChampionOverview, Coverage, Errors, ProviderOverview, WorstKernel};
use sqlx::PgPool;
use uuid::Uuid;

use super::{validations, words::number};

/// Kernels and samples stored.
pub(crate) async fn totals(pool: &PgPool) -> sqlx::Result<(i64, i64)> {
    let row = sqlx::query!(
        r#"
        SELECT
            (SELECT count(*) FROM kernels) AS "kernels!",
            (SELECT coalesce(sum(samples), 0)::bigint FROM sample_counts) AS "samples!"
        "#
    )
    .fetch_one(pool)
    .await?;
    Ok((row.kernels, row.samples))
}

struct Row {
    device: i64,
    provider: String,
    refused: i64,
    refusal: Option<String>,
    model: Option<Uuid>,
    method: Option<String>,
    variant: Option<String>,
    created_at: Option<DateTime<Utc>>,
    samples: Option<i64>,
    kernels: Option<i64>,
    n: Option<i64>,
    unpredicted: Option<i64>,
    mean_ape: Option<f64>,
    median_ape: Option<f64>,
    factor: Option<f64>,
    within_25: Option<f64>,
    negative: Option<i64>,
    mean_ape_before: Option<f64>,
    worst_kernel: Option<String>,
    worst_mean_ape: Option<f64>,
}

/// What is forecast of times on each device, by device.
pub(crate) async fn providers(pool: &PgPool) -> sqlx::Result<BTreeMap<i64, Vec<ProviderOverview>>> {
    let rows = sqlx::query_as!(
        Row,
        r#"
        WITH cells AS (
            SELECT
                device_id, provider, count(refusal) AS refused,
                (array_agg(refusal ORDER BY id DESC) FILTER (WHERE refusal IS NOT NULL))[1] AS refusal
            FROM models
            WHERE NOT superseded AND response = 'time' AND counted_on_device_id IS NULL
            GROUP BY device_id, provider
        )
        SELECT
            cells.device_id::bigint AS "device!", cells.provider AS "provider!", refused AS "refused!",
            cells.refusal, champion.id AS "model?", champion.method AS "method?", champion.variant,
            champion.created_at AS "created_at?",
            cardinality(champion.sample_ids)::bigint AS "samples?", champion.kernels AS "kernels?",
            headline.n AS "n?", headline.unpredicted AS "unpredicted?", headline.mean_ape AS "mean_ape?",
            headline.median_ape AS "median_ape?", headline.factor AS "factor?",
            headline.within_25 AS "within_25?", headline.negative AS "negative?",
            before.mean_ape AS "mean_ape_before?", worst.kernel AS "worst_kernel?",
            worst.mean_ape AS "worst_mean_ape?"
        FROM cells
        LEFT JOIN models AS champion
            ON champion.device_id = cells.device_id AND champion.provider = cells.provider
                AND champion.counted_on_device_id IS NULL AND champion.response = 'time' AND champion.rank = 1
        LEFT JOIN hold_out_errors AS headline
            ON headline.model_id = champion.id AND headline.key = 'kernel' AND headline.kernel = ''
        LEFT JOIN LATERAL (
            SELECT kernel, mean_ape FROM hold_out_errors
            WHERE model_id = champion.id AND key = 'kernel' AND kernel <> ''
            ORDER BY mean_ape DESC NULLS LAST LIMIT 1
        ) AS worst ON worst.mean_ape IS NOT NULL
        LEFT JOIN LATERAL (
            SELECT errors.mean_ape
            FROM models AS older
            LEFT JOIN hold_out_errors AS errors
                ON errors.model_id = older.id AND errors.key = 'kernel' AND errors.kernel = ''
            WHERE older.device_id = champion.device_id AND older.provider = champion.provider
                AND older.counted_on_device_id IS NULL
                AND older.superseded AND older.id < champion.id AND older.method = champion.method
                AND older.variant IS NOT DISTINCT FROM champion.variant
                AND older.default_counters = champion.default_counters
                AND (older.default_counters OR older.counters = champion.counters)
                AND older.response = champion.response
            ORDER BY older.id DESC LIMIT 1
        ) AS before ON true
        ORDER BY cells.device_id, cells.provider
        "#
    )
    .fetch_all(pool)
    .await?;
    let champions: Vec<Uuid> = rows.iter().filter_map(|row| row.model).collect();
    let mut coverages = validations::coverages(pool, &champions).await?;
    let mut providers: BTreeMap<i64, Vec<ProviderOverview>> = BTreeMap::new();
    for row in rows {
        let device = row.device;
        let coverage = row.model.and_then(|model| coverages.remove(&model));
        providers
            .entry(device)
            .or_default()
            .push(overview(row, coverage)?);
    }
    Ok(providers)
}

fn overview(row: Row, coverage: Option<Coverage>) -> sqlx::Result<ProviderOverview> {
    let Row {
        device: _,
        provider,
        refused,
        refusal,
        model,
        method,
        variant,
        created_at,
        samples,
        kernels,
        n,
        unpredicted,
        mean_ape,
        median_ape,
        factor,
        within_25,
        negative,
        mean_ape_before,
        worst_kernel,
        worst_mean_ape,
    } = row;
    let leave_one_kernel_out = match (n, unpredicted, mean_ape, median_ape, within_25, negative) {
        (
            Some(n),
            Some(unpredicted),
            Some(mean_ape),
            Some(median_ape),
            Some(within_25),
            Some(negative),
        ) => Some(Errors {
            n: number(n)?,
            unpredicted: number(unpredicted)?,
            mean_ape,
            median_ape,
            factor,
            within_25,
            negative: number(negative)?,
        }),
        _ => None,
    };
    let worst_kernel = worst_kernel.zip(worst_mean_ape);
    let champion = match (model, method, created_at, samples, kernels) {
        (Some(model), Some(method), Some(created_at), Some(samples), Some(kernels)) => {
            Some(ChampionOverview {
                model,
                method,
                variant,
                created_at,
                samples,
                kernels,
                leave_one_kernel_out,
                coverage,
                mean_ape_before,
                worst_kernel: worst_kernel
                    .map(|(kernel, mean_ape)| WorstKernel { kernel, mean_ape }),
            })
        }
        _ => None,
    };
    Ok(ProviderOverview {
        provider,
        champion,
        refused,
        refusal,
    })
}
