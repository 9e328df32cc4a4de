//! What has changed in the last days.

use crate::common::{Server, number, sample};
use axum::http::StatusCode;
use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};
use sqlx::PgPool;

const KERNELS: u32 = 24;

/// So many days ago it took so much longer than usual.
fn measured(kernel: u32, days: i64, factor: f64) -> Value {
    let mut sample = sample(kernel, 1);
    let usual = number(&sample["times"]["repetitions_s"][0]);
    sample["measured_at"] = json!(Utc::now() - TimeDelta::days(days));
    sample["times"]["repetitions_s"] = json!([factor * usual]);
    // Without counters no model says what to expect.
    sample["readings"] = json!({});
    sample
}

async fn changes(server: &Server, query: &str) -> Value {
    let (status, changes) = server.get(&format!("/v1/changes{query}")).await;
    assert_eq!(status, StatusCode::OK, "{changes}");
    changes
}

#[sqlx::test(migrations = "../migrations")]
async fn what_changed_is_more_than_noise(pool: PgPool) {
    let server = Server::new(pool).await;
    let empty = changes(&server, "").await;
    for list in ["samples", "times", "models"] {
        assert_eq!(empty[list], json!([]), "{empty}");
    }
    let before = (0..KERNELS).flat_map(|it| [measured(it, 30, 1.0), measured(it, 20, 1.01)]);
    server.fit(&before.collect::<Vec<_>>()).await;
    let nothing = changes(&server, "").await;
    assert_eq!(nothing["samples"], json!([]), "{nothing}");
    assert!(
        (number(&nothing["noise"]["1"]) - 1.01).abs() < 1e-9,
        "{nothing}"
    );

    let slower = measured(7, 1, 1.2);
    let odd = measured(99, 1, 1.0);
    server
        .upload(&[slower.clone(), measured(8, 1, 1.01), odd])
        .await;
    server.fitted().await;
    let week = changes(&server, "").await;
    let new = json!([{ "device": 1, "samples": 3, "workloads": 3, "new_workloads": 1 }]);
    assert_eq!(week["samples"], new, "{week}");
    let [changed] = &week["times"].as_array().unwrap()[..] else {
        panic!("one is slower: {week}");
    };
    assert_eq!(changed["kernel"], "kernel_7");
    assert_eq!(changed["sample"], slower["id"]);
    // Of 1 and 1.01 the middle.
    let factor = number(&changed["factor"]);
    assert!((factor - 1.2 / 1.005).abs() < 1e-6, "{changed}");
    // Everything is new then, and nothing is known to have changed.
    let long = changes(&server, "?days=100").await;
    assert_eq!(long["times"], json!([]), "{long}");
    assert_eq!(
        long["samples"][0]["new_workloads"],
        json!(KERNELS + 1),
        "{long}"
    );
    for days in ["0", "1000", "week"] {
        let (status, problem) = server.get(&format!("/v1/changes?days={days}")).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");
    }
}
