//! The paper's figure.
#![allow(clippy::unwrap_used, reason = "a test ends where it can go no further")]

mod common;

use axum::http::StatusCode;
use common::{Server, sample, samples};
use serde_json::Value;
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn every_sample_is_a_mark_under_its_kernels_name(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    server.fitted().await;
    let model = champion(&server).await;
    let (status, figure) = server.get(&format!("/v1/models/{model}/figure.svg")).await;
    assert_eq!(status, StatusCode::OK);
    let figure = figure.as_str().unwrap();
    assert!(figure.starts_with("<svg ") && figure.trim_end().ends_with("</svg>"));
    let (_, validation) = server.get(&format!("/v1/models/{model}/validation")).await;
    let hold_outs = validation["hold_outs"].as_array().unwrap();
    let rows = hold_outs.iter().find(|it| it["key"] == "kernel").unwrap()["rows"].clone();
    let rows = rows.as_array().unwrap();
    // Two more circles are the legend's, one a variant.
    let marks = figure.matches("<circle").count() + figure.matches("<polygon").count() - 2;
    assert_eq!(marks, rows.len());
    for kernel in 0..4 {
        assert!(figure.contains(&format!("\nkernel_{kernel}\n")), "{figure}");
    }
    let by_row = server
        .get(&format!("/v1/models/{model}/figure.svg?key=row"))
        .await
        .1;
    assert!(by_row.as_str().unwrap().contains("leaving one row out"));
}

#[sqlx::test(migrations = "../migrations")]
async fn a_model_without_a_validation_has_no_figure(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&[sample(0, 0)]).await;
    server.fitted().await;
    let models = server.items("/v1/models").await;
    let refused = models.iter().find(|it| it["refusal"].is_string()).unwrap();
    let id = refused["id"].as_str().unwrap();
    let (status, problem) = server.get(&format!("/v1/models/{id}/figure.svg")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let why = refused["refusal"].as_str().unwrap();
    assert!(
        problem["detail"].as_str().unwrap().contains(why),
        "{problem}"
    );
    let wrong = server
        .get(&format!("/v1/models/{id}/figure.svg?key=kernels"))
        .await;
    assert_eq!(wrong.0, StatusCode::BAD_REQUEST);
    assert_eq!(wrong.1["errors"][0]["field"], "key");
}

async fn champion(server: &Server) -> String {
    let models = server.items("/v1/models").await;
    let is_champion =
        |it: &&Value| it["champion"] == true && it["specification"]["provider"] == "oclgrind";
    models.iter().find(is_champion).unwrap()["id"]
        .as_str()
        .unwrap()
        .to_owned()
}
