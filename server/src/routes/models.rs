//! Models: listings, and one by one.

use axum::{Json, extract::State, http::StatusCode, response::Response};
use kerncast_wire::{ModelDetail, ModelSummary, Page};
use uuid::Uuid;

use crate::{
    App,
    db::{self, models::listing::Filter},
    http::{
        error::Error,
        extract::{Id, Query},
        memory_budget::Memory,
        paging::parse_cursor,
        problem::problem,
    },
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
    Ok(Json(
        filter.limit.page(models, |model| model.id.to_string()),
    ))
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
pub(super) fn no_model(id: Uuid) -> kerncast_wire::Problem {
    problem(StatusCode::NOT_FOUND, format!("there is no model {id}"))
}
