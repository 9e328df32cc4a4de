//! What devices can do at most.

use axum::{Json, extract::State, http::StatusCode};
use chrono::Utc;
use kerncast_wire::NewCeilings;

use crate::{
    App,
    access::AuthorizedBy,
    db::uploads::measurements::{Kind, Measurement},
    http::{Error, extract},
    uploads::{ceilings, measurements},
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
    AuthorizedBy(bearer): AuthorizedBy,
    extract::Json(new, _memory): extract::Json<NewCeilings>,
) -> Result<(StatusCode, Json<NewCeilings>), Error> {
    let who = (&new.agent, &new.device);
    let row = Measurement::new(Kind::Ceilings, new.id, who, new.origin, &new);
    let problems = ceilings::check(&new, Utc::now());
    let status = measurements::store(&app.pool, row, problems, &bearer).await?;
    Ok((status, Json(new)))
}
