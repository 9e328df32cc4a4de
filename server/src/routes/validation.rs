//! What a model forecasts of samples that its fit had not seen.

use axum::{extract::State, response::Response};
use kerncast_wire::Validation;

use super::models::no_model;
use crate::{
    App, db,
    http::{error::Error, extract::Id, memory_budget::Memory},
};

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
    let memory = Memory::of_answer(&app.memory, ROW * rows).await?;
    let validation = db::models::validations::get(&app.pool, id).await?;
    let validation = validation.ok_or_else(|| no_model(id))?;
    memory.json(validation).await
}

/// Bytes of memory that a row of a hold-out takes until it is text.
const ROW: usize = 1 << 10;
