//! One sample, or many, cannot break a device's forecasts: the gate sets them aside.

use crate::common::{
    Server, a_day_passes, by, each,
    honest::{forecast, honest, of_day, of_standing},
    sample, samples,
};
use serde_json::{Value, json};
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn one_sample_of_a_nanosecond_moves_no_forecast_and_is_named(pool: PgPool) {
    let server = honest(&pool).await;
    let before = forecast(&server).await;
    let mut wrong = by("lab-9", sample(1, 3), 1.0);
    wrong["times"]["repetitions_s"] = json!([1e-9]);
    assert_eq!(server.upload(&[wrong.clone()]).await["stored"], 1);
    server.fitted().await;

    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    let set_aside = of_standing(&server, "quarantined").await;
    assert_eq!(set_aside.len(), 1);
    assert_eq!(set_aside[0]["id"], wrong["id"]);
    let reason = set_aside[0]["standing_reason"].as_str().unwrap();
    assert!(!reason.is_empty());
    let path = format!("/v1/samples/{}", wrong["id"].as_str().unwrap());
    assert_eq!(server.get(&path).await.1["standing"], "quarantined");
    // All of them are listed, also as CSV.
    assert_eq!(server.items("/v1/samples?limit=1000").await.len(), 25);
    let csv = server.get("/v1/samples?format=csv").await.1;
    let csv = csv.as_str().unwrap();
    assert!(csv.contains("\"standing\"") && csv.contains("\"quarantined\""));

    let named = server.attention("samples_quarantined").await;
    assert_eq!(named.len(), 1, "{named:?}");
    assert_eq!(named[0]["agent"], "lab-9");
    assert_eq!(
        named[0]["device"],
        server.items("/v1/devices").await[0]["id"]
    );
    assert!(
        named[0]["detail"].as_str().unwrap().contains(reason),
        "{named:?}"
    );
    for model in server.items("/v1/models?limit=1000").await {
        let warnings = model["warnings"].to_string();
        assert!(
            warnings.contains("1 samples of the device are quarantined and left out"),
            "{warnings}"
        );
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn what_no_clock_resolves_is_refused_at_the_door(pool: PgPool) {
    let server = honest(&pool).await;
    for (time, stored) in [(5e-324, 0), (0.9e-9, 0), (1e-9, 1)] {
        let mut wrong = sample(1, 3);
        wrong["times"]["repetitions_s"] = json!([1e-3, time]);
        let verdict = server.upload(&[wrong]).await;
        assert_eq!(verdict["stored"], stored, "{verdict}");
        if stored == 0 {
            let problem = &verdict["verdicts"][0]["problems"][0];
            assert_eq!(problem["field"], "/samples/0/times/repetitions_s/1");
            assert_eq!(problem["value"], format!("{time:e}"));
            assert!(
                problem["expected"]
                    .as_str()
                    .unwrap()
                    .contains("at least 1e-9")
            );
        }
    }
    server.fitted().await;
    assert!(server.attention("job_failing").await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_third_of_all_by_a_thousandth_and_all_by_a_thousand_move_nothing(pool: PgPool) {
    let server = honest(&pool).await;
    let before = forecast(&server).await;
    let faster: Vec<Value> = samples()
        .drain(..8)
        .map(|it| by("lab-8", it, 1e-3))
        .collect();
    server.fit(&faster).await;
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    let slower: Vec<Value> = samples()
        .into_iter()
        .map(|it| by("lab-9", it, 1e3))
        .collect();
    server.fit(&slower).await;
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    let named = server.attention("samples_quarantined").await;
    let agents: Vec<&Value> = named.iter().map(|it| &it["agent"]).collect();
    assert_eq!(agents, ["lab-9", "lab-8"]);
    assert!(server.attention("model_held").await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn times_leave_out_what_is_set_aside_and_find_the_newest_that_is_not(pool: PgPool) {
    let server = honest(&pool).await;
    let times = "/v1/kernels/kernel_1/times?limit=1000";
    let history = "/v1/kernels/kernel_1/history?limit=1000";
    let (before, history_before) = (server.items(times).await, server.items(history).await);
    let wrong: Vec<Value> = (0..6).map(|n| by("lab-9", sample(1, n), 1e-4)).collect();
    server.fit(&wrong).await;
    let mut after = server.items(times).await;
    // They are counted: they are there.
    for time in &mut after {
        assert_eq!(time["samples"], 2);
        time["samples"] = json!(1);
    }
    assert_eq!(after, before);
    assert_eq!(server.items(history).await, history_before);
    let device = before[0]["device"].clone();
    server.decide("reject", &json!({ "device": device })).await;
    server.fitted().await;
    assert!(server.items(times).await.is_empty());
    server.decide("restore", &json!({ "agent": "lab-3" })).await;
    server.fitted().await;
    assert_eq!(server.items(times).await.len(), before.len());
    // A new one of a series that had none in use.
    server.fit(&[by("lab-3", sample(1, 3), 1.0)]).await;
    let newest = server.items("/v1/samples?limit=1").await[0]["id"].clone();
    let times = server.items(times).await;
    assert!(times.iter().any(|it| it["sample"] == newest), "{times:?}");
}

#[sqlx::test(migrations = "../migrations")]
async fn an_honest_change_is_accepted_at_the_second_collection(pool: PgPool) {
    let server = honest(&pool).await;
    let before = forecast(&server).await;
    let faster = |day: &str| of_day(day, 0.8);
    server.fit(&faster("2026-11-02T12:00:00Z")).await;
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
    assert_eq!(of_standing(&server, "quarantined").await.len(), 24);
    a_day_passes(&pool).await;
    server.fit(&faster("2026-11-03T12:00:00Z")).await;
    assert!(of_standing(&server, "quarantined").await.is_empty());
    let after = forecast(&server).await;
    assert!((after / before - 0.8).abs() < 0.02, "{before} {after}");
    assert!(server.attention("model_held").await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_labs_own_machine_may_differ_throughout_from_the_shipped_one_of_its_name(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let shipped = each(samples(), &json!({ "origin": "shipped" }));
    server.fit(&shipped).await;
    for (day, factor, waiting) in [
        ("2026-11-02T12:00:00Z", 1.12, 0),
        // From now on the lab's own is what is usual.
        ("2026-11-03T12:00:00Z", 1.12, 0),
        ("2026-11-04T12:00:00Z", 1.0, 24),
    ] {
        server.fit(&of_day(day, factor)).await;
        let quarantined = of_standing(&server, "quarantined").await;
        assert_eq!(quarantined.len(), waiting, "{day}: {quarantined:?}");
        a_day_passes(&pool).await;
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn shipped_data_and_a_devices_other_origins_are_told_apart(pool: PgPool) {
    let server = Server::new(pool).await;
    let shipped = each(samples(), &json!({ "origin": "shipped" }));
    server.upload(&shipped).await;
    // Sound at once.
    assert_eq!(of_standing(&server, "sound").await.len(), 24);
    server.fitted().await;
    let mut imported = by("lab-9", sample(1, 3), 1e-4);
    imported["origin"] = json!("imported");
    server.fit(&[imported]).await;
    assert_eq!(of_standing(&server, "quarantined").await.len(), 1);
    let filtered = "/v1/samples?standing=quarantined&kernel=kernel_1&variant=local&origin=imported";
    assert_eq!(server.items(filtered).await.len(), 1);
    let others = "/v1/samples?standing=quarantined&kernel=kernel_2";
    assert!(server.items(others).await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_verdict_that_is_due_comes_with_the_job_whoever_ended_before_it(pool: PgPool) {
    let server = honest(&pool).await;
    let before = forecast(&server).await;
    // A server that ends once it has stored them.
    server.stop_fitting();
    let wrong: Vec<Value> = (0..6).map(|n| by("lab-9", sample(1, n), 1e-4)).collect();
    server.upload(&wrong).await;
    assert_eq!(of_standing(&server, "unjudged").await.len(), 6);
    assert_ne!(server.get("/v1/jobs").await.1["pending"], 0);
    drop(server);
    let server = Server::new(pool).await;
    server.fitted().await;
    assert_eq!(of_standing(&server, "quarantined").await.len(), 6);
    assert_eq!(forecast(&server).await.to_bits(), before.to_bits());
}
