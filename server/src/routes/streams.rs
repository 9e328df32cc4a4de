//! What streams through devices can do, and whether that pays.

use axum::{Json, extract::State, http::StatusCode};
use chrono::Utc;
use kerncast_offload::{MeasuredStreams, NewStreamRates, OffloadAnswer, OffloadQuestion};
use kerncast_wire::Page;

use crate::{
    App,
    access::AuthorizedBy,
    db::{
        self,
        uploads::measurements::{Kind, Measurement},
    },
    http::{Error, extract},
    uploads::{measurements, stream_rates},
    views::offload,
};

/// Store what streams through a device can do.
///
/// Sending it again changes nothing.
#[utoipa::path(
    post, path = "/v1/streams", tag = "catalogue", request_body = NewStreamRates,
    responses(
        (status = 201, description = "New, and durably stored", body = NewStreamRates),
        (status = 200, description = "It was there already", body = NewStreamRates),
        (status = 409, description = "Other rates have this id")
    )
)]
pub(super) async fn upload_streams(
    State(app): State<App>,
    AuthorizedBy(bearer): AuthorizedBy,
    extract::Json(new, _memory): extract::Json<NewStreamRates>,
) -> Result<(StatusCode, Json<NewStreamRates>), Error> {
    let who = (&new.agent, &new.device);
    let row = Measurement::new(Kind::StreamRates, new.id, who, new.origin, &new);
    let problems = stream_rates::check(&new, &row.whole["rates"], Utc::now());
    let status = measurements::store(&app.pool, row, problems, &bearer).await?;
    Ok((status, Json(new)))
}

/// Devices whose streams were measured, by name.
#[utoipa::path(
    get, path = "/v1/streams", tag = "catalogue",
    responses((status = 200, description = "All of them", body = Page<MeasuredStreams>))
)]
pub(super) async fn list_streams(
    State(app): State<App>,
) -> Result<Json<Page<MeasuredStreams>>, Error> {
    let listed = db::catalogue::streams::list(&app.pool).await?;
    Ok(Json(Page::whole(listed)))
}

/// Ask whether the way to a device pays.
///
/// For data in the host's memory: how long the device takes with the way there and back, how long one core, and how long all
/// cores; by what was measured of the device's streams and of its host, as `kerncast offload` answers.
#[utoipa::path(
    post, path = "/v1/offload", tag = "predictions", request_body = OffloadQuestion,
    responses((status = 200, description = "By the device's newest rates", body = OffloadAnswer))
)]
pub(super) async fn ask_offload(
    State(app): State<App>,
    extract::Json(question, _memory): extract::Json<OffloadQuestion>,
) -> Result<Json<OffloadAnswer>, Error> {
    Ok(Json(offload::answer(&app.pool, question).await?))
}
