//! Models: listings, and one by one.

use axum::{Json, extract::State, http::StatusCode, response::Response};
use kerncast_wire::{ModelDetail, ModelSummary, Page};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::paging::{Limit, parsed};
use crate::{
    App,
    budget::Memory,
    db,
    error::Error,
    extract::{Id, Query},
    problem::problem,
};

/// Which models.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// Only this device's, by its id.
    device: Option<i64>,
    /// Only those that forecast from this device's counters, by its id.
    counted_on: Option<i64>,
    /// Only those fitted to this provider's counters.
    provider: Option<String>,
    /// Only those that forecast this: `time`, or a counter.
    response: Option<String>,
    /// Only those that forecast from the device's own counters.
    #[serde(default)]
    own: bool,
    /// Also those that newer samples have replaced.
    #[serde(default)]
    superseded: bool,
    /// `next` of the page before; absent: the first page.
    cursor: Option<String>,
    /// Items on a page.
    #[serde(default)]
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1000, default = 100)]
    limit: Limit,
}

/// Models, newest first.
#[utoipa::path(
    get, path = "/v1/models", tag = "models", params(Filter),
    responses((status = 200, description = "One page", body = Page<ModelSummary>))
)]
pub(super) async fn list_models(
    State(app): State<App>,
    Query(filter): Query<Filter>,
) -> Result<Json<Page<ModelSummary>>, Error> {
    let before = parsed(filter.cursor)?;
    let chosen = db::models::Filter {
        device: filter.device,
        counted_on: filter.counted_on,
        provider: filter.provider,
        response: filter.response,
        own: filter.own,
        superseded: filter.superseded,
        ..db::models::Filter::default()
    };
    let models = db::models::list(&app.pool, &chosen, before, filter.limit.rows()).await?;
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
    Ok(db::models::get(&app.pool, id)
        .await?
        .ok_or_else(|| no_model(id))?)
}

/// The problem of a model that is not there.
pub(super) fn no_model(id: Uuid) -> kerncast_wire::Problem {
    problem(StatusCode::NOT_FOUND, format!("there is no model {id}"))
}
