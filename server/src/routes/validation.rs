//! What a model forecasts of samples that its fit had not seen.

use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use kerncast_wire::Validation;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    csv::{Format, validation_csv},
    models::no_model,
};
use crate::{
    App, db,
    error::Error,
    extract::{Id, Query},
};

/// In which form.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Form {
    /// `json` or `csv`; absent: what the `Accept` header asks for, else JSON.
    format: Option<Format>,
}

/// A model's forecasts of what its fit had not seen.
#[utoipa::path(
    get, path = "/v1/models/{id}/validation", tag = "models",
    params(("id" = Uuid, Path, description = "The model's id"), Form),
    responses(
        (status = 200, description = "By kernel and by row; a refused model has neither",
            content((Validation = "application/json"), (String = "text/csv"))),
        super::Refused
    )
)]
pub(super) async fn get_validation(
    State(app): State<App>,
    Id(id): Id,
    headers: HeaderMap,
    Query(Form { format }): Query<Form>,
) -> Result<Response, Error> {
    let validation = db::validations::get(&app.pool, id)
        .await?
        .ok_or_else(|| no_model(id))?;
    Ok(match Format::wanted(format, &headers) {
        Format::Json => Json(validation).into_response(),
        Format::Csv => validation_csv(&validation),
    })
}
