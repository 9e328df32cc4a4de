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

use super::{
    TableFormat, csv,
    parquet::Table,
    table::{Cell, Column, Kind, word},
};
use crate::{
    db::sharding::Shards,
    db::{self, readings::IfLost, samples::Listed},
    error::Error,
    heavy::heavy,
    room::Room,
};

/// Samples read from the database at a time, and about their bytes at most.
const CHUNK: i64 = 1000;
const CHUNK_BYTES: i64 = 1 << 20;
/// Rows of CSV that are sent together at most.
const ROWS: usize = 16;

/// What a tidy table (docs/importing.md) has first, and, from the seventh on, what an export adds, which whoever
/// reads a tidy table passes over, but for the last two.
const FIXED: [(&str, Kind); 18] = [
    ("device", Kind::Text),
    ("vendor", Kind::Text),
    ("kernel", Kind::Text),
    ("family", Kind::Text),
    ("variant", Kind::Text),
    ("time_s", Kind::Number),
    ("id", Kind::Text),
    ("measured_at", Kind::Time),
    ("agent", Kind::Text),
    ("min_s", Kind::Number),
    ("n", Kind::Whole),
    ("cv", Kind::Number),
    ("launches_per_repetition", Kind::Whole),
    ("settled", Kind::Flag),
    ("flags", Kind::Text),
    ("origin", Kind::Text),
    ("standing", Kind::Text),
    ("generated", Kind::Flag),
];

/// The columns that depend on what was uploaded.
struct Known {
    parameters: Vec<String>,
    /// As (provider, name).
    counters: Vec<(String, String)>,
}

/// The samples of a filter that are still to be read, chunk by chunk, so that an export of any size takes little
/// memory.
pub(in crate::routes) struct Pages {
    pub(in crate::routes) pool: PgPool,
    pub(in crate::routes) shards: Shards,
    pub(in crate::routes) filter: db::samples::Filter,
    /// Only those with ids below.
    pub(in crate::routes) before: Option<Uuid>,
    /// At most so many; absent: all.
    pub(in crate::routes) most: Option<i64>,
}

/// Those samples as a table.
pub(in crate::routes) async fn samples(
    pages: Pages,
    format: TableFormat,
    room: Room,
) -> Result<Response, Error> {
    let known = Known {
        parameters: db::catalogue::parameter_names(&pages.pool).await?,
        counters: db::catalogue::counter_names(&pages.pool).await?,
    };
    let body = match format {
        TableFormat::Csv => Body::from_stream(as_csv(known, pages)),
        TableFormat::Parquet => {
            let table = Table::new(&known.columns())?;
            Body::from_stream(as_parquet(known, table, pages))
        }
    };
    Ok(room.until_sent(format.attachment("samples", body)))
}

fn as_csv(known: Known, pages: Pages) -> impl Stream<Item = sqlx::Result<Bytes>> {
    let header = Bytes::from(csv::header(&known.columns()));
    let known = Arc::new(known);
    let rows = stream::try_unfold(Some(pages), move |pages| {
        let known = Arc::clone(&known);
        async move {
            let Some(pages) = pages else { return Ok(None) };
            let (samples, pages) = pages.next().await?;
            let row = move |sample| Ok(Bytes::from(csv::row(known.row(sample))));
            Ok::<_, sqlx::Error>(Some((stream::iter(samples.into_iter().map(row)), pages)))
        }
    });
    stream::iter([Ok(header)])
        .chain(rows.try_flatten())
        .try_ready_chunks(ROWS)
        .map_ok(|rows| Bytes::from(rows.concat()))
        .map_err(|error| error.1)
}

fn as_parquet(
    known: Known,
    table: Table,
    pages: Pages,
) -> impl Stream<Item = Result<Bytes, Error>> {
    let known = Arc::new(known);
    stream::try_unfold(Some((table, Some(pages))), move |left| {
        let known = Arc::clone(&known);
        async move {
            let Some((mut table, Some(pages))) = left else {
                return Ok(None);
            };
            let (samples, pages) = pages.next().await?;
            let last = pages.is_none();
            let written = heavy(move || {
                let mut bytes = Vec::new();
                for sample in samples {
                    if table.push(known.row(sample)) {
                        bytes.extend(table.write()?);
                    }
                }
                if last {
                    bytes.extend(table.end()?);
                    return Ok::<_, Error>((bytes, None));
                }
                Ok((bytes, Some(table)))
            });
            let (bytes, table) = written.await??;
            Ok(Some((
                Bytes::from(bytes),
                table.map(|table| (table, pages)),
            )))
        }
    })
}

impl Pages {
    /// The next samples, and what is left after them.
    async fn next(self) -> sqlx::Result<(Vec<Sample>, Option<Self>)> {
        let rows = self.most.unwrap_or(CHUNK).min(CHUNK);
        let Listed { samples, more } = db::samples::list(
            &self.pool,
            &self.shards,
            &self.filter,
            self.before,
            rows,
            CHUNK_BYTES,
            // A table with gaps would pass for whole.
            IfLost::Fail,
        )
        .await?;
        let read = i64::try_from(samples.len()).unwrap_or(i64::MAX);
        let left = Self {
            before: samples.last().map(|sample| sample.sample.id),
            most: self.most.map(|most| most - read),
            ..self
        };
        let left = Some(left).filter(|left| more && left.most != Some(0));
        Ok((samples, left))
    }
}

impl Known {
    fn columns(&self) -> Vec<Column> {
        let fixed = FIXED.iter().map(|&(name, kind)| Column::new(name, kind));
        let sizes = self.parameters.iter();
        let sizes = sizes.map(|name| Column::new(format!("param:{name}"), Kind::Whole));
        let counters = self.counters.iter();
        let counters = counters
            .map(|(provider, name)| Column::new(format!("{provider}:{name}"), Kind::Number));
        fixed.chain(sizes).chain(counters).collect()
    }

    fn row(&self, stored: Sample) -> Vec<Cell> {
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
            Cell::Text(device.name),
            Cell::Text(device.vendor),
            Cell::Text(workload.kernel),
            Cell::or_absent(workload.family, Cell::Text),
            Cell::Text(workload.variant),
            Cell::Number(time.median_s),
            Cell::text(id),
            Cell::Time(measured_at),
            Cell::Text(agent.name),
            Cell::Number(time.min_s),
            Cell::Whole(time.n.into()),
            Cell::or_absent(time.cv, Cell::Number),
            Cell::Whole(times.launches_per_repetition.into()),
            Cell::or_absent(times.settled, Cell::Flag),
            Cell::Text(flags.join(" ")),
            Cell::Text(word(origin)),
            Cell::Text(word(standing)),
            Cell::Flag(workload.generated),
        ];
        let sizes = self.parameters.iter();
        let sizes =
            sizes.map(|name| Cell::or_absent(workload.parameters.get(name).copied(), Cell::Whole));
        let counter = |(provider, name): &(String, String)| {
            let value = readings.get(provider).and_then(|it| it.counters.get(name));
            Cell::or_absent(value.copied(), Cell::Number)
        };
        let counters = self.counters.iter().map(counter);
        fixed.into_iter().chain(sizes).chain(counters).collect()
    }
}
