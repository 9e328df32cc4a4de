//! Whether local memory pays off.

use axum::{Json, extract::State};
use kerncast_wire::{
    KernelSpeedup, Page, SpeedupForecast, SpeedupModel, SpeedupModels, SpeedupRequest,
};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    App,
    db::{
        models,
        speedups::{self, RESPONSE},
    },
    error::Error,
    extract::{Json as Body, Name, Query},
    prediction::{self, no_better_than_always_the_same},
};

/// How well it is known whether local memory pays off.
///
/// For every device, device counted on and provider: the models of speedups, and what they were off on
/// kernels that they had not seen, the baseline beside them.
#[utoipa::path(
    get, path = "/v1/speedups", tag = "models",
    responses((status = 200, description = "All devices that ran kernels without and with local memory", body = Page<SpeedupModels>))
)]
pub(super) async fn list_speedups(
    State(app): State<App>,
) -> Result<Json<Page<SpeedupModels>>, Error> {
    let models = models::by_rank(&app.pool, RESPONSE).await?;
    let mut listed: Vec<SpeedupModels> = Vec::new();
    for model in models {
        let of = model.specification;
        let same = |it: &SpeedupModels| {
            (it.device, it.counted_on, &it.provider) == (of.device, of.counted_on, &of.provider)
        };
        if !listed.last().is_some_and(same) {
            listed.push(SpeedupModels {
                device: of.device,
                counted_on: of.counted_on,
                provider: of.provider,
                models: Vec::new(),
            });
        }
        if let Some(last) = listed.last_mut() {
            let cannot_tell = no_better_than_always_the_same(model.signs);
            last.models.push(SpeedupModel {
                model: model.id,
                method: of.method,
                champion: model.champion,
                workloads: model.samples,
                kernels: model.kernels,
                leave_one_kernel_out: model.leave_one_kernel_out,
                leave_one_family_out: model.leave_one_family_out,
                cannot_tell: cannot_tell.as_ref().map(ToString::to_string),
                cannot_tell_kind: cannot_tell,
                signs: model.signs,
                refusal: model.refusal,
            });
        }
    }
    Ok(Json(Page::whole(listed)))
}

/// Forecast whether local memory would pay off.
///
/// For a kernel that was counted without local memory: the time without it ÷ the time with it, on the same
/// device and on others, with its interval, and how often such forecasts say rightly that it pays off.
#[utoipa::path(
    post, path = "/v1/speedups", tag = "predictions", request_body = SpeedupRequest,
    responses((status = 200, description = "A forecast for each device", body = Vec<SpeedupForecast>))
)]
pub(super) async fn forecast_speedups(
    State(app): State<App>,
    Body(request, _memory): Body<SpeedupRequest>,
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
    responses((status = 200, description = "Every workload of the kernel", body = Page<KernelSpeedup>))
)]
pub(super) async fn list_of_kernel(
    State(app): State<App>,
    Name(name): Name,
    Query(OfKernel { device }): Query<OfKernel>,
) -> Result<Json<Page<KernelSpeedup>>, Error> {
    let speedups = speedups::of_kernel(&app.pool, &name, device).await?;
    Ok(Json(Page::whole(speedups)))
}
