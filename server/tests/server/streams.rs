//! What streams through devices can do is stored once, and the newest answers whether a device pays.

use crate::common::{Server, streams};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

async fn post(server: &Server, path: &str, body: &Value) -> (StatusCode, Value) {
    server.post(path, body.to_string()).await
}

fn question(device: &Value) -> Value {
    json!({ "device": device, "work": "sort", "element": "u32", "bytes": 1_u64 << 26 })
}

#[sqlx::test(migrations = "../migrations")]
async fn the_newest_rates_answer(pool: PgPool) {
    let server = Server::new(pool).await;
    let new = streams("2026-11-03T12:00:00Z", 1.0);
    // A device a thousand times as slow.
    let old = streams("2026-11-01T12:00:00Z", 1e3);
    for it in [&new, &old] {
        let (status, stored) = post(&server, "/v1/streams", it).await;
        assert_eq!((status, &stored), (StatusCode::CREATED, it));
    }
    assert_eq!(post(&server, "/v1/streams", &new).await.0, StatusCode::OK);
    let mut other = new.clone();
    other["rates"]["trip_s"] = json!(0.5);
    let status = post(&server, "/v1/streams", &other).await.0;
    assert_eq!(status, StatusCode::CONFLICT);

    let listed = server.items("/v1/streams").await;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["measured_at"], new["measured_at"]);
    let (status, answer) = post(&server, "/v1/offload", &question(&listed[0]["device"])).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(answer["fastest"], "device");
    assert_eq!(answer["device_memory"], json!(3_u64 << 30));
    let seconds = |by: &str| {
        let offers = answer["offers"].as_array().unwrap();
        let its = offers.iter().find(|it| it["by"] == by).unwrap();
        its["seconds"].as_f64().unwrap()
    };
    // 2^24 elements of 0.1 ns there, 1 ns on the device and 0.1 ns back; 100 ns on one core.
    let elements = f64::from(1 << 24);
    assert!(seconds("device") < 2e-9 * elements, "{answer}");
    assert!((seconds("one_core") / (100e-9 * elements) - 1.0).abs() < 0.2);
    assert!(answer["pays_beside_one_core_from"].as_u64().unwrap() < 1 << 26);
    assert_eq!(answer["sizes"].as_array().unwrap().len(), 32);
    assert!(answer["checks"].as_array().unwrap().len() > 1);
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_wrong_is_named(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut wrong = streams("2026-11-03T12:00:00Z", 1.0);
    wrong["rates"]["pinning_bytes_per_s"] = json!(0);
    wrong["rates"]["kernels"][0]["elements"] = json!(0);
    wrong["rates"]["moves"][0]["both"]["piece_s"] = json!(-1);
    let (status, problem) = post(&server, "/v1/streams", &wrong).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let fields: Vec<&str> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["field"].as_str().unwrap())
        .collect();
    assert_eq!(
        fields,
        [
            "/rates/kernels/0/elements",
            "/rates/moves/0/both/piece_s",
            "/rates/pinning_bytes_per_s"
        ]
    );
    let unknown = question(&json!(7));
    server.refuses("/v1/offload", &unknown, "/device").await;
    post(
        &server,
        "/v1/streams",
        &streams("2026-11-03T12:00:00Z", 1.0),
    )
    .await;
    let device = server.items("/v1/streams").await[0]["device"].clone();
    for (name, value) in [
        ("bytes", json!(0)),
        ("bytes", json!(6)),
        ("bytes", json!(1_u64 << 60)),
        ("device_memory", json!(1_u64 << 40)),
        ("element", json!("i8")),
    ] {
        let mut wrong = question(&device);
        wrong[name] = value;
        let field = format!("/{name}");
        server.refuses("/v1/offload", &wrong, &field).await;
    }
}
