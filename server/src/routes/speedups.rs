//! What changes of kernels bring.

use axum::{Json, extract::State};
use kerncast_wire::{KernelSpeedup, Page, SpeedupForecast, SpeedupModel, SpeedupRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    App, forecasts,
    http::{Error, Name, Query, extract::Json as Body},
};

/// How well it is known what a change brings.
///
/// The champion of times of every device, device counted on and provider: how far off the ratios of its forecasts are of
/// kernels left out, and how often verdicts on them are right.
#[utoipa::path(
    get, path = "/v1/speedups", tag = "models",
    responses((status = 200, description = "All champions", body = Page<SpeedupModel>))
)]
pub(super) async fn list_speedups(
    State(app): State<App>,
) -> Result<Json<Page<SpeedupModel>>, Error> {
    Ok(Json(Page::whole(
        forecasts::speedup_models(&app.forecast_cache).await?,
    )))
}

/// What does a change bring?
///
/// The counters of a kernel before and after it: the ratio of two forecasts of one model, where it lies for kernels that
/// the model has not seen, and a verdict where such verdicts on kernels left out were right often enough: each for 85 % of
/// those as close to 1, all for 90 %. One model forecasts all sets, by the counters that all have.
#[utoipa::path(
    post, path = "/v1/speedups", tag = "predictions", request_body = SpeedupRequest,
    responses((status = 200, description = "Each change on each device", body = Vec<SpeedupForecast>))
)]
pub(super) async fn forecast_speedups(
    State(app): State<App>,
    Body(request, _memory): Body<SpeedupRequest>,
) -> Result<Json<Vec<SpeedupForecast>>, Error> {
    Ok(Json(
        forecasts::forecast_speedups(&app.forecast_cache, request).await?,
    ))
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
    responses((status = 200, description = "Every workload of the kernel", body = Page<KernelSpeedup>))
)]
pub(super) async fn list_of_kernel(
    State(app): State<App>,
    Name(name): Name,
    Query(OfKernel { device }): Query<OfKernel>,
) -> Result<Json<Page<KernelSpeedup>>, Error> {
    let speedups = forecasts::kernel_speedups(&app.forecast_cache, &name, device).await?;
    Ok(Json(Page::whole(speedups)))
}
