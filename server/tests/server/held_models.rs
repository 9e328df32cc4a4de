//! A champion that explodes is held: the one before answers until an admin decides.

use crate::common::{
    Server, audit_log, by,
    honest::{forecast, honest, of_standing},
    sample, samples,
};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

/// Times of half of the kernels by a factor of a hundred, which an admin has taken for true.
async fn poisoned(pool: &PgPool) -> (Server, f64) {
    let server = honest(pool).await;
    let before = forecast(&server).await;
    let wrong: Vec<Value> = samples()
        .into_iter()
        .filter(|it| it["workload"]["kernel"].as_str().unwrap() >= "kernel_2")
        .map(|it| by("lab-9", it, 1e2))
        .collect();
    server.fit(&wrong).await;
    assert_eq!(of_standing(&server, "quarantined").await.len(), 12);
    server.decide("accept", &json!({ "agent": "lab-9" })).await;
    server.fitted().await;
    (server, before)
}

#[sqlx::test(migrations = "../migrations")]
async fn a_champion_that_explodes_is_held_and_the_one_before_answers_until_the_samples_are_rejected(
    pool: PgPool,
) {
    let (server, before) = poisoned(&pool).await;
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    let named = server.attention("model_held").await;
    assert!(!named.is_empty());
    let mut of_oclgrind = named.iter().filter(|it| it["provider"] == "oclgrind");
    let of_oclgrind = of_oclgrind.next().unwrap();
    let detail = of_oclgrind["detail"].as_str().unwrap();
    assert!(
        detail.contains("since the one before have come 12 samples of lab-9"),
        "{detail}"
    );
    let held = server.model(&of_oclgrind["model"]).await;
    assert!(detail.contains(held["held"].as_str().unwrap()));
    assert_eq!(
        (&held["champion"], &held["superseded"]),
        (&json!(false), &json!(false))
    );

    // A later model of the same samples and more waits too, and takes the place of what waited.
    server.fit(&[by("lab-3", sample(0, 1), 1.0)]).await;
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    assert_eq!(server.model(&held["id"]).await["superseded"], true);
    assert!(!server.attention("model_held").await.is_empty());

    server.decide("reject", &json!({ "agent": "lab-9" })).await;
    server.fitted().await;
    assert!(server.attention("model_held").await.is_empty());
    let models = server.items("/v1/models?limit=1000").await;
    assert!(models.iter().all(|it| it.get("held").is_none()));
    assert!((forecast(&server).await / before - 1.0).abs() < 1e-6);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_held_champion_answers_once_an_admin_says_so(pool: PgPool) {
    let (server, before) = poisoned(&pool).await;
    let named = server.attention("model_held").await;
    let model = |it: &Value| it["model"].as_str().unwrap().to_owned();
    let reason = json!({ "reason": "the new kernels are slow" }).to_string();
    for held in &named {
        let path = format!("/v1/models/{}/acceptance", model(held));
        let (status, answer) = server.post(&path, r#"{"reason": ""}"#).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
        let (status, accepted) = server.post(&path, reason.clone()).await;
        assert_eq!(status, StatusCode::OK, "{accepted}");
        assert!(
            accepted.get("held").is_none() && accepted["rank"].is_number(),
            "{accepted}"
        );
        let (status, _) = server.post(&path, reason.clone()).await;
        assert_eq!(status, StatusCode::CONFLICT);
    }
    assert!(server.attention("model_held").await.is_empty());
    assert_ne!(forecast(&server).await.to_bits(), before.to_bits());
    let unknown = format!("/v1/models/{}/acceptance", Uuid::now_v7());
    let (status, _) = server.post(&unknown, reason.clone()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    // Its own successor is judged beside it.
    server.fit(&[by("lab-3", sample(0, 1), 1.0)]).await;
    assert!(server.attention("model_held").await.is_empty());

    let log = audit_log(&server).await;
    assert_eq!(log[0]["action"], "accept_model");
    assert_eq!(log[0]["reason"], "the new kernels are slow");
    assert_eq!(log[0]["about"]["model"], model(named.last().unwrap()));
}
