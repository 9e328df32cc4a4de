//! The paper's figure.

use axum::{
    extract::State,
    http::{StatusCode, header},
    response::Response,
};
use kerncast_wire::HoldOutKey;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{models::no_model, validation::validation};
use crate::{
    App, db,
    error::Error,
    extract::{Id, Query},
    figure,
    heavy::heavy,
    problem::problem,
};

/// Which figure.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// What the forecasts' fits had left out; absent: the kernel.
    key: Option<HoldOutKey>,
}

/// The paper's figure: predicted ÷ measured of every sample, by kernel, as SVG.
#[utoipa::path(
    get, path = "/v1/models/{id}/figure.svg", tag = "models",
    params(("id" = Uuid, Path, description = "The model's id"), Which),
    responses(
        (status = 200, description = "By fits that had not seen the sample", body = String, content_type = "image/svg+xml"),
        (status = 404, description = "There is no such model, or it was not validated so")
    )
)]
pub(super) async fn get_figure(
    State(app): State<App>,
    Id(id): Id,
    Query(Which { key }): Query<Which>,
) -> Result<Response, Error> {
    let key = key.unwrap_or(HoldOutKey::Kernel);
    let model = db::models::get(&app.pool, id).await?;
    let model = model.ok_or_else(|| no_model(id))?;
    let (validation, room) = validation(&app, id).await?;
    let hold_out = validation
        .hold_outs
        .into_iter()
        .find(|it| it.key == key)
        .ok_or_else(|| {
            let why = model.summary.refusal.as_deref();
            let why = why.unwrap_or("it was not validated by leaving that out");
            problem(
                StatusCode::NOT_FOUND,
                format!("model {id} has no such figure: {why}"),
            )
        })?;
    let svg = heavy(move || figure::svg(&model.summary, &hold_out)).await?;
    // A model never changes; the figure's looks may, with the server's version.
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "max-age=86400"),
    ];
    Ok(room.until_sent((headers, svg?)))
}
