//! Samples as a tidy table: a row a sample, a column a size and a counter that the server knows.

use std::sync::Arc;

use axum::{
    body::{Body, Bytes},
    response::Response,
};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use kerncast_wire::{NewSample, Sample};
use sqlx::PgPool;
use uuid::Uuid;

use super::csv::{self, or_empty, word};
use crate::{
    db::{self, uploads::samples::Listed},
    http::{Error, Memory},
};

/// Samples read from the database at a time, and about their bytes at most.
const CHUNK_SAMPLES: i64 = 1000;
const CHUNK_BYTES: i64 = 1 << 20;
/// Rows of CSV that are sent together at most.
const MOST_ROWS: usize = 16;

/// What a tidy table (docs/importing.md) has first, and, from the seventh on, what an export adds, which whoever
/// reads a tidy table passes over, but for the last two.
const FIXED_COLUMNS: [&str; 18] = [
    "device",
    "vendor",
    "kernel",
    "family",
    "variant",
    "time_s",
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

/// The samples of a filter that are still to be read, chunk by chunk, so that an export of any size takes little
/// memory.
pub(in crate::routes) struct Pages {
    pub(in crate::routes) pool: PgPool,
    pub(in crate::routes) filter: db::uploads::samples::Filter,
    /// Only those with ids below.
    pub(in crate::routes) before: Option<Uuid>,
    /// At most so many; absent: all.
    pub(in crate::routes) most: Option<i64>,
}

/// The samples of these pages as a table.
pub(in crate::routes) async fn samples(pages: Pages, memory: Memory) -> Result<Response, Error> {
    let columns = Columns {
        parameters: db::catalogue::devices::parameter_names(&pages.pool).await?,
        counters: db::catalogue::devices::counter_names(&pages.pool).await?,
    };
    let body = Body::from_stream(lines(columns, pages));
    Ok(memory.until_sent(csv::attachment(body)))
}

fn lines(columns: Columns, pages: Pages) -> impl Stream<Item = db::Result<Bytes>> {
    let header = Bytes::from(csv::record(columns.header()));
    let columns = Arc::new(columns);
    let rows = stream::try_unfold(Some(pages), move |pages| {
        let columns = Arc::clone(&columns);
        async move {
            let Some(pages) = pages else { return Ok(None) };
            let (samples, pages) = pages.next().await?;
            let row = move |sample| Ok(Bytes::from(csv::record(columns.row(sample))));
            Ok::<_, db::Error>(Some((stream::iter(samples.into_iter().map(row)), pages)))
        }
    });
    stream::iter([Ok(header)])
        .chain(rows.try_flatten())
        .try_ready_chunks(MOST_ROWS)
        .map_ok(|rows| Bytes::from(rows.concat()))
        .map_err(|error| error.1)
}

impl Pages {
    /// The next samples, and what is left after them.
    async fn next(self) -> db::Result<(Vec<Sample>, Option<Self>)> {
        let rows = self.most.unwrap_or(CHUNK_SAMPLES).min(CHUNK_SAMPLES);
        let Listed { samples, more } =
            db::uploads::samples::list(&self.pool, &self.filter, self.before, rows, CHUNK_BYTES)
                .await?;
        let count = i64::try_from(samples.len()).unwrap_or(i64::MAX);
        let rest = Self {
            before: samples.last().map(|sample| sample.sample.id),
            most: self.most.map(|most| most - count),
            ..self
        };
        let rest = Some(rest).filter(|rest| more && rest.most != Some(0));
        Ok((samples, rest))
    }
}

impl Columns {
    fn header(&self) -> Vec<String> {
        let fixed = FIXED_COLUMNS.map(str::to_owned).into_iter();
        let sizes = self.parameters.iter().map(|name| format!("param:{name}"));
        let counters = self.counters.iter();
        let counters = counters.map(|(provider, name)| format!("{provider}:{name}"));
        fixed.chain(sizes).chain(counters).collect()
    }

    fn row(&self, stored: Sample) -> Vec<String> {
        let (time, standing) = (stored.time, stored.standing);
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
        } = stored.sample;
        let flags: Vec<String> = flags.iter().map(word).collect();
        let fixed = [
            device.name,
            device.vendor,
            workload.kernel,
            workload.family.unwrap_or_default(),
            workload.variant,
            time.median_s.to_string(),
            id.to_string(),
            measured_at.to_rfc3339(),
            agent.name,
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
        let counters = self.counters.iter().map(|(provider, name)| {
            or_empty(readings.get(provider).and_then(|it| it.counters.get(name)))
        });
        fixed.into_iter().chain(sizes).chain(counters).collect()
    }
}
