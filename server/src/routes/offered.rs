//! Kernels that the server offers to agents.

use std::collections::BTreeMap;

use axum::{Json, extract::State, http::StatusCode};
use kerncast_suite::sign;
use kerncast_wire::{KernelSource, OfferedKernel, OfferedKernels};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    App,
    access::By,
    db,
    error::Error,
    extract::{self, Name, Query},
    heavy::heavy,
    offered::check_offer,
    problem::{field, field_problem, problem, unprocessable_all},
};

/// How the answer is signed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// 32 to 64 hexadecimal digits that the asker has made up for this once; absent: nothing is signed.
    nonce: Option<String>,
}

/// Kernels that agents may fetch, and measure in place of their installed ones.
///
/// Signed for whoever shows a token and a nonce.
#[utoipa::path(
    get, path = "/v1/offered_kernels", tag = "catalogue", params(Asked),
    responses((status = 200, description = "All of them, by name", body = OfferedKernels))
)]
pub(super) async fn list_offered(
    State(app): State<App>,
    Query(Asked { nonce }): Query<Asked>,
    bearer: Option<By>,
) -> Result<Json<OfferedKernels>, Error> {
    if let Some(nonce) = &nonce
        && !((32..=64).contains(&nonce.len()) && nonce.bytes().all(|it| it.is_ascii_hexdigit()))
    {
        let problem = field("nonce", nonce, "32 to 64 hexadecimal digits");
        return Err(field_problem(StatusCode::BAD_REQUEST, problem).into());
    }
    let kernels = db::offered::list(&app.pool).await?;
    let list = kernels.iter().map(|it| (&*it.name, &*it.source_hash));
    let list: BTreeMap<&str, &str> = list.collect();
    let asker = bearer.zip(nonce);
    let signature = asker.map(|(By(bearer), nonce)| sign(&bearer.hash, &nonce, &list));
    Ok(Json(OfferedKernels { kernels, signature }))
}

/// Offer a kernel to agents, in place of its version before.
///
/// Offering the same again changes nothing.
#[utoipa::path(
    put, path = "/v1/offered_kernels/{name}", tag = "catalogue", request_body = KernelSource,
    params(("name" = String, Path, description = "The kernel's name")),
    responses((status = 200, description = "Offered from now on", body = OfferedKernel))
)]
pub(super) async fn offer_kernel(
    State(app): State<App>,
    Name(name): Name,
    By(bearer): By,
    extract::Json(source, _memory): extract::Json<KernelSource>,
) -> Result<Json<OfferedKernel>, Error> {
    let checked = heavy(move || (check_offer(&name, &source), name, source));
    let (hash, name, source) = checked.await?;
    let hash = hash.map_err(|problem| unprocessable_all(vec![problem]))?;
    let actor = bearer.actor();
    let offered = db::offered::offer(&app.pool, &name, &hash, &source, &actor).await?;
    Ok(Json(offered))
}

/// Offer a kernel no more: agents measure their installed one again.
#[utoipa::path(
    delete, path = "/v1/offered_kernels/{name}", tag = "catalogue",
    params(("name" = String, Path, description = "The kernel's name")),
    responses((status = 200, description = "Withdrawn", body = OfferedKernel),
        (status = 404, description = "It is not offered")
    )
)]
pub(super) async fn withdraw_kernel(
    State(app): State<App>,
    Name(name): Name,
    By(bearer): By,
) -> Result<Json<OfferedKernel>, Error> {
    let withdrawn = db::offered::withdraw(&app.pool, &name, &bearer.actor()).await?;
    Ok(Json(withdrawn.ok_or_else(|| {
        let detail = format!("no kernel {name} is offered");
        problem(StatusCode::NOT_FOUND, detail)
    })?))
}
