//! What devices can do at most: stored once, kept as a history, told by the best of the last ninety days.

use crate::common::{Server, ceilings, sample};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

async fn post(server: &Server, ceilings: &Value) -> (StatusCode, Value) {
    server.post("/v1/ceilings", ceilings.to_string()).await
}

#[sqlx::test(migrations = "../migrations")]
async fn ceilings_are_stored_once_and_the_newest_speak_for_the_device(pool: PgPool) {
    let server = Server::new(pool).await;
    let [old, new, middle] =
        ["2026-11-01", "2026-11-03", "2026-11-02"].map(|day| ceilings(&format!("{day}T12:00:00Z")));
    for ceilings in [&old, &new, &middle] {
        let (status, stored) = post(&server, ceilings).await;
        assert_eq!((status, &stored), (StatusCode::CREATED, ceilings));
    }
    assert_eq!(post(&server, &old).await.0, StatusCode::OK);

    let device = server.items("/v1/devices").await.remove(0);
    assert_eq!(device["ceilings"]["measured_at"], new["measured_at"]);
    assert_eq!(device["ceilings"]["copy_bytes_per_s"], json!(4.3e12));
    assert_eq!(device["ceilings"].get("fp64_flop_per_s"), None);
    let agents = server.items("/v1/agents").await;
    assert_eq!(agents[0]["name"], "lab-3");
}

/// A ceiling is what a device does at most: what else computes makes a measurement worse, and nothing makes it better.
#[sqlx::test(migrations = "../migrations")]
async fn a_busy_device_keeps_the_ceilings_of_an_idle_one_for_ninety_days(pool: PgPool) {
    let server = Server::new(pool).await;
    let measured = async |day: &str, agent: &str, rates: Value| {
        let mut new = ceilings(&format!("{day}T12:00:00Z"));
        new["agent"]["name"] = json!(agent);
        new["ceilings"] = rates;
        let (status, answer) = post(&server, &new).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
        let ceilings = server.items("/v1/devices").await.remove(0)["ceilings"].take();
        ["copy_bytes_per_s", "fp32_flop_per_s", "launch_latency_s"]
            .map(|name| ceilings[name].clone())
    };
    let idle = json!({ "copy_bytes_per_s": 4e12, "launch_latency_s": 4e-6 });
    let busy =
        json!({ "copy_bytes_per_s": 1e11, "fp32_flop_per_s": 3e12, "launch_latency_s": 9e-6 });
    let best = [json!(4e12), json!(3e12), json!(4e-6)];
    measured("2026-05-01", "lab-3", idle).await;
    let after_busy = measured("2026-05-20", "lab-3", busy.clone()).await;
    assert_eq!(after_busy, best);
    // Another machine with such a device speaks for itself, as soon as it is the last to.
    let other = measured("2026-05-21", "lab-4", json!({ "copy_bytes_per_s": 2e12 })).await;
    assert_eq!(other, [json!(2e12), Value::Null, Value::Null]);
    let late = measured("2026-09-01", "lab-3", busy).await;
    assert_eq!(late, [json!(1e11), json!(3e12), json!(9e-6)]);
}

#[sqlx::test(migrations = "../migrations")]
async fn other_ceilings_under_a_known_id_are_refused(pool: PgPool) {
    let server = Server::new(pool).await;
    let one = ceilings("2026-11-01T12:00:00Z");
    post(&server, &one).await;
    let mut other = one.clone();
    other["ceilings"]["copy_bytes_per_s"] = json!(1e9);
    other["device"]["name"] = json!("Another");
    let (status, problem) = post(&server, &other).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
    assert_eq!(problem["errors"][0]["field"], "/id");
    let devices = server.items("/v1/devices").await;
    assert_eq!(devices.len(), 1, "what is refused leaves no device behind");
    assert_eq!(devices[0]["ceilings"]["copy_bytes_per_s"], json!(4.3e12));
}

#[sqlx::test(migrations = "../migrations")]
async fn each_wrong_field_of_ceilings_is_named(pool: PgPool) {
    let server = Server::new(pool).await;
    let good = ceilings("2026-11-01T12:00:00Z");
    for (pointer, value, status) in [
        ("/id", json!("x"), 400),
        ("/measured_at", json!("2999-01-01T00:00:00Z"), 422),
        ("/device/name", json!(""), 422),
        ("/ceilings", json!({}), 422),
        ("/ceilings/copy", json!(1), 400),
        ("/ceilings/fp32_flop_per_s", json!(0), 422),
        ("/ceilings/fp32_flop_per_s", json!(-1), 422),
        ("/ceilings/fp32_flop_per_s", json!(1e30), 422),
        ("/ceilings/launch_latency_s", json!(1e6), 422),
        ("/ceilings/copy_bytes_per_s", json!("fast"), 400),
        ("/conditions/power_w", json!(-1), 422),
        ("/provenance/build_options", json!("\0"), 422),
    ] {
        let mut wrong = good.clone();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        wrong.pointer_mut(parent).unwrap()[name] = value;
        let (found, problem) = post(&server, &wrong).await;
        assert_eq!(found, status, "{pointer}: {problem}");
        assert_eq!(problem["errors"][0]["field"], pointer, "{problem}");
    }
    for number in ["NaN", "Infinity", "1e999"] {
        let body = good.to_string().replace("4300000000000.0", number);
        let (status, problem) = server.post("/v1/ceilings", body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{number}: {problem}");
        assert_eq!(problem["errors"][0]["field"], "/ceilings/copy_bytes_per_s");
    }
    assert!(server.items("/v1/devices").await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_device_is_shipped_until_somebody_measures_it(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut shipped = sample(0, 0);
    shipped["origin"] = json!("shipped");
    let mut limits = ceilings("2026-11-01T12:00:00Z");
    limits["origin"] = json!("shipped");
    let is_shipped = async || server.items("/v1/devices").await[0]["shipped"].clone();
    server.upload(&[shipped]).await;
    assert_eq!(is_shipped().await, true);
    post(&server, &limits).await;
    assert_eq!(is_shipped().await, true);
    post(&server, &ceilings("2026-11-02T12:00:00Z")).await;
    assert_eq!(is_shipped().await, false);

    let mut elsewhere = sample(0, 1);
    elsewhere["device"]["name"] = json!("Elsewhere");
    elsewhere["origin"] = json!("shipped");
    server.upload(&[elsewhere.clone()]).await;
    assert_eq!(server.items("/v1/devices").await[1]["shipped"], true);
    elsewhere["id"] = sample(0, 1)["id"].clone();
    elsewhere["origin"] = json!("imported");
    server.upload(&[elsewhere]).await;
    assert_eq!(server.items("/v1/devices").await[1]["shipped"], false);
}
