//! Ways past the gate that are closed: samples without counters, other agents' ceilings, one rejected sample.

use std::time::Duration;

use crate::common::{Server, a_day_passes, by, ceilings, run, sample, samples};
use serde_json::{Value, json};
use sqlx::PgPool;

fn without(provider: &str, mut it: Value) -> Value {
    it["readings"].as_object_mut().unwrap().remove(provider);
    it
}

/// So many kernels that the champion knows how far off it is, measured on the honest day, and fitted.
async fn honest(pool: &PgPool) -> Server {
    let server = Server::new(pool.clone()).await;
    let samples = (0..20).flat_map(|kernel| (0..3).map(move |n| sample(kernel, n)));
    server.fit(&samples.collect::<Vec<_>>()).await;
    a_day_passes(pool).await;
    server
}

/// Demands that this sample alone was quarantined, for a reason that has these words.
async fn alone(server: &Server, wrong: &Value, words: &str) {
    let set_aside = quarantined(server).await;
    assert_eq!(set_aside.len(), 1, "{set_aside:?}");
    assert_eq!(set_aside[0].0, wrong["id"]);
    assert!(set_aside[0].1.contains(words), "{set_aside:?}");
}

/// Why each is, by its id.
async fn quarantined(server: &Server) -> Vec<(Value, String)> {
    let path = "/v1/samples?standing=quarantined&limit=1000";
    let reason = |it: &Value| it["standing_reason"].as_str().unwrap().to_owned();
    let items = server.items(path).await;
    items
        .iter()
        .map(|it| (it["id"].clone(), reason(it)))
        .collect()
}

#[sqlx::test(migrations = "../migrations")]
async fn a_workload_first_sent_without_counters_is_held_against_the_champion_once_it_has_them(
    pool: PgPool,
) {
    let server = honest(&pool).await;
    let (wrong, right) = (sample(1, 7), sample(2, 7));
    let first = [
        by("lab-9", wrong.clone(), 50.0),
        by("lab-9", right.clone(), 1.0),
    ];
    server.fit(&first.map(|it| without("oclgrind", it))).await;
    assert_eq!(quarantined(&server).await, [], "nobody knows better");
    a_day_passes(&pool).await;
    // With a counter that the champion does not take, it knows no better.
    let mut other = by("lab-9", wrong.clone(), 50.0);
    other["readings"]["oclgrind"]["counters"] = json!({ "barriers": 3 });
    server.fit(&[other]).await;
    assert_eq!(quarantined(&server).await, []);
    a_day_passes(&pool).await;
    let (wrong, right) = (by("lab-9", wrong, 50.0), by("lab-9", right, 1.0));
    server.fit(&[wrong.clone(), right]).await;
    alone(&server, &wrong, "forecast from counters of oclgrind").await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_newer_sample_without_counters_does_not_hide_those_of_before(pool: PgPool) {
    let server = honest(&pool).await;
    server
        .fit(&[without("oclgrind", by("lab-9", sample(1, 2), 1.0))])
        .await;
    a_day_passes(&pool).await;
    let mut wrong = by("lab-9", sample(1, 2), 1.0);
    wrong["readings"]["oclgrind"]["counters"]["load_global"] = json!(3e6);
    server.fit(&[wrong.clone()]).await;
    alone(&server, &wrong, "was 3000").await;
}

#[sqlx::test(migrations = "../migrations")]
async fn what_one_agent_says_of_launches_makes_no_time_right_or_impossible(pool: PgPool) {
    let server = honest(&pool).await;
    let mut lie = ceilings("2026-11-03T12:00:00Z");
    lie["agent"]["name"] = json!("lab-9");
    lie["ceilings"] = json!({ "launch_latency_s": 0.1 });
    for ceilings in [&ceilings("2026-11-01T12:00:00Z"), &lie] {
        server.posted("/v1/ceilings", ceilings).await;
    }
    server.fitted().await;
    let honest = by("lab-3", sample(2, 2), 1.0);
    let wrong = by("lab-9", sample(1, 2), 5.0);
    server.fit(&[honest, wrong.clone()]).await;
    alone(&server, &wrong, "").await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_sample_that_nobody_counted_is_judged_too_and_asks_for_fits_when_it_is_rejected(
    pool: PgPool,
) {
    let server = honest(&pool).await;
    let [mut wrong, mut right] = [
        by("lab-9", sample(1, 2), 1e-3),
        by("lab-9", sample(2, 2), 1.0),
    ];
    for it in [&mut wrong, &mut right] {
        it["readings"] = json!({});
    }
    server.fit(&[wrong.clone(), right.clone()]).await;
    alone(&server, &wrong, "").await;
    let unjudged = server.items("/v1/samples?standing=unjudged").await;
    assert_eq!(unjudged, [] as [Value; 0]);
    server
        .decide("reject", &json!({ "ids": [right["id"]] }))
        .await;
    assert_ne!(server.get("/v1/jobs").await.1["pending"], 0);
    server.fitted().await;
}

/// As where an upload comes between the two queries of a fit.
#[sqlx::test(migrations = "../migrations")]
async fn a_counter_without_a_name_ends_no_fitting(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.stop_fitting();
    server.upload(&samples()).await;
    let nameless = "DELETE FROM counters WHERE name = 'store_global'";
    run(&pool, nameless).await;
    drop(server);
    let server = Server::new(pool).await;
    let fitted = tokio::time::timeout(Duration::from_secs(60), server.fitted());
    fitted.await.expect("the worker goes on");
    let models = server.items("/v1/models?provider=oclgrind").await;
    assert_ne!(models, [] as [Value; 0]);
}

/// Times of some kernels by this factor, accepted at once with the rejection of an old honest sample.
async fn with_one_rejected(pool: &PgPool, first: &str, factor: f64) -> Server {
    let server = Server::new(pool.clone()).await;
    let honest = samples();
    server.fit(&honest).await;
    a_day_passes(pool).await;
    let some = |it: &Value| it["workload"]["kernel"].as_str().unwrap() >= first;
    let wrong: Vec<Value> = samples()
        .into_iter()
        .filter(some)
        .map(|it| by("lab-9", it, factor))
        .collect();
    server.fit(&wrong).await;
    assert_eq!(quarantined(&server).await.len(), wrong.len());
    // Within the pause that a job waits for.
    server
        .decide("reject", &json!({ "ids": [honest[0]["id"]] }))
        .await;
    server.decide("accept", &json!({ "agent": "lab-9" })).await;
    server.fitted().await;
    server
}

/// What of Oclgrind's counters needs attention.
async fn attention(server: &Server, kind: &str) -> Vec<Value> {
    let mut all = server.attention(kind).await;
    all.retain(|it| it["provider"] == "oclgrind");
    all
}

#[sqlx::test(migrations = "../migrations")]
async fn one_rejected_sample_lets_no_champion_slip_past(pool: PgPool) {
    let server = with_one_rejected(&pool, "kernel_2", 100.0).await;
    let held = attention(&server, "model_held").await;
    assert!(!held.is_empty());
    // The one before answers, though it has seen the sample.
    let counters = &sample(1, 3)["readings"]["oclgrind"]["counters"];
    let question = json!({ "counters": { "oclgrind": counters } });
    server.forecast(&question).await;
}

#[sqlx::test(migrations = "../migrations")]
async fn one_rejected_sample_hides_no_forecast_that_has_moved(pool: PgPool) {
    let server = with_one_rejected(&pool, "kernel_0", 1.5).await;
    assert!(attention(&server, "model_held").await.is_empty());
    let earlier =
        "UPDATE models SET created_at = created_at - interval '13 hours' WHERE superseded";
    run(&pool, earlier).await;
    assert!(!attention(&server, "forecasts_moved").await.is_empty());
}
