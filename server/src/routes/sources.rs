//! Kernels' sources.

use axum::{Json, extract::State, http::StatusCode, response::Response};
use kerncast_wire::KernelSource;

use crate::{
    App,
    access::By,
    db,
    error::Error,
    extract::{self, Name},
    problem::{problem, unprocessable_all},
    room::Room,
    sources,
};

/// Keep a kernel's sources.
///
/// Sending them again changes nothing.
#[utoipa::path(
    put, path = "/v1/sources/{hash}", tag = "catalogue", request_body = KernelSource,
    params(("hash" = String, Path, description = "SHA-256 of the files, hexadecimal: a sample's `source_hash`")),
    responses((status = 200, description = "Durably stored", body = KernelSource))
)]
pub(super) async fn put_source(
    State(app): State<App>,
    Name(hash): Name,
    By(bearer): By,
    extract::Json(source, _memory): extract::Json<KernelSource>,
) -> Result<Json<KernelSource>, Error> {
    let problems = sources::check(&hash, &source);
    if !problems.is_empty() {
        return Err(unprocessable_all(problems).into());
    }
    db::sources::store(&app.pool, &hash, &source, bearer.token.id).await?;
    Ok(Json(source))
}

/// What samples were made from.
#[utoipa::path(
    get, path = "/v1/sources/{hash}", tag = "catalogue",
    params(("hash" = String, Path, description = "A sample's `source_hash`")),
    responses((status = 200, description = "The files", body = KernelSource),
        (status = 404, description = "No agent has sent such sources")
    )
)]
pub(super) async fn get_source(
    State(app): State<App>,
    Name(hash): Name,
    room: Room,
) -> Result<Response, Error> {
    let source = db::sources::get(&app.pool, &hash).await?;
    let source = source.ok_or_else(|| {
        let detail = format!("no agent has sent the sources {hash}");
        problem(StatusCode::NOT_FOUND, detail)
    })?;
    room.json(source).await
}
