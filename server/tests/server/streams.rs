//! What streams through devices can do is stored once, and the newest answers whether a device pays.

use std::time::Duration;

use crate::common::{Server, scalars, stream_run, streams};
use axum::http::StatusCode;
use kerncast_server::upkeep::drop_runs;
use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

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
    let taken = post(&server, "/v1/streams", &other).await.0;
    assert_eq!(taken, StatusCode::CONFLICT);

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
            "/rates/pinning_bytes_per_s",
            "/rates/moves/0/both/piece_s",
            "/rates/kernels/0/elements"
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
        let mut asked = question(&device);
        asked[name] = value;
        let field = format!("/{name}");
        server.refuses("/v1/offload", &asked, &field).await;
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn runs_are_stored_once_judged_and_count_as_checks(pool: PgPool) {
    let server = Server::new(pool).await;
    let rates = streams("2026-11-03T12:00:00Z", 1.0);
    // A run may come before its rates.
    let run = stream_run(&rates, 1 << 26, 2.0);
    let (status, stored) = post(&server, "/v1/stream_runs", &run).await;
    assert_eq!((status, &stored), (StatusCode::CREATED, &run));
    let again = post(&server, "/v1/stream_runs", &run).await.0;
    assert_eq!(again, StatusCode::OK);
    let mut other = run.clone();
    other["run"]["told"]["measured_s"] = json!(3.0);
    let (status, problem) = post(&server, "/v1/stream_runs", &other).await;
    assert_eq!(
        (status, &problem["errors"][0]["field"]),
        (StatusCode::CONFLICT, &json!("/id"))
    );

    post(&server, "/v1/streams", &rates).await;
    let device = server.items("/v1/streams").await[0]["device"].clone();
    let ask = async || {
        let (status, answer) = post(&server, "/v1/offload", &question(&device)).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["offers"][0].clone()
    };
    let seconds = |offer: &Value| offer["seconds"].as_f64().unwrap();
    let stretched = ask().await;
    // The longest check took 1.1 times what its parts come to, this longer run twice.
    let mut of_others = stream_run(&streams("2026-11-03T12:00:00Z", 1.0), 1 << 27, 9.0);
    of_others["measured_at"] = json!("2026-11-05T12:00:00Z");
    post(&server, "/v1/stream_runs", &of_others).await;
    assert_eq!(ask().await, stretched, "other rates forecast that run");
    // Nor is another agent believed about these.
    let mut foreign = stream_run(&rates, 1 << 29, 9.0);
    foreign["agent"]["name"] = json!("lab-4");
    foreign["measured_at"] = json!("2026-11-01T12:00:00Z");
    post(&server, "/v1/stream_runs", &foreign).await;
    assert_eq!(ask().await, stretched, "another agent says so");
    let longer = stream_run(&rates, 1 << 28, 4.0);
    post(&server, "/v1/stream_runs", &longer).await;
    let ratio = seconds(&ask().await) / seconds(&stretched);
    assert!((ratio - 2.0).abs() < 1e-9, "{ratio}");

    let listed = server
        .get(&format!("/v1/devices/{device}/stream_runs"))
        .await
        .1;
    assert_eq!(listed["record"]["runs"], 4);
    assert_eq!(listed["record"]["with_interval"], 4);
    assert_eq!(listed["record"]["within"], 0);
    let median = listed["record"]["median_error"].as_f64().unwrap();
    let [second, third] = [4.0, 9.0].map(|took| 1.0 - 1.1 / took);
    assert!(
        (median - f64::midpoint(second, third)).abs() < 1e-12,
        "{median}"
    );
    assert_eq!(listed["newest"][0]["id"], of_others["id"]);
    assert_eq!(listed["newest"][0]["run"], of_others["run"]);
    let (status, _) = server.get("/v1/devices/99/stream_runs").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[sqlx::test(migrations = "../migrations")]
async fn runs_that_nothing_reads_any_more_are_deleted_after_a_while(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let rates = streams("2026-11-03T12:00:00Z", 1.0);
    post(&server, "/v1/streams", &rates).await;
    let device = server.items("/v1/streams").await[0]["device"].clone();
    // Longer than any check, twice what its parts come to: the rates' newest run, and the oldest but five of the device.
    let judged = stream_run(&rates, 1 << 28, 2.0);
    let mut foreign = stream_run(&streams("2026-11-02T12:00:00Z", 1.0), 1 << 26, 3.0);
    foreign["agent"]["name"] = json!("lab-4");
    let mut elsewhere = foreign.clone();
    (elsewhere["id"], elsewhere["device"]["name"]) = (json!(Uuid::now_v7()), json!("Another"));
    for run in [&judged, &foreign, &elsewhere] {
        let (status, problem) = post(&server, "/v1/stream_runs", run).await;
        assert_eq!(status, StatusCode::CREATED, "{problem}");
    }
    // Of another agent by other rates: 5 before it, and 1100 since.
    sqlx::query(
        "INSERT INTO measurements (id, kind, content_hash, device_id, agent_id, measured_at, measured, origin)
        SELECT
            gen_random_uuid(), kind, content_hash, device_id, agent_id, measured_at + n * interval '1 minute', measured, origin
        FROM measurements, generate_series(-5, 1100) AS n
        WHERE id = $1::uuid AND n <> 0",
    )
    .bind(foreign["id"].as_str().unwrap())
    .execute(&pool)
    .await
    .unwrap();
    let read = async || {
        let runs = server
            .get(&format!("/v1/devices/{device}/stream_runs"))
            .await;
        let answer = post(&server, "/v1/offload", &question(&device)).await;
        assert_eq!((runs.0, answer.0), (StatusCode::OK, StatusCode::OK));
        (runs.1, answer.1)
    };
    let before = read().await;
    assert_eq!(before.0["record"]["runs"], 1000);

    let years = Duration::from_secs(50 * 365 * 86_400);
    assert_eq!(drop_runs(&pool, years).await.unwrap(), 0);
    // All but the newest 1000 and the one that the rates forecast.
    assert_eq!(drop_runs(&pool, Duration::ZERO).await.unwrap(), 106);
    assert_eq!(read().await, before);
    assert_eq!(drop_runs(&pool, Duration::ZERO).await.unwrap(), 0);
    let left: Vec<i64> = scalars(
        &pool,
        "SELECT count(*) FROM stream_runs GROUP BY device_id ORDER BY 1",
    )
    .await;
    assert_eq!(left, [1, 1001]);
    // Without the run the answer is another.
    let gone = sqlx::query(
        "DELETE FROM stream_runs WHERE agent_id = (SELECT id FROM agents WHERE name = 'lab-3')",
    );
    gone.execute(&pool).await.unwrap();
    assert_ne!(read().await.1, before.1);
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_wrong_with_a_run_is_named(pool: PgPool) {
    let server = Server::new(pool).await;
    let rates = streams("2026-11-03T12:00:00Z", 1.0);
    let right = stream_run(&rates, 1 << 20, 1.0);
    for (at, value) in [
        ("/run/elements", json!(0)),
        ("/run/elements", json!(1_u64 << 60)),
        ("/run/passes", json!(100_000)),
        ("/run/device_memory", json!(0)),
        ("/run/trips/forecast_s", json!(0)),
        ("/run/told/measured_s", json!(-1)),
        ("/run/interval_s/1", json!(1e300)),
        ("/run/interval_s/1", json!(0.5)),
        ("/run/primitive", json!("")),
        ("/run/by", json!("a\u{0}b")),
    ] {
        let mut wrong = right.clone();
        *wrong.pointer_mut(at).unwrap() = value;
        server.refuses("/v1/stream_runs", &wrong, at).await;
    }
    // Nothing of what is refused stays.
    assert_eq!(server.items("/v1/devices").await, [] as [Value; 0]);
}
