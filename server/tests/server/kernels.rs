//! Kernels: sources, times, history.

use crate::common::{Server, sample};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

/// Size `n` of a kernel on a day of November 2026, with one repetition of so many seconds.
fn on(day: u32, n: u32, time_s: f64) -> Value {
    let mut sample = sample(0, n);
    sample["measured_at"] = json!(format!("2026-11-{day:02}T03:15:00Z"));
    sample["times"]["repetitions_s"] = json!([time_s]);
    sample["provenance"]["driver_version"] = json!(format!("1.{day}"));
    sample
}

#[sqlx::test(migrations = "../migrations")]
async fn times_are_the_newest_and_the_median_of_each_workload(pool: PgPool) {
    let server = Server::new(pool).await;
    // Not in the order of their days.
    let mut elsewhere = on(1, 0, 7.0);
    elsewhere["device"]["name"] = json!("Elsewhere");
    let batch = [
        on(2, 0, 2.0),
        on(3, 0, 5.0),
        on(1, 0, 1.0),
        on(1, 1, 9.0),
        elsewhere,
    ];
    server.upload(&batch).await;
    let times = server.items("/v1/kernels/kernel_0/times").await;
    assert_eq!(times.len(), 3);
    let device = &server.items("/v1/devices").await[0]["id"];
    let expected = json!({
        "device": device, "variant": "global", "parameters": { "n": 0 }, "samples": 3,
        "sample": batch[1]["id"], "measured_at": "2026-11-03T03:15:00Z", "driver_version": "1.3",
        "time_s": 5.0, "median_s": 2.0, "min_s": 1.0,
    });
    assert_eq!(times[0], expected);
    assert_eq!(
        (&times[1]["variant"], &times[1]["time_s"]),
        (&json!("local"), &json!(9.0))
    );
    assert_eq!(times[2]["time_s"], 7.0);

    let of_one = format!("/v1/kernels/kernel_0/times?device={device}");
    assert_eq!(server.items(&of_one).await, times[..2]);
    assert_eq!(
        server
            .items("/v1/kernels/kernel_0/times?variant=local")
            .await,
        times[1..2]
    );
    let paged = server.pages("/v1/kernels/kernel_0/times?limit=1").await;
    assert_eq!(paged, times);
}

#[sqlx::test(migrations = "../migrations")]
async fn the_median_is_of_the_newest_fifteen(pool: PgPool) {
    let server = Server::new(pool).await;
    // Seconds are days: of 1 to 20 the newest fifteen are 6 to 20.
    let batch: Vec<Value> = (1..=20).map(|day| on(day, 0, f64::from(day))).collect();
    server.upload(&batch).await;
    let times = server.items("/v1/kernels/kernel_0/times").await;
    assert_eq!(
        (&times[0]["samples"], &times[0]["median_s"]),
        (&json!(20), &json!(13.0))
    );
    assert_eq!(
        (&times[0]["time_s"], &times[0]["min_s"]),
        (&json!(20.0), &json!(1.0))
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn history_is_every_sample_newest_first(pool: PgPool) {
    let server = Server::new(pool).await;
    let batch = [on(2, 0, 2.0), on(3, 0, 5.0), on(1, 0, 1.0), on(3, 1, 9.0)];
    server.upload(&batch).await;
    let history = server
        .items("/v1/kernels/kernel_0/history?variant=global")
        .await;
    let listed: Vec<_> = history
        .iter()
        .map(|it| (&it["driver_version"], &it["time_s"]))
        .collect();
    let (newest, middle, oldest) = (json!("1.3"), json!("1.2"), json!("1.1"));
    assert_eq!(
        listed,
        [
            (&newest, &json!(5.0)),
            (&middle, &json!(2.0)),
            (&oldest, &json!(1.0))
        ]
    );
    assert_eq!(history[0]["sample"], batch[1]["id"]);
    let (_, first) = server
        .get("/v1/kernels/kernel_0/history?variant=global&limit=2")
        .await;
    let next = first["next"].as_str().unwrap();
    let rest = format!("/v1/kernels/kernel_0/history?variant=global&cursor={next}");
    assert_eq!(server.items(&rest).await, history[2..]);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_kernel_tells_which_sources_it_was_measured_from(pool: PgPool) {
    let server = Server::new(pool).await;
    let files = json!({ "files": { "launch.toml": "µ\n", "a.cl": "xy" } });
    // Of server/tests/server/sources.rs.
    let hash = "b542aa781ac33a77bc5524bb37fa0a5aac657f52fb5cb5e4fe916d32b2240361";
    server
        .put(&format!("/v1/sources/{hash}"), files.to_string())
        .await;
    let mut batch = [on(1, 0, 1.0), on(2, 0, 1.0), on(3, 0, 1.0), on(4, 0, 1.0)];
    batch[0]["provenance"]["source_hash"] = json!("older");
    batch[1]["provenance"]["source_hash"] = json!(hash);
    batch[2]["provenance"]["source_hash"] = json!(hash);
    server.upload(&batch).await;
    let (_, kernel) = server.get("/v1/kernels/kernel_0").await;
    assert_eq!(
        (&kernel["samples"], &kernel["family"]),
        (&json!(4), &json!("dense"))
    );
    let expected = json!([
        { "hash": hash, "known": true, "analysed": false, "samples": 2,
            "last_measured_at": "2026-11-03T03:15:00Z" },
        { "hash": "older", "known": false, "analysed": false, "samples": 1,
            "last_measured_at": "2026-11-01T03:15:00Z" },
    ]);
    assert_eq!(kernel["sources"], expected);
}

#[sqlx::test(migrations = "../migrations")]
async fn names_are_any_text_and_unknown_ones_are_told(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut odd = sample(0, 0);
    odd["workload"]["kernel"] = json!("größe / 2");
    server.upload(&[odd]).await;
    let (status, kernel) = server.get("/v1/kernels/gr%C3%B6%C3%9Fe%20%2F%202").await;
    assert_eq!(
        (status, &kernel["name"]),
        (StatusCode::OK, &json!("größe / 2"))
    );
    for (path, expected) in [
        ("/v1/kernels/nothing", StatusCode::NOT_FOUND),
        ("/v1/kernels/a%00b", StatusCode::BAD_REQUEST),
        ("/v1/kernels/%FF", StatusCode::BAD_REQUEST),
        ("/v1/kernels/k/times?cursor=1", StatusCode::BAD_REQUEST),
        ("/v1/kernels/k/times?cursor=a:b", StatusCode::BAD_REQUEST),
        ("/v1/kernels/k/history?cursor=1", StatusCode::BAD_REQUEST),
        ("/v1/kernels/k/history?device=x", StatusCode::BAD_REQUEST),
    ] {
        let (status, problem) = server.get(path).await;
        assert_eq!(status, expected, "{path}: {problem}");
    }
}
