//! What samples speak of: devices, counters.

use axum::{Json, extract::State};
use kerncast_profilers::gpus;
use kerncast_wire::{CounterSummary, DeviceSummary, Facts, Page, Problem};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    App,
    db::{catalogue::devices, limit::Limit},
    http::{Error, Paging, Query, bad_cursor, not_found, parse_cursor},
};

/// Devices that samples speak of.
#[utoipa::path(
    get, path = "/v1/devices", tag = "catalogue", params(Paging),
    responses((status = 200, description = "One page", body = Page<DeviceSummary>))
)]
pub(super) async fn list_devices(
    State(app): State<App>,
    Query(Paging { cursor, limit }): Query<Paging>,
) -> Result<Json<Page<DeviceSummary>>, Error> {
    let after = parse_cursor(cursor.as_deref())?;
    let devices = devices::devices(&app.pool, after, limit.rows()).await?;
    Ok(Json(limit.page(devices, |device| device.id.to_string())))
}

/// GPUs by their data sheets, which models of other GPUs can forecast (`gpus` of `POST /v1/predictions`).
#[utoipa::path(
    get, path = "/v1/gpus", tag = "catalogue",
    responses((status = 200, description = "All of them", body = Vec<Facts>))
)]
pub(super) async fn list_gpus() -> Json<&'static [Facts]> {
    Json(gpus::all())
}

/// Which counters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// Only this provider's.
    provider: Option<String>,
    /// `next` of the page before; absent: the first page.
    cursor: Option<String>,
    /// Items on a page.
    #[serde(default)]
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1000, default = 100)]
    limit: Limit,
}

/// Counters that samples speak of.
#[utoipa::path(
    get, path = "/v1/counters", tag = "catalogue", params(Filter),
    responses((status = 200, description = "One page", body = Page<CounterSummary>))
)]
pub(super) async fn list_counters(
    State(app): State<App>,
    Query(filter): Query<Filter>,
) -> Result<Json<Page<CounterSummary>>, Error> {
    let after = match &filter.cursor {
        Some(cursor) => Some(cursor.split_once(':').ok_or_else(|| bad_cursor(cursor))?),
        None => None,
    };
    let (provider, limit) = (filter.provider.as_deref(), filter.limit);
    let counters = devices::counters(&app.pool, provider, after, limit.rows()).await?;
    Ok(Json(limit.page(counters, |counter| {
        format!("{}:{}", counter.provider, counter.name)
    })))
}

pub(super) fn no_device(device: i64) -> Problem {
    not_found(format!("there is no device {device}"))
}
