//! Models: listings, one by one with its validation, and the fitting jobs that make them.

use axum::{Json, extract::State, response::Response};
use kerncast_wire::{FittingJobs, ModelDetail, ModelSummary, Page, Validation};
use uuid::Uuid;

use crate::{
    App,
    db::{self, models::listing::Filter},
    http::{Error, Id, Memory, Query, not_found, parse_cursor},
};

/// Models, newest first.
#[utoipa::path(
    get, path = "/v1/models", tag = "models", params(Filter),
    responses((status = 200, description = "One page", body = Page<ModelSummary>))
)]
pub(super) async fn list_models(
    State(app): State<App>,
    Query(filter): Query<Filter>,
) -> Result<Json<Page<ModelSummary>>, Error> {
    let before = parse_cursor(filter.cursor.as_deref())?;
    let models = db::models::listing::list(&app.pool, &filter, before, filter.limit.rows()).await?;
    let page = filter.limit.page(models, |model| model.id.to_string());
    Ok(Json(page))
}

/// One model.
#[utoipa::path(
    get, path = "/v1/models/{id}", tag = "models",
    params(("id" = Uuid, Path, description = "The model's id")),
    responses((status = 200, description = "The model", body = ModelDetail),
        (status = 404, description = "There is no such model")
    )
)]
pub(super) async fn get_model(
    State(app): State<App>,
    Id(id): Id,
    memory: Memory,
) -> Result<Response, Error> {
    memory.json(detail(&app, id).await?).await
}

pub(super) async fn detail(app: &App, id: Uuid) -> Result<ModelDetail, Error> {
    Ok(db::models::listing::get(&app.pool, id)
        .await?
        .ok_or_else(|| no_model(id))?)
}

/// The problem of a model that is not there.
fn no_model(id: Uuid) -> kerncast_wire::Problem {
    not_found(format!("there is no model {id}"))
}

/// A model's forecasts of what its fit had not seen.
#[utoipa::path(
    get, path = "/v1/models/{id}/validation", tag = "models",
    params(("id" = Uuid, Path, description = "The model's id")),
    responses(
        (status = 200, description = "By kernel and by row; a refused model has neither", body = Validation),
        (status = 404, description = "There is no such model")
    )
)]
pub(super) async fn get_validation(State(app): State<App>, Id(id): Id) -> Result<Response, Error> {
    let rows = db::models::validations::rows(&app.pool, id).await?;
    let rows = rows.ok_or_else(|| no_model(id))?;
    let memory = Memory::for_answer(&app.memory, BYTES_PER_ROW * rows).await?;
    let validation = db::models::validations::get(&app.pool, id).await?;
    let validation = validation.ok_or_else(|| no_model(id))?;
    memory.json(validation).await
}

/// Bytes of memory that a row of a hold-out takes until it is text.
const BYTES_PER_ROW: usize = 1 << 10;

/// Fits that are not done.
///
/// An upload asks for a fit in its own transaction, so after an upload's answer `pending` stays above
/// 0 until the models are as new as the samples.
#[utoipa::path(
    get, path = "/v1/jobs", tag = "models",
    responses((status = 200, description = "All of them", body = FittingJobs))
)]
pub(super) async fn list_jobs(State(app): State<App>) -> Result<Json<FittingJobs>, Error> {
    Ok(Json(db::fitting::jobs::list(&app.pool).await?))
}
