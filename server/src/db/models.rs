//! Stored models.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kerncast_profilers::catalogue::describe;
use kerncast_wire::{
    Coverage, Device, Errors, HoldOutKey, ModelDetail, ModelSpecification, ModelSummary, Signs,
};
use sqlx::PgPool;
use uuid::Uuid;

use super::{
    fit_parts::parts,
    speedups, stored_fit, validations,
    words::{from_word, number},
};

/// Which models.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) device: Option<i64>,
    /// The device that was counted on, itself or another.
    pub(crate) counted_on: Option<i64>,
    pub(crate) provider: Option<String>,
    pub(crate) response: Option<String>,
    /// None from another device's counters.
    pub(crate) own: bool,
    /// Also the superseded ones.
    pub(crate) superseded: bool,
    /// Only this one, superseded or not.
    pub(crate) id: Option<Uuid>,
}

struct Row {
    id: Uuid,
    created_at: DateTime<Utc>,
    device_id: i32,
    counted_on_device_id: Option<i32>,
    provider: String,
    method: String,
    counters: Vec<String>,
    variant: Option<String>,
    response: String,
    vendor: String,
    name: String,
    kind: String,
    compute_units: Option<i64>,
    global_memory_bytes: Option<i64>,
    local_memory_bytes: Option<i64>,
    samples: i64,
    kernels: i64,
    refusal: Option<String>,
    warnings: Vec<String>,
    superseded: bool,
    rank: Option<i16>,
}

/// All models, those of one device, device counted on and provider together, those that answer first ahead.
pub(crate) async fn by_rank(pool: &PgPool, filter: &Filter) -> sqlx::Result<Vec<ModelSummary>> {
    let mut models = list(pool, filter, None, i64::MAX).await?;
    models.sort_by(|a, b| {
        let key = |it: &ModelSummary| {
            let ModelSpecification {
                device,
                counted_on,
                provider,
                ..
            } = &it.specification;
            let rank = it.rank.unwrap_or(i16::MAX);
            (*counted_on, *device, provider.clone(), rank, it.id)
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
) -> sqlx::Result<Vec<ModelSummary>> {
    let rows = sqlx::query_as!(
        Row,
        r#"
        SELECT
            models.id, created_at, models.device_id, models.counted_on_device_id, models.provider, method,
            counters, variant, models.response, vendor, name, kind, compute_units, global_memory_bytes, local_memory_bytes,
            cardinality(sample_ids)::bigint AS "samples!", kernels, refusal, warnings, superseded,
            rank
        FROM models
        JOIN devices ON devices.id = models.device_id
        WHERE ($1::bigint IS NULL OR models.device_id = $1)
            AND ($2::text IS NULL OR models.provider = $2)
            AND ($3 OR NOT superseded)
            AND ($4::uuid IS NULL OR models.id = $4)
            AND ($5::uuid IS NULL OR models.id < $5)
            AND (NOT $6 OR models.counted_on_device_id IS NULL)
            AND ($7::bigint IS NULL OR coalesce(models.counted_on_device_id, models.device_id) = $7)
            AND ($8::text IS NULL OR models.response = $8)
        ORDER BY models.id DESC
        LIMIT $9
        "#,
        filter.device,
        filter.provider,
        filter.superseded || filter.id.is_some(),
        filter.id,
        before,
        filter.own,
        filter.counted_on,
        filter.response,
        rows,
    )
    .fetch_all(pool)
    .await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let headlines = validations::overall_errors(pool, &ids).await?;
    let coverages = validations::coverages(pool, &ids).await?;
    let signs = validations::signs(pool, &ids).await?;
    rows.into_iter()
        .map(|row| summary(row, &headlines, &coverages, &signs))
        .collect()
}

fn summary(
    row: Row,
    headlines: &BTreeMap<(Uuid, HoldOutKey), Errors>,
    coverages: &BTreeMap<Uuid, Coverage>,
    signs: &BTreeMap<Uuid, Signs>,
) -> sqlx::Result<ModelSummary> {
    let Row {
        id,
        created_at,
        device_id,
        counted_on_device_id,
        provider,
        method,
        counters,
        variant,
        response,
        vendor,
        name,
        kind,
        compute_units,
        global_memory_bytes,
        local_memory_bytes,
        samples,
        kernels,
        refusal,
        warnings,
        superseded,
        rank,
    } = row;
    Ok(ModelSummary {
        id,
        created_at,
        specification: ModelSpecification {
            device: device_id.into(),
            counted_on: counted_on_device_id.map(i64::from),
            provider,
            method,
            counters,
            variant,
            response,
        },
        device: Device {
            vendor,
            name,
            kind: from_word(kind)?,
            compute_units: compute_units.map(number).transpose()?,
            global_memory_bytes: global_memory_bytes.map(number).transpose()?,
            local_memory_bytes: local_memory_bytes.map(number).transpose()?,
        },
        samples,
        kernels,
        refusal,
        warnings,
        leave_one_kernel_out: headlines.get(&(id, HoldOutKey::Kernel)).copied(),
        leave_one_family_out: headlines.get(&(id, HoldOutKey::Family)).copied(),
        leave_one_row_out: headlines.get(&(id, HoldOutKey::Row)).copied(),
        leave_one_device_out: headlines.get(&(id, HoldOutKey::Device)).copied(),
        coverage: coverages.get(&id).copied(),
        signs: signs.get(&id).copied(),
        champion: rank == Some(1),
        rank,
        superseded,
    })
}

/// A model, superseded or not.
pub(crate) async fn get(pool: &PgPool, id: Uuid) -> sqlx::Result<Option<ModelDetail>> {
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
    let fit = fit.map(|fit| parts(&fit, counters, unit(response)));
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
        None if response == speedups::RESPONSE => "global ÷ local",
        None if response == speedups::FORMER_RESPONSE => "local ÷ global",
        None => "s",
    };
    unit.to_owned()
}
