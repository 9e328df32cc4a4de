//! How everything is.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use kerncast_wire::Overview;

use crate::{App, http::Error};

/// How everything is: devices, champions, agents, and what needs attention.
#[utoipa::path(
    get, path = "/v1/overview", tag = "models",
    responses((status = 200, description = "All of it", body = Overview))
)]
pub(super) async fn get_overview(State(app): State<App>) -> Result<Response, Error> {
    Ok(Json(&*app.overview().await?).into_response())
}
