//! Whether local memory pays off.

use axum::{Json, extract::State};
use kerncast_wire::{GainForecast, KernelGain, PayOff, PayOffRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    App,
    db::gains,
    error::Error,
    extract::{Json as Body, Name, Query},
    prediction,
};

/// Which models of gains.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// Only those of this device's gains, by its id.
    device: Option<i64>,
    /// Only those from this device's counters, by its id.
    source: Option<i64>,
    /// Only those by this provider's counters.
    provider: Option<String>,
}

/// How well it is known whether local memory pays off.
///
/// For every device, source of counters and provider: the models of gains, and what they were off on kernels
/// that they had not seen, the baseline beside them.
#[utoipa::path(
    get, path = "/v1/pay_off", tag = "models", params(Filter),
    responses((status = 200, description = "All devices that ran kernels without and with local memory", body = Vec<PayOff>), super::Refused)
)]
pub(super) async fn list_pay_off(
    State(app): State<App>,
    Query(filter): Query<Filter>,
) -> Result<Json<Vec<PayOff>>, Error> {
    let Filter {
        device,
        source,
        provider,
    } = filter;
    let filter = gains::Filter {
        device,
        source,
        provider,
    };
    Ok(Json(gains::list(&app.pool, &filter).await?))
}

/// Forecast whether local memory would pay off.
///
/// For a kernel that was counted without local memory: the time with it ÷ the time without, on the same device
/// and on others, with its interval, and how often such forecasts say rightly that it pays off.
#[utoipa::path(
    post, path = "/v1/pay_off", tag = "predictions", request_body = PayOffRequest,
    responses((status = 200, description = "A forecast for each device", body = Vec<GainForecast>), super::Refused)
)]
pub(super) async fn forecast_pay_off(
    State(app): State<App>,
    Body(request, _memory): Body<PayOffRequest>,
) -> Result<Json<Vec<GainForecast>>, Error> {
    Ok(Json(prediction::gains(&app, request).await?))
}

/// Which of a kernel's gains.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OfKernel {
    /// Only on this device, by its id.
    device: Option<i64>,
}

/// What local memory gains for a kernel.
///
/// Measured, beside what the champion of each device, source and provider forecast before it had seen the
/// kernel.
#[utoipa::path(
    get, path = "/v1/kernels/{name}/gains", tag = "catalogue",
    params(("name" = String, Path, description = "The kernel's name"), OfKernel),
    responses((status = 200, description = "Every workload of the kernel", body = Vec<KernelGain>), super::Refused)
)]
pub(super) async fn list_gains(
    State(app): State<App>,
    Name(name): Name,
    Query(OfKernel { device }): Query<OfKernel>,
) -> Result<Json<Vec<KernelGain>>, Error> {
    Ok(Json(gains::of_kernel(&app.pool, &name, device).await?))
}
