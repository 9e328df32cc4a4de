//! Kernels' sources.

use axum::{Json, extract::State, response::Response};
use kerncast_wire::{KernelAnalysis, KernelSource, KnownAnalysis, Problem};

use crate::{
    App,
    access::{AuthorizedBy, Rights},
    db,
    http::{Error, Memory, Name, extract, not_found, refuse_wrong_fields},
    uploads::sources,
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
    AuthorizedBy(bearer): AuthorizedBy,
    extract::Json(source, _memory): extract::Json<KernelSource>,
) -> Result<Json<KernelSource>, Error> {
    refuse_wrong_fields(sources::check(&hash, &source))?;
    db::uploads::sources::store(&app.pool, &hash, &source, Some(bearer.token.id)).await?;
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
    memory: Memory,
) -> Result<Response, Error> {
    let source = db::uploads::sources::get(&app.pool, &hash).await?;
    let source = source.ok_or_else(|| no_sources(&hash))?;
    memory.json(source).await
}

/// Keep what a kernel's memory accesses do.
///
/// An agent's is kept where there is none yet, and an admin's replaces it.
#[utoipa::path(
    put, path = "/v1/sources/{hash}/analysis", tag = "catalogue", request_body = KernelAnalysis,
    params(("hash" = String, Path, description = "A sample's `source_hash`")),
    responses((status = 200, description = "Durably stored: what is kept now", body = KernelAnalysis),
        (status = 404, description = "No agent has sent such sources")
    )
)]
pub(super) async fn put_analysis(
    State(app): State<App>,
    Name(hash): Name,
    AuthorizedBy(bearer): AuthorizedBy,
    extract::Json(analysis, _memory): extract::Json<KernelAnalysis>,
) -> Result<Json<KernelAnalysis>, Error> {
    refuse_wrong_fields(sources::check_analysis(&analysis))?;
    let (token, replaces) = (bearer.token.id, matches!(bearer.rights, Rights::Admin));
    let stored = db::uploads::sources::store_analysis(&app.pool, &hash, &analysis, token, replaces);
    Ok(Json(stored.await?.ok_or_else(|| no_sources(&hash))?))
}

/// What a kernel's memory accesses do.
#[utoipa::path(
    get, path = "/v1/sources/{hash}/analysis", tag = "catalogue",
    params(("hash" = String, Path, description = "A sample's `source_hash`")),
    responses((status = 200, description = "Accesses, by variant", body = KnownAnalysis),
        (status = 404, description = "No agent has sent such an analysis")
    )
)]
pub(super) async fn get_analysis(
    State(app): State<App>,
    Name(hash): Name,
    memory: Memory,
) -> Result<Response, Error> {
    let analysis = db::uploads::sources::analysis(&app.pool, &hash).await?;
    let missing = format!("no agent has sent an analysis of the sources {hash}");
    let known = KnownAnalysis {
        source_hash: hash,
        analysis: analysis.ok_or_else(|| not_found(missing))?,
    };
    memory.json(known).await
}

fn no_sources(hash: &str) -> Problem {
    not_found(format!("no agent has sent the sources {hash}"))
}
