//! What devices can do at most: uploads and their history.

use axum::{Json, extract::State, http::StatusCode};
use kerncast_wire::{NewCeilings, Page};

use super::{
    catalogue::no_device,
    paging::{Paging, bad_cursor},
};
use crate::{
    App,
    access::By,
    ceilings, db,
    error::Error,
    extract::{self, Number, Query},
};

/// Store a device's ceilings.
///
/// Sending them again changes nothing.
#[utoipa::path(
    post, path = "/v1/ceilings", tag = "catalogue", request_body = NewCeilings,
    responses(
        (status = 201, description = "New, and durably stored", body = NewCeilings),
        (status = 200, description = "They were there already", body = NewCeilings),
        (status = 409, description = "Other ceilings have this id")
    )
)]
pub(super) async fn upload_ceilings(
    State(app): State<App>,
    By(bearer): By,
    extract::Json(new, _memory): extract::Json<NewCeilings>,
) -> Result<(StatusCode, Json<NewCeilings>), Error> {
    let status = ceilings::store(&app.pool, &new, &bearer).await?;
    Ok((status, Json(new)))
}

/// A device's ceilings, newest first.
#[utoipa::path(
    get, path = "/v1/devices/{id}/ceilings", tag = "catalogue",
    params(("id" = i64, Path, description = "The device's id"), Paging),
    responses((status = 200, description = "One page", body = Page<NewCeilings>),
        (status = 404, description = "There is no such device")
    )
)]
pub(super) async fn list_ceilings(
    State(app): State<App>,
    Number(device): Number,
    Query(Paging { cursor, limit }): Query<Paging>,
) -> Result<Json<Page<NewCeilings>>, Error> {
    let before = cursor
        .map(|it| it.parse().map_err(|_| bad_cursor(&it)))
        .transpose()?;
    let found = db::ceilings::list(&app.pool, device, before, limit.rows()).await?;
    let found = found.ok_or_else(|| no_device(device))?;
    Ok(Json(limit.page(found, |it| it.id.to_string())))
}
