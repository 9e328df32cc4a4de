//! Exports as CSV, for those who live in pandas.

use std::collections::BTreeMap;

use axum::{
    body::Body,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use kerncast_wire::{HoldOutKey, Sample, Validation};
use serde::Deserialize;
use sqlx::PgPool;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{db, error::Error};

/// Samples read from the database at a time.
const CHUNK: i64 = 1000;

/// In which form a listing is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// As JSON.
    Json,
    /// As CSV (RFC 4180).
    Csv,
}

impl Format {
    /// What was asked for by parameter, else by the `Accept` header, else JSON.
    pub(super) fn wanted(parameter: Option<Self>, headers: &HeaderMap) -> Self {
        let accept = headers
            .get(header::ACCEPT)
            .and_then(|it| it.to_str().ok())
            .unwrap_or_default();
        parameter.unwrap_or(if accept.contains("text/csv") {
            Self::Csv
        } else {
            Self::Json
        })
    }
}

/// All samples of the filter, a column a counter that the server knows; absent is empty. Read and sent
/// chunk by chunk, so that an export of any size takes little memory.
pub(super) async fn samples_csv(
    pool: PgPool,
    filter: db::samples::Filter,
    before: Option<Uuid>,
) -> Result<Response, Error> {
    let counters = db::catalogue::counter_names(&pool).await?;
    let header = record(
        [
            "id",
            "measured_at",
            "received_at",
            "agent",
            "device_vendor",
            "device_name",
            "kernel",
            "variant",
            "parameters",
            "min_s",
            "median_s",
            "n",
            "cv",
            "launches_per_repetition",
            "settled",
        ]
        .map(str::to_owned)
        .into_iter()
        .chain(
            counters
                .iter()
                .map(|(provider, name)| format!("{provider}:{name}")),
        ),
    );

    let first = (Some(header), before, false);
    let chunks = stream::try_unfold(first, move |(header, before, done)| {
        let (pool, filter, counters) = (pool.clone(), filter.clone(), counters.clone());
        async move {
            if done {
                return Ok::<_, sqlx::Error>(None);
            }
            let samples = db::samples::list(&pool, &filter, before, CHUNK).await?;
            let rows = samples
                .iter()
                .map(|sample| sample_record(sample, &counters));
            let text: Vec<u8> = header.into_iter().chain(rows).flatten().collect();
            let done = i64::try_from(samples.len()).is_ok_and(|n| n < CHUNK);
            let before = samples.last().map(|sample| sample.sample.id);
            Ok(Some((text, (None, before, done))))
        }
    });
    Ok(attachment("samples.csv", Body::from_stream(chunks)))
}

fn sample_record(stored: &Sample, counters: &[(String, String)]) -> Vec<u8> {
    let Sample {
        sample,
        received_at,
        time,
    } = stored;
    let counter = |provider: &str, name: &str| -> Option<f64> {
        sample.readings.get(provider)?.counters.get(name).copied()
    };
    let fixed = [
        sample.id.to_string(),
        sample.measured_at.to_rfc3339(),
        received_at.to_rfc3339(),
        sample.agent.name.clone(),
        sample.device.vendor.clone(),
        sample.device.name.clone(),
        sample.workload.kernel.clone(),
        sample.workload.variant.clone(),
        parameters(&sample.workload.parameters),
        time.min_s.to_string(),
        time.median_s.to_string(),
        time.n.to_string(),
        or_empty(time.cv),
        sample.times.launches_per_repetition.to_string(),
        or_empty(sample.times.settled),
    ];
    let counted = counters
        .iter()
        .map(|(provider, name)| or_empty(counter(provider, name)));
    record(fixed.into_iter().chain(counted))
}

/// A model's hold-outs, one row a sample and key.
pub(super) fn validation_csv(validation: &Validation) -> Response {
    let header = [
        "model",
        "key",
        "sample",
        "kernel",
        "variant",
        "parameters",
        "measured_s",
        "predicted_s",
        "refusal",
    ];
    let mut text = record(header.map(str::to_owned));
    for hold_out in &validation.hold_outs {
        let key = match hold_out.key {
            HoldOutKey::Row => "row",
            HoldOutKey::Kernel => "kernel",
            HoldOutKey::Family => "family",
            HoldOutKey::Device => "device",
        };
        for row in &hold_out.rows {
            text.extend(record([
                validation.model.to_string(),
                key.to_owned(),
                row.sample.to_string(),
                row.kernel.clone(),
                row.variant.clone(),
                parameters(&row.parameters),
                row.measured.to_string(),
                or_empty(row.predicted),
                or_empty(row.refusal.as_ref()),
            ]));
        }
    }
    attachment("validation.csv", Body::from(text))
}

fn parameters(parameters: &BTreeMap<String, i64>) -> String {
    serde_json::json!(parameters).to_string()
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn record(fields: impl IntoIterator<Item = String>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to a Vec cannot fail, and each writer has one record, so lengths cannot disagree.
    let _ = writer.write_record(fields);
    writer.into_inner().unwrap_or_default()
}

fn attachment(name: &str, body: Body) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    (headers, body).into_response()
}
