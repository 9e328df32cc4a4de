//! The paper's figure.

use crate::common::{Server, sample, samples};
use axum::http::StatusCode;
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

/// Forty kernels fall into regions; with four there are none to be left out.
#[sqlx::test(migrations = "../migrations")]
async fn regions_are_drawn_and_told_where_there_are_any(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    server.fitted().await;
    let told = async || {
        let model = champion(&server).await;
        let path = format!("/v1/models/{model}");
        let (_, validation) = server.get(&format!("{path}/validation")).await;
        let hold_outs = validation["hold_outs"].as_array().unwrap().clone();
        let regions = hold_outs.into_iter().find(|it| it["key"] == "region");
        let csv = server.get(&format!("{path}/validation?format=csv")).await.1;
        let csv = csv.as_str().unwrap().matches(",\"region\",").count();
        let figure = format!("{path}/figure.svg?key=region");
        (regions, csv, server.get(&figure).await)
    };
    let (regions, csv, figure) = told().await;
    assert_eq!((regions, csv, figure.0), (None, 0, StatusCode::NOT_FOUND));

    let many = (4..40).flat_map(|kernel| [0, 3].map(|n| sample(kernel, n)));
    server.upload(&many.collect::<Vec<_>>()).await;
    server.fitted().await;
    let (regions, csv, figure) = told().await;
    let rows = regions.unwrap()["rows"].as_array().unwrap().len();
    assert_eq!((rows, csv), (4 * 6 + 36 * 2, rows));
    assert_eq!(figure.0, StatusCode::OK);
    assert!(
        figure
            .1
            .as_str()
            .unwrap()
            .contains("leaving one region out")
    );
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
