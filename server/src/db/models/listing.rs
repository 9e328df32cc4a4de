//! Stored models.

use kerncast_profilers::catalogue::describe;
use kerncast_wire::{ModelDetail, ModelSpecification, ModelSummary};
use serde::Deserialize;
use sqlx::{PgPool, types::Json};
use utoipa::IntoParams;
use uuid::Uuid;

use super::{fit_parts::named_parts, stored_fit};
use crate::db::{Result, limit::Limit, plain};

/// Which models.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only this device's, by its id.
    pub(crate) device: Option<i64>,
    /// Only those that forecast from this device's counters, by its id.
    pub(crate) counted_on: Option<i64>,
    /// Only those fitted to this provider's counters.
    pub(crate) provider: Option<String>,
    /// Only those that forecast this: `time`, or a counter.
    pub(crate) response: Option<String>,
    /// Only those that forecast from the device's own counters.
    #[serde(default)]
    pub(crate) own: bool,
    /// Also those that newer samples have replaced.
    #[serde(default)]
    pub(crate) superseded: bool,
    // None that waits for an admin.
    #[serde(skip)]
    pub(crate) answering: bool,
    // Only this one, superseded or not.
    #[serde(skip)]
    pub(crate) id: Option<Uuid>,
    /// `next` of the page before; absent: the first page.
    pub(crate) cursor: Option<String>,
    /// Items on a page.
    #[serde(default)]
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1000, default = 100)]
    pub(crate) limit: Limit,
}

/// All models of a response that do not wait for an admin, those of one device, device counted on and provider together,
/// those that answer first ahead.
pub(crate) async fn by_rank(pool: &PgPool, response: &str) -> Result<Vec<ModelSummary>> {
    let filter = Filter {
        response: Some(response.to_owned()),
        answering: true,
        ..Filter::default()
    };
    let mut models = list(pool, &filter, None, i64::MAX).await?;
    models.sort_by(|a, b| {
        let key = |it: &ModelSummary| {
            let (spec, rank) = (&it.specification, it.rank.unwrap_or(i16::MAX));
            (
                spec.counted_on,
                spec.device,
                spec.provider.clone(),
                rank,
                it.id,
            )
        };
        key(a).cmp(&key(b))
    });
    Ok(models)
}

/// At most `rows` models with ids below `before`, newest first.
pub(crate) async fn list(
    pool: &PgPool,
    filter: &Filter,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<ModelSummary>> {
    Ok(plain(sqlx::query_scalar!(
        r#"
        WITH aside AS MATERIALIZED (
            SELECT device_id, standing, count(*) AS samples
            FROM standings WHERE standing IN ('quarantined', 'rejected')
            GROUP BY device_id, standing
        )
        SELECT
            json_build_object(
                'id', models.id, 'created_at', created_at,
                'specification', json_build_object(
                    'device', device_id, 'counted_on', counted_on_device_id, 'provider', provider,
                    'method', method, 'counters', counters, 'variant', variant, 'response', response
                ),
                'device', device_json(devices), 'samples', cardinality(sample_ids), 'kernels', kernels,
                'refusal', refusal, 'refused', refused, 'held', held,
                'held_because', coalesce(held_because, '[]'),
                'warned', models.warned || CASE WHEN superseded THEN '[]' ELSE aside.warned END, 'coverage', to_json(coverages),
                'champion', coalesce(rank = 1, false),
                'rank', rank, 'judged_by', judged_by, 'superseded', superseded, 'leave_one_kernel_out', errors.by_kernel[1],
                'leave_one_family_out', errors.by_family[1], 'leave_one_row_out', errors.by_row[1]
            ) AS "model!: Json<ModelSummary>"
        FROM models
        JOIN devices ON devices.id = device_id
        LEFT JOIN coverages ON coverages.model_id = models.id
        CROSS JOIN LATERAL (
            SELECT
                array_agg(errors_json(it)) FILTER (WHERE key = 'kernel') AS by_kernel,
                array_agg(errors_json(it)) FILTER (WHERE key = 'family') AS by_family,
                array_agg(errors_json(it)) FILTER (WHERE key = 'row') AS by_row
            FROM hold_out_errors AS it
            -- Asked for each key, the index passes over the kernels' errors between them.
            WHERE model_id = models.id AND key IN ('kernel', 'family', 'row') AND kernel = ''
        ) AS errors
        CROSS JOIN LATERAL (
            SELECT coalesce(jsonb_agg(
                jsonb_build_object('kind', 'set_aside', 'samples', samples, 'standing', standing)
                ORDER BY standing
            ), '[]') AS warned
            FROM aside WHERE aside.device_id = models.device_id
        ) AS aside
        WHERE ($1::bigint IS NULL OR device_id = $1)
            AND ($2::text IS NULL OR provider = $2)
            AND ($3 OR NOT superseded)
            AND ($4::uuid IS NULL OR models.id = $4)
            AND ($5::uuid IS NULL OR models.id < $5)
            AND (NOT $6 OR counted_on_device_id IS NULL)
            AND ($7::bigint IS NULL OR coalesce(counted_on_device_id, device_id) = $7)
            AND ($8::text IS NULL OR response = $8)
            AND NOT ($9 AND held IS NOT NULL)
        ORDER BY models.id DESC
        LIMIT $10
        "#,
        filter.device,
        filter.provider,
        filter.superseded || filter.id.is_some(),
        filter.id,
        before,
        filter.own,
        filter.counted_on,
        filter.response,
        filter.answering,
        rows,
    )
    .fetch_all(pool)
    .await?))
}

/// A model, superseded or not.
pub(crate) async fn get(pool: &PgPool, id: Uuid) -> Result<Option<ModelDetail>> {
    let only = Filter {
        id: Some(id),
        ..Filter::default()
    };
    let Some(summary) = list(pool, &only, None, 1).await?.pop() else {
        return Ok(None);
    };
    let row = sqlx::query!(
        "SELECT code_version, sample_ids, fit::text, fit_dropped_at FROM models WHERE id = $1",
        id
    )
    .fetch_one(pool)
    .await?;
    let ModelSpecification {
        counters, response, ..
    } = &summary.specification;
    let fit = row.fit.as_deref().map(stored_fit::read).transpose()?;
    let fit = fit.map(|fit| named_parts(&fit, counters, unit(response)));
    Ok(Some(ModelDetail {
        summary,
        fit,
        fit_dropped_at: row.fit_dropped_at,
        code_version: row.code_version,
        sample_ids: row.sample_ids,
    }))
}

/// The unit of a response; of a counter that Kerncast does not know, its name.
fn unit(response: &str) -> String {
    let unit = match response.split_once(':') {
        Some((provider, name)) => describe(provider, name).map_or(response, |known| known.unit),
        None => "s",
    };
    unit.to_owned()
}
