//! Fits that uploads have asked for.

use axum::{Json, extract::State};
use kerncast_wire::FittingJobs;

use crate::{App, db, http::error::Error};

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
