//! Forecasts across devices, by pair.

use axum::{Json, extract::State};
use kerncast_wire::DevicePair;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{App, db::matrix, error::Error, extract::Query};

/// Which pairs.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// Only those that forecast this device, by its id.
    device: Option<i64>,
    /// Only those that forecast from this device, by its id.
    #[serde(alias = "source")]
    counted_on: Option<i64>,
    /// Only those by this provider's counters.
    provider: Option<String>,
}

/// How well devices forecast each other.
///
/// A cell for every device counted on, target and provider: what each way to forecast the target's times from
/// the counters of the device counted on, and its time, was off on kernels that it had not seen, the plain
/// baselines beside it.
#[utoipa::path(
    get, path = "/v1/pairs", tag = "models", params(Filter),
    responses((status = 200, description = "All pairs with common workloads", body = Vec<DevicePair>), super::Refused)
)]
pub(super) async fn list_pairs(
    State(app): State<App>,
    Query(filter): Query<Filter>,
) -> Result<Json<Vec<DevicePair>>, Error> {
    let Filter {
        device,
        counted_on,
        provider,
    } = filter;
    let filter = matrix::Filter {
        device,
        counted_on,
        provider,
    };
    Ok(Json(matrix::pairs(&app.pool, &filter).await?))
}
