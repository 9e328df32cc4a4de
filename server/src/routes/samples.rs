//! Samples: uploads and listings.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use kerncast_wire::{BatchVerdict, Origin, Page, Sample, SampleBatch};
use serde::Deserialize;
use tokio::task::spawn_blocking;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{
    csv::{Format, samples_csv},
    paging::{Limit, bad_cursor},
};
use crate::{
    App,
    access::{By, check_samples},
    db,
    error::Error,
    extract::{Id, JsonText, Query},
    problem::problem,
    samples,
};

/// Store a batch of samples.
///
/// Each sample is judged by itself: a wrong one is rejected, the others are stored, durably, before
/// the answer. Sending a sample again changes nothing. A fit follows by itself (`/v1/jobs`).
#[utoipa::path(
    post, path = "/v1/samples", tag = "samples", request_body = SampleBatch,
    responses((status = 200, description = "One verdict a sample", body = BatchVerdict), super::Refused)
)]
pub(super) async fn upload_samples(
    State(app): State<App>,
    By(bearer): By,
    JsonText(body): JsonText,
) -> Result<Json<BatchVerdict>, Error> {
    // Reading 64 MiB of JSON takes a while; other requests should not wait for it.
    let mut batch = spawn_blocking(move || samples::read_batch(&body)).await??;
    check_samples(&app.pool, &bearer, &mut batch).await?;
    let verdict = samples::store(&app.pool, batch, bearer.uploader()).await?;
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
    /// `next` of the page before; absent: the first page.
    cursor: Option<String>,
    /// Items on a page of JSON. CSV has all rows.
    #[serde(default)]
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1000, default = 100)]
    limit: Limit,
    /// `json` or `csv`; absent: what the `Accept` header asks for, else JSON.
    format: Option<Format>,
}

/// Stored samples, newest ids first.
#[utoipa::path(
    get, path = "/v1/samples", tag = "samples", params(Filter),
    responses(
        (status = 200, description = "One page; as CSV all samples, as a tidy table with a column a size and a counter",
            content((Page<Sample> = "application/json"), (String = "text/csv"))),
        super::Refused
    )
)]
pub(super) async fn list_samples(
    State(app): State<App>,
    headers: HeaderMap,
    Query(filter): Query<Filter>,
) -> Result<Response, Error> {
    let Filter {
        device,
        kernel,
        variant,
        origin,
        cursor,
        limit,
        format,
    } = filter;
    let before = cursor
        .map(|it| it.parse::<Uuid>().map_err(|_| bad_cursor(&it)))
        .transpose()?;
    let filter = db::samples::Filter {
        device,
        kernel,
        variant,
        origin,
        id: None,
    };
    if Format::wanted(format, &headers) == Format::Csv {
        return samples_csv(app.pool, filter, before).await;
    }
    let samples = db::samples::list(&app.pool, &filter, before, limit.rows()).await?;
    Ok(Json(limit.page(samples, |sample| sample.sample.id.to_string())).into_response())
}

/// One sample.
#[utoipa::path(
    get, path = "/v1/samples/{id}", tag = "samples",
    params(("id" = Uuid, Path, description = "The sample's id")),
    responses((status = 200, description = "The sample", body = Sample), super::Refused)
)]
pub(super) async fn get_sample(State(app): State<App>, Id(id): Id) -> Result<Json<Sample>, Error> {
    let missing = || problem(StatusCode::NOT_FOUND, format!("there is no sample {id}"));
    let found = db::samples::get(&app.pool, id).await?;
    Ok(Json(found.ok_or_else(missing)?))
}
