//! Forecasts. They read a stored fit and never make one.

use axum::{Json, extract::State};
use kerncast_wire::{Prediction, PredictionRequest};

use crate::{App, error::Error, extract, prediction};

/// Forecast a counter set.
#[utoipa::path(
    post, path = "/v1/predictions", tag = "predictions", request_body = PredictionRequest,
    responses((status = 200, description = "The forecast", body = Prediction), super::Refused)
)]
pub(super) async fn predict(
    State(app): State<App>,
    extract::Json(request): extract::Json<PredictionRequest>,
) -> Result<Json<Prediction>, Error> {
    let prediction = prediction::predict(&app.pool, &request).await?;
    app.metrics.predictions.inc();
    Ok(Json(prediction))
}
