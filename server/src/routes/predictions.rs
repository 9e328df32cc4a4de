//! Forecasts. They read a stored fit and never make one.

use std::str::FromStr;

use axum::{
    body::Body,
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream};
use kerncast_wire::{PredictionRequest, Predictions};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    App,
    cpu_bound::heavy,
    forecasts::{self, ForecastRequest, Plan, PredictionStream, RequestOptions},
    http::{
        Error, Query,
        extract::{Json, JsonOrFile},
        unprocessable,
    },
};

/// What should forecast a file. With JSON this stands in the body.
#[derive(Debug, Default, PartialEq, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ForFile {
    /// The model; absent: for each launch and device, the champion for the file's counters.
    model: Option<Uuid>,
    /// The device's id, or several with commas between; may be absent where a model is named or one device
    /// has models.
    #[serde(default)]
    #[param(value_type = Option<String>, example = "1,2")]
    device: List<i64>,
    /// GPUs that nobody has measured here, by their names, with commas between.
    #[serde(default)]
    #[param(value_type = Option<String>, example = "RTX 4090")]
    gpus: List<String>,
    /// The method whose models answer, in place of champions; not beside `model`.
    method: Option<String>,
    /// The id of the device that the file was counted on, where that is another; its times are then that
    /// device's.
    counted_on: Option<i64>,
}

/// Items with commas between.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "String", bound(deserialize = "T: FromStr"))]
struct List<T>(Vec<T>);

impl<T: FromStr> TryFrom<String> for List<T> {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let items = text.split(',').map(|item| item.trim().parse());
        items
            .collect::<Result<_, _>>()
            .map(Self)
            .map_err(|_| "expected a device's id, or several with commas between")
    }
}

/// Forecast counter sets.
///
/// Every set on every device, as JSON; or a file that a profiler printed, or a tidy table, as CSV: then
/// every launch in it is a counter set, and `model`, `device`, `gpus`, `method` and `counted_on` are
/// query parameters.
/// Each forecast has its interval, where its time goes, what speaks against believing it, and what the
/// paper's method says. A set that no model can forecast on a device has a `refusal` in place of a time; if
/// that is so of all of them, the answer is a problem.
#[utoipa::path(
    post, path = "/v1/predictions", tag = "predictions", params(ForFile),
    request_body(content(
        (PredictionRequest = "application/json"), (String = "text/csv"), (String = "text/plain")
    )),
    responses((status = 200, description = "A prediction for every set on every device", body = Predictions))
)]
pub(super) async fn predict(
    State(app): State<App>,
    query: Result<Query<ForFile>, Error>,
    body: JsonOrFile<PredictionRequest>,
) -> Result<Response, Error> {
    let Query(for_file) = query?;
    let (request, memory) = match body {
        JsonOrFile::Json(_) if for_file != ForFile::default() => {
            let expected = "model, device, gpus, method and counted_on in the JSON";
            return Err(unprocessable("query", "not empty", expected).into());
        }
        JsonOrFile::Json(Json(request, memory)) => match memory {
            None => (ForecastRequest::from_json(request)?, None),
            Some(memory) => {
                let request = heavy(|| ForecastRequest::from_json(request));
                (request.await??, Some(memory))
            }
        },
        JsonOrFile::File(bytes, body) => {
            let options = RequestOptions {
                model: for_file.model,
                method: for_file.method,
                devices: for_file.device.0,
                gpus: for_file.gpus.0,
                counted_on: for_file.counted_on,
            };
            let memory = forecasts::bytes_to_read(&bytes)?;
            let memory = app.memory.open.work.take(memory).await?;
            let request = heavy(move || {
                let request = ForecastRequest::from_file(&bytes, options);
                drop((bytes, body));
                request
            });
            (request.await??, Some(memory))
        }
    };
    let memory = match memory {
        Some(mut memory) => {
            memory.shrink_to(request.bytes());
            Some(memory)
        }
        None if request.is_short() => None,
        None => Some(app.memory.open.work.take(request.bytes()).await?),
    };
    let plan = Plan::new(&app.forecast_cache, request).await?;
    let count = plan.len() as u64;
    let mut pieces = PredictionStream::new(plan);
    // The parts of a long answer are made while earlier ones are sent.
    let response = match memory {
        None => pieces.next_piece()?.into_response(),
        Some(memory) => memory.until_sent(piece_by_piece(pieces).await?),
    };
    app.metrics.predictions.inc_by(count);
    Ok(([(CONTENT_TYPE, "application/json")], response).into_response())
}

/// Forecasts are made while those before them are sent.
async fn piece_by_piece(pieces: PredictionStream) -> Result<Response, Error> {
    let (first, pieces) = next_piece(pieces).await?;
    if pieces.is_finished() {
        return Ok(first.into_response());
    }
    let rest = stream::try_unfold(pieces, async |pieces| {
        if pieces.is_finished() {
            return Ok::<_, Error>(None);
        }
        next_piece(pieces).await.map(Some)
    });
    let all = stream::iter([Ok(first)]).chain(rest);
    Ok(Body::from_stream(all).into_response())
}

async fn next_piece(mut pieces: PredictionStream) -> Result<(Vec<u8>, PredictionStream), Error> {
    let (piece, pieces) = heavy(move || (pieces.next_piece(), pieces)).await?;
    Ok((piece?, pieces))
}
