//! Exports as CSV, for those who live in pandas.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use kerncast_profilers::as_text;
use kerncast_wire::{NewSample, Sample, Validation};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    db::{self, samples::Listed},
    error::Error,
    room::Room,
};

/// Samples read from the database at a time, and about their bytes at most.
const CHUNK: i64 = 1000;
const CHUNK_BYTES: i64 = 1 << 20;
/// Rows that are sent together at most.
const ROWS: usize = 16;

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

/// What a tidy table (docs/importing.md) has first …
const TIDY: [&str; 6] = ["device", "vendor", "kernel", "family", "variant", "time_s"];
/// … and what an export adds, which whoever reads a tidy table passes over, but for the last two.
const ADDED: [&str; 12] = [
    "id",
    "measured_at",
    "agent",
    "min_s",
    "n",
    "cv",
    "launches_per_repetition",
    "settled",
    "flags",
    "origin",
    "standing",
    "generated",
];

/// The columns that depend on what was uploaded.
struct Columns {
    parameters: Vec<String>,
    /// As (provider, name).
    counters: Vec<(String, String)>,
}

/// All samples of the filter as a tidy table, a column a size and a counter that the server knows; absent
/// is empty. Read and sent chunk by chunk, so that an export of any size takes little memory.
pub(super) async fn samples_csv(
    pool: PgPool,
    room: Room,
    filter: db::samples::Filter,
    before: Option<Uuid>,
) -> Result<Response, Error> {
    let columns = Arc::new(Columns {
        parameters: db::catalogue::parameter_names(&pool).await?,
        counters: db::catalogue::counter_names(&pool).await?,
    });
    let header = Bytes::from(columns.header());
    let rows = stream::try_unfold((before, true), move |(before, more)| {
        let (pool, filter, columns) = (pool.clone(), filter.clone(), Arc::clone(&columns));
        async move {
            if !more {
                return Ok::<_, sqlx::Error>(None);
            }
            let Listed { samples, more } =
                db::samples::list(&pool, &filter, before, CHUNK, CHUNK_BYTES).await?;
            let before = samples.last().map(|sample| sample.sample.id);
            let rows = samples
                .into_iter()
                .map(move |sample| Ok::<_, sqlx::Error>(Bytes::from(columns.row(&sample))));
            Ok(Some((stream::iter(rows), (before, more))))
        }
    });
    let text = stream::iter([Ok(header)]).chain(rows.try_flatten());
    let text = text
        .try_ready_chunks(ROWS)
        .map_ok(|rows| Bytes::from(rows.concat()));
    let text = text.map_err(|error| error.1);
    Ok(room.until_sent(attachment("samples.csv", Body::from_stream(text))))
}

impl Columns {
    fn header(&self) -> Vec<u8> {
        let fixed = TIDY.iter().chain(&ADDED).map(|&name| name.to_owned());
        let sizes = self.parameters.iter().map(|name| format!("param:{name}"));
        let counters = self.counters.iter();
        let counters = counters.map(|(provider, name)| format!("{provider}:{name}"));
        record(fixed.chain(sizes).chain(counters))
    }

    fn row(&self, stored: &Sample) -> Vec<u8> {
        let Sample {
            sample,
            time,
            standing,
            ..
        } = stored;
        let NewSample {
            id,
            measured_at,
            agent,
            device,
            workload,
            times,
            readings,
            conditions: _,
            flags,
            provenance: _,
            origin,
        } = sample;
        let flags: Vec<String> = flags.iter().map(word).collect();
        let fixed = [
            device.name.clone(),
            device.vendor.clone(),
            workload.kernel.clone(),
            or_empty(workload.family.as_ref()),
            workload.variant.clone(),
            time.median_s.to_string(),
            id.to_string(),
            measured_at.to_rfc3339(),
            agent.name.clone(),
            time.min_s.to_string(),
            time.n.to_string(),
            or_empty(time.cv),
            times.launches_per_repetition.to_string(),
            or_empty(times.settled),
            flags.join(" "),
            word(origin),
            word(standing),
            workload.generated.to_string(),
        ];
        let sizes = self.parameters.iter();
        let sizes = sizes.map(|name| or_empty(workload.parameters.get(name)));
        let counter = |(provider, name): &(String, String)| {
            or_empty(readings.get(provider).and_then(|it| it.counters.get(name)))
        };
        let counters = self.counters.iter().map(counter);
        record(fixed.into_iter().chain(sizes).chain(counters))
    }
}

/// A model's hold-outs, one row a sample and key; numbers in the response's unit.
pub(super) fn validation_csv(validation: &Validation) -> Response {
    let header = [
        "model",
        "key",
        "sample",
        "kernel",
        "variant",
        "parameters",
        "measured",
        "predicted",
        "refusal",
    ];
    let mut text = record(header.map(str::to_owned));
    for hold_out in &validation.hold_outs {
        let key = hold_out.key.word();
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

/// An enumeration's word, as JSON has it.
fn word(value: impl Serialize) -> String {
    match serde_json::json!(value) {
        serde_json::Value::String(word) => word,
        other => other.to_string(),
    }
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn record(fields: impl IntoIterator<Item = String>) -> Vec<u8> {
    // Names are always quoted: in a tidy table a line that begins with == is a profiler's remark.
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::NonNumeric)
        .from_writer(Vec::new());
    // Writing to a Vec cannot fail, and each writer has one record, so lengths cannot disagree.
    let _ = writer.write_record(fields.into_iter().map(|it| as_text(&it).into_owned()));
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
