//! Whether local memory pays off.

use axum::{Json, extract::State};
use kerncast_wire::{KernelSpeedup, SpeedupForecast, SpeedupModels, SpeedupRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    App,
    db::speedups,
    error::Error,
    extract::{Json as Body, Name, Query},
    prediction,
};

/// Which models of speedups.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// Only those of this device's speedups, by its id.
    device: Option<i64>,
    /// Only those from this device's counters, by its id.
    #[serde(alias = "source")]
    counted_on: Option<i64>,
    /// Only those by this provider's counters.
    provider: Option<String>,
}

/// How well it is known whether local memory pays off.
///
/// For every device, device counted on and provider: the models of speedups, and what they were off on
/// kernels that they had not seen, the baseline beside them.
#[utoipa::path(
    get, path = "/v1/speedups", tag = "models", params(Filter),
    responses((status = 200, description = "All devices that ran kernels without and with local memory", body = Vec<SpeedupModels>), super::Refused)
)]
pub(super) async fn list_speedups(
    State(app): State<App>,
    Query(filter): Query<Filter>,
) -> Result<Json<Vec<SpeedupModels>>, Error> {
    let Filter {
        device,
        counted_on,
        provider,
    } = filter;
    let filter = speedups::Filter {
        device,
        counted_on,
        provider,
    };
    Ok(Json(speedups::list(&app.pool, &filter).await?))
}

/// Forecast whether local memory would pay off.
///
/// For a kernel that was counted without local memory: the time without it ÷ the time with it, on the same
/// device and on others, with its interval, and how often such forecasts say rightly that it pays off.
#[utoipa::path(
    post, path = "/v1/speedups", tag = "predictions", request_body = SpeedupRequest,
    responses((status = 200, description = "A forecast for each device", body = Vec<SpeedupForecast>), super::Refused)
)]
pub(super) async fn forecast_speedups(
    State(app): State<App>,
    Body(request): Body<SpeedupRequest>,
) -> Result<Json<Vec<SpeedupForecast>>, Error> {
    Ok(Json(prediction::speedups(&app, request).await?))
}

/// Which of a kernel's speedups.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OfKernel {
    /// Only on this device, by its id.
    device: Option<i64>,
}

/// How much faster local memory makes it for a kernel.
///
/// Measured, beside what the champion of each device, device counted on and provider forecast before it had
/// seen the kernel.
#[utoipa::path(
    get, path = "/v1/kernels/{name}/speedups", tag = "catalogue",
    params(("name" = String, Path, description = "The kernel's name"), OfKernel),
    responses((status = 200, description = "Every workload of the kernel", body = Vec<KernelSpeedup>), super::Refused)
)]
pub(super) async fn list_of_kernel(
    State(app): State<App>,
    Name(name): Name,
    Query(OfKernel { device }): Query<OfKernel>,
) -> Result<Json<Vec<KernelSpeedup>>, Error> {
    Ok(Json(speedups::of_kernel(&app.pool, &name, device).await?))
}
