//! Samples: uploads and listings.

use std::sync::Arc;

use axum::{Json, extract::State, response::Response};
use kerncast_wire::{BatchVerdict, Flag, Origin, Page, Sample, SampleBatch, Standing};
use serde::Deserialize;
use utoipa::IntoParams;

use super::export::{self, Format, Pages};
use crate::{
    App,
    access::AuthorizedBy,
    cpu_bound::heavy,
    db::{self, limit::Limit, uploads::samples::Listed},
    http::{Error, Id, Memory, Query, extract::JsonText, not_found, parse_cursor},
    uploads::{
        claims::check_samples,
        samples::{self, Batch},
    },
};

/// Store a batch of samples.
///
/// Each sample is judged by itself: a wrong one is rejected, the others are stored, durably, before
/// the answer. Sending a sample again changes nothing. A fit follows by itself (`/v1/jobs`), and before it the
/// gate, which may set a stored sample aside (its `standing`).
#[utoipa::path(
    post, path = "/v1/samples", tag = "samples", request_body = SampleBatch,
    responses((status = 200, description = "One verdict a sample", body = BatchVerdict))
)]
pub(super) async fn upload_samples(
    State(app): State<App>,
    AuthorizedBy(bearer): AuthorizedBy,
    JsonText(body, _memory): JsonText,
) -> Result<Json<BatchVerdict>, Error> {
    let uploader = bearer.uploader();
    let batch = Arc::new(heavy(move || Batch::parse(body)).await??);
    let mut verdicts = Vec::new();
    for (piece, bytes) in batch.pieces() {
        let _work = app.memory.uploaders.work.take(bytes).await?;
        let batch = Arc::clone(&batch);
        let mut checked = heavy(move || batch.check(piece)).await?;
        check_samples(&app.pool, &bearer, &mut checked).await?;
        verdicts.extend(samples::store(&app.pool, checked, &uploader).await?);
    }
    let verdict = samples::batch_verdict(verdicts);
    app.metrics.count_samples(&verdict);
    Ok(Json(verdict))
}

/// Which samples.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// Only this device's, by its id.
    device: Option<i64>,
    /// Only this kernel's.
    kernel: Option<String>,
    /// Only this variant's.
    variant: Option<String>,
    /// Only those that come from there.
    origin: Option<Origin>,
    /// Only those of this standing.
    standing: Option<Standing>,
    /// Only those that bear this flag.
    flag: Option<Flag>,
    /// `next` of the page before; absent: the first page.
    cursor: Option<String>,
    /// Items on a page of JSON: 100 where it is absent, fewer where they have many repetitions. Of CSV the rows
    /// at most: all where it is absent. The last row's id is the `cursor` of what follows.
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1000)]
    limit: Option<Limit>,
    /// `json`, the default, or `csv`.
    #[serde(default)]
    format: Format,
}

/// Stored samples, newest ids first.
#[utoipa::path(
    get, path = "/v1/samples", tag = "samples", params(Filter),
    responses(
        (status = 200, description = "One page; as CSV all samples, as a tidy table with a column a size and a counter",
            content((Page<Sample> = "application/json"), (String = "text/csv")))
    )
)]
pub(super) async fn list_samples(
    State(app): State<App>,
    Query(filter): Query<Filter>,
    memory: Memory,
) -> Result<Response, Error> {
    let before = parse_cursor(filter.cursor.as_deref())?;
    let selection = db::uploads::samples::Filter {
        device: filter.device,
        kernel: filter.kernel,
        variant: filter.variant,
        origin: filter.origin,
        standing: filter.standing,
        flag: filter.flag,
    };
    if filter.format == Format::Csv {
        let most = filter.limit.map(Limit::items);
        let pages = Pages {
            pool: app.pool,
            filter: selection,
            before,
            most,
        };
        return export::samples(pages, memory).await;
    }
    let limit = filter.limit.unwrap_or_default().items();
    let Listed { samples, more } =
        db::uploads::samples::list(&app.pool, &selection, before, limit, PAGE_BYTES).await?;
    let last = samples.last().filter(|_| more);
    let page = Page {
        next: last.map(|sample| sample.sample.id.to_string()),
        items: samples,
    };
    memory.json(page).await
}

/// Bytes of JSON on a page of samples, about: fewer than asked for are on it where they are large.
const PAGE_BYTES: i64 = 4 << 20;

/// One sample.
#[utoipa::path(
    get, path = "/v1/samples/{id}", tag = "samples",
    params(("id" = Uuid, Path, description = "The sample's id")),
    responses((status = 200, description = "The sample", body = Sample),
        (status = 404, description = "There is no such sample")
    )
)]
pub(super) async fn get_sample(
    State(app): State<App>,
    Id(id): Id,
    memory: Memory,
) -> Result<Response, Error> {
    let missing = || not_found(format!("there is no sample {id}"));
    let sample = db::uploads::samples::get(&app.pool, id).await?;
    memory.json(sample.ok_or_else(missing)?).await
}
