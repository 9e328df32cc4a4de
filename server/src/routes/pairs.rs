//! Forecasts across devices, by pair.

use axum::{Json, extract::State};
use kerncast_models::across::COUNTED_ON_TIME;
use kerncast_wire::{DevicePair, ModelSummary, Page, PairModel};

use crate::{App, db::models::listing, http::Error};

/// How well devices forecast each other.
///
/// A cell for every device counted on, target and provider: what each way to forecast the target's times from
/// the counters of the device counted on, and its time, was off on kernels that it had not seen, the plain
/// baselines beside it.
#[utoipa::path(
    get, path = "/v1/pairs", tag = "models",
    responses((status = 200, description = "All pairs with common workloads", body = Page<DevicePair>))
)]
pub(super) async fn list_pairs(State(app): State<App>) -> Result<Json<Page<DevicePair>>, Error> {
    let models = listing::by_rank(&app.pool, "time").await?;
    let mut pairs: Vec<DevicePair> = Vec::new();
    for model in models {
        let specification = &model.specification;
        let Some(counted_on) = specification.counted_on else {
            continue;
        };
        let same = |pair: &DevicePair| {
            (pair.counted_on, pair.device, &pair.provider)
                == (counted_on, specification.device, &specification.provider)
        };
        if !pairs.last().is_some_and(same) {
            pairs.push(DevicePair {
                counted_on,
                device: specification.device,
                provider: specification.provider.clone(),
                models: Vec::new(),
            });
        }
        if let Some(pair) = pairs.last_mut() {
            let first = |it: &PairModel| it.champion && !it.needs_time;
            let answered = pair.models.iter().any(first);
            pair.models.push(pair_model(model, answered));
        }
    }
    Ok(Json(Page::whole(pairs)))
}

/// Where the champion asks for the time, the first that does not answers without it. `answered`: one does
/// already.
fn pair_model(model: ModelSummary, answered: bool) -> PairModel {
    let mut counters = model.specification.counters.iter();
    let needs_time = counters.any(|it| it == COUNTED_ON_TIME);
    let without_time = model.rank.is_some() && !needs_time && !answered;
    PairModel {
        model: model.id,
        needs_time,
        champion: model.champion || without_time,
        method: model.specification.method,
        workloads: model.samples,
        kernels: model.kernels,
        leave_one_kernel_out: model.leave_one_kernel_out,
        refusal: model.refusal,
    }
}
