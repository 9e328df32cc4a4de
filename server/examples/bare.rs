//! The peer of `make bench`: the least that axum does to parse the same requests and answer the same JSON.
//! `bare ADDRESS:PORT ANSWER.json`.

use std::{env, fs, sync::Arc};

use anyhow::Context;
use axum::{Json, Router, extract::State, routing::post};
use kerncast_wire::{PredictionRequest, Predictions};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = env::args().skip(1);
    let (address, file) = (arguments.next(), arguments.next());
    let address = address.context("expected ADDRESS:PORT")?;
    let file = file.context("expected the file with the answer")?;
    let answer: Predictions = serde_json::from_slice(&fs::read(file)?)?;
    let router = Router::new()
        .route("/v1/predictions", post(predict))
        .with_state(Arc::new(answer));
    let listener = TcpListener::bind(address).await?;
    Ok(axum::serve(listener, router).await?)
}

async fn predict(
    State(answer): State<Arc<Predictions>>,
    Json(_): Json<PredictionRequest>,
) -> Json<Predictions> {
    Json(Predictions::clone(&answer))
}
