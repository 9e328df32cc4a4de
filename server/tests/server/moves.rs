//! Attention tells of a champion whose forecasts are far from those of the one before it.

use crate::common::{Server, by, sample, samples};
use serde_json::{Value, json};
use sqlx::PgPool;

async fn moved_forecasts(server: &Server) -> Vec<Value> {
    let overview = server.get("/v1/overview").await.1;
    let all = overview["attention"].as_array().unwrap().iter();
    all.filter(|it| it["because"]["kind"] == "forecasts_moved")
        .cloned()
        .collect()
}

async fn of_oclgrind(server: &Server) -> Option<Value> {
    let mut moved = moved_forecasts(server).await.into_iter();
    moved.find(|it| it["provider"] == "oclgrind")
}

async fn decide(server: &Server, decision: &str, samples: Value) {
    let new = json!({ "decision": decision, "samples": samples, "reason": "a test" });
    let (status, said) = server.post("/v1/decisions", new.to_string()).await;
    assert!(status.is_success(), "{said}");
    server.fitted().await;
}

/// The models that there are were fitted half a day earlier than they were.
async fn stood(pool: &PgPool) {
    let earlier = "UPDATE models SET created_at = created_at - interval '13 hours'";
    sqlx::query(earlier).execute(pool).await.unwrap();
}

/// What a honest agent has measured, and half as long again what an admin has believed of another.
async fn moved(pool: &PgPool, besides: &[Value]) -> Server {
    let server = Server::new(pool.clone()).await;
    server.upload(&samples()).await;
    server.fitted().await;
    assert!(
        moved_forecasts(&server).await.is_empty(),
        "the first ones succeed nobody"
    );
    let later = "UPDATE samples SET received_at = received_at - interval '1 day'";
    sqlx::query(later).execute(pool).await.unwrap();
    stood(pool).await;
    let longer = samples().into_iter().map(|it| by("lab-9", it, 1.5));
    let longer: Vec<Value> = longer.chain(besides.iter().cloned()).collect();
    server.upload(&longer).await;
    server.fitted().await;
    assert!(moved_forecasts(&server).await.is_empty(), "quarantined");
    decide(&server, "accept", json!({ "standing": "quarantined" })).await;
    server
}

/// A sample that changes little, and makes another champion.
async fn one_more(server: &Server) {
    server.upload(&[by("lab-9", sample(1, 3), 1.52)]).await;
    server.fitted().await;
    decide(server, "accept", json!({ "standing": "quarantined" })).await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_champion_that_says_something_else_is_told_with_what_is_new_in_it(pool: PgPool) {
    let server = moved(&pool, &[]).await;
    let attention = of_oclgrind(&server).await.unwrap();
    let detail = attention["detail"].as_str().unwrap();
    for word in [
        "forecast times of known workloads have moved by 50.0 % (median) and up to 50.0 % (of kernel_",
        "since the one before have come 24 samples of lab-9",
    ] {
        assert!(detail.contains(word), "{detail}");
    }
    let overview = server.get("/v1/overview").await.1;
    let cells = overview["devices"][0]["providers"].as_array().unwrap();
    let mut cells = cells.iter();
    let cell = cells.find(|it| it["provider"] == "oclgrind").unwrap();
    assert_eq!(attention["model"], cell["champion"]["model"]);
}

#[sqlx::test(migrations = "../migrations")]
async fn all_agents_that_have_uploaded_since_are_listed(pool: PgPool) {
    let mut other = by("lab-8", sample(1, 3), 1.45);
    other["measured_at"] = json!("2026-11-02T13:00:00Z");
    let server = moved(&pool, &[other]).await;
    let attention = of_oclgrind(&server).await.unwrap();
    let detail = attention["detail"].as_str().unwrap();
    let listed = "since the one before have come 24 samples of lab-9, 1 sample of lab-8";
    assert!(detail.contains(listed), "{detail}");
}

#[sqlx::test(migrations = "../migrations")]
async fn a_further_upload_does_not_hide_it_and_small_steps_add_up(pool: PgPool) {
    let server = moved(&pool, &[]).await;
    let before = of_oclgrind(&server).await.unwrap();
    one_more(&server).await;
    let after = of_oclgrind(&server).await.unwrap();
    assert_ne!(after["model"], before["model"], "another fit");
    let since = |it: &Value| it["detail"].as_str().unwrap()[..26].to_owned();
    assert_eq!(since(&after), since(&before));
    assert!(
        after["detail"]
            .as_str()
            .unwrap()
            .contains("25 samples of lab-9")
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn after_a_week_it_is_no_news(pool: PgPool) {
    let server = moved(&pool, &[]).await;
    let before = of_oclgrind(&server).await.unwrap();
    let later = "UPDATE moves SET since = since - interval '8 days'";
    sqlx::query(later).execute(&pool).await.unwrap();
    assert!(moved_forecasts(&server).await.is_empty());
    // What comes then is compared with what has been there for a week.
    one_more(&server).await;
    assert!(moved_forecasts(&server).await.is_empty());
    let path = format!("/v1/models/{}", before["model"].as_str().unwrap());
    assert_eq!(
        server.get(&path).await.1["champion"],
        false,
        "another has followed"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_undone_is_no_news(pool: PgPool) {
    let server = moved(&pool, &[]).await;
    assert!(of_oclgrind(&server).await.is_some());
    decide(&server, "reject", json!({ "agent": "lab-9" })).await;
    assert!(
        moved_forecasts(&server).await.is_empty(),
        "{:?}",
        moved_forecasts(&server).await
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_devices_first_fits_move_and_nobody_is_told(pool: PgPool) {
    let server = moved(&pool, &[]).await;
    assert!(of_oclgrind(&server).await.is_some());
    // As if all had been fitted within minutes.
    let same_time = "UPDATE models SET created_at = now()";
    sqlx::query(same_time).execute(&pool).await.unwrap();
    assert_eq!(of_oclgrind(&server).await, None);
    // A day apart, and from a quarter of the samples.
    stood(&pool).await;
    let now = "UPDATE models SET created_at = now() WHERE NOT superseded";
    sqlx::query(now).execute(&pool).await.unwrap();
    assert!(of_oclgrind(&server).await.is_some());
    let few = "UPDATE models SET sample_ids = sample_ids[:cardinality(sample_ids) / 4],
        workload_ids = workload_ids[:cardinality(workload_ids) / 4] WHERE superseded";
    sqlx::query(few).execute(&pool).await.unwrap();
    assert_eq!(of_oclgrind(&server).await, None);
}
