//! Forecasts. They read a stored fit and never make one.

use axum::{
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use kerncast_wire::{PredictionRequest, Predictions};
use serde::Deserialize;
use tokio::{runtime::Handle, task::spawn_blocking};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    App,
    error::Error,
    extract::{JsonOrFile, Query},
    prediction::{self, Asked, Wishes},
    problem::unprocessable,
};

/// Bytes of JSON: a forecast by dozens of counters has a few thousand.
const USUAL_ANSWER: usize = 16 << 10;
/// Predictions that a thread of the server's own makes between other requests: a few milliseconds of work.
const FEW: usize = 100;

/// With a file: what should forecast it. With JSON this stands in the body.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ForFile {
    /// The model; absent: for each launch and device, the champion for the file's counters.
    model: Option<Uuid>,
    /// The device's id, or several with commas between; may be absent where a model is named or one device
    /// has models.
    #[serde(default)]
    #[param(value_type = Option<String>, example = "1,2")]
    device: Ids,
    /// The method whose models answer, in place of champions; not beside `model`.
    method: Option<String>,
    /// How likely the time is to lie within the interval, above 0 and below 1; absent: 0.9.
    level: Option<f64>,
    /// The id of the device that the file was counted on, where that is another; its times are then that
    /// device's.
    #[serde(alias = "source")]
    counted_on: Option<i64>,
}

impl ForFile {
    fn is_empty(&self) -> bool {
        let Self {
            model,
            device,
            method,
            level,
            counted_on,
        } = self;
        let none = model.is_none() && device.0.is_empty() && method.is_none();
        none && level.is_none() && counted_on.is_none()
    }
}

/// Ids with commas between.
#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "String")]
struct Ids(Vec<i64>);

impl TryFrom<String> for Ids {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let ids = text.split(',').map(|id| id.trim().parse());
        ids.collect::<Result<_, _>>()
            .map(Self)
            .map_err(|_| "expected a device's id, or several with commas between".to_owned())
    }
}

/// Forecast counter sets.
///
/// Every set on every device, as JSON; or a file that a profiler printed, or a tidy table, as CSV: then
/// every launch in it is a counter set, and `model`, `device`, `method`, `level` and `counted_on` are
/// query parameters.
/// Each forecast has its interval, where its time goes, what speaks against believing it, and what the
/// paper's method says. A set that no model can forecast on a device has a `refusal` in place of a time; if
/// that is so of all of them, the answer is a problem.
#[utoipa::path(
    post, path = "/v1/predictions", tag = "predictions", params(ForFile),
    request_body(content(
        (PredictionRequest = "application/json"), (String = "text/csv"), (String = "text/plain")
    )),
    responses((status = 200, description = "A prediction for every set on every device", body = Predictions), super::Refused)
)]
pub(super) async fn predict(
    State(app): State<App>,
    query: Result<Query<ForFile>, Error>,
    body: JsonOrFile<PredictionRequest>,
) -> Result<Response, Error> {
    let Query(for_file) = query?;
    let asked = match body {
        JsonOrFile::Json(_) if !for_file.is_empty() => {
            let expected = "model, device, method, level and counted_on in the JSON";
            return Err(unprocessable("query", "not empty", expected).into());
        }
        JsonOrFile::Json(request) => Asked::of_json(request)?,
        JsonOrFile::File(bytes) => {
            // Reading 64 MiB of CSV takes a while; other requests should not wait for it.
            let wishes = Wishes {
                model: for_file.model,
                method: for_file.method,
                devices: for_file.device.0,
                level: for_file.level,
                counted_on: for_file.counted_on,
            };
            spawn_blocking(move || Asked::of_file(&bytes, wishes)).await??
        }
    };
    let body = if asked.predictions() <= FEW {
        answer(&app, asked).await?
    } else {
        // Ten thousand take a second or more; other requests should not wait for them.
        let handle = Handle::current();
        spawn_blocking(move || handle.block_on(answer(&app, asked))).await??
    };
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

/// The predictions as JSON.
async fn answer(app: &App, asked: Asked) -> Result<Vec<u8>, Error> {
    let predictions = prediction::predict(app, asked).await?;
    app.metrics
        .predictions
        .inc_by(predictions.predictions.len() as u64);
    // Growing on the way would take longer than the forecast itself.
    let mut body = Vec::with_capacity(USUAL_ANSWER);
    serde_json::to_writer(&mut body, &predictions).expect("only finite numbers and text keys");
    Ok(body)
}
