//! What one request may ask for: whatever is sent, it is answered, and others are answered meanwhile.

use std::time::{Duration, Instant};

use crate::common::{Server, sample, samples};
use axum::{
    body::{Body, Bytes},
    http::{Request, StatusCode},
};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::sync::oneshot;

const MIB: usize = 1 << 20;

/// By somebody without a token.
async fn predict(server: &Server, media_type: &str, body: impl Into<Body>) -> (StatusCode, Value) {
    let request = Request::post("/v1/predictions").header("content-type", media_type);
    server.send(request.body(body.into()).unwrap()).await
}

#[sqlx::test(migrations = "../migrations")]
async fn a_body_without_a_token_is_small(pool: PgPool) {
    let server = Server::new(pool).await;
    for media_type in ["application/json", "text/csv"] {
        let (status, problem) = predict(&server, media_type, vec![b' '; 9 * MIB]).await;
        assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{problem}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_file_of_too_many_lines_or_cells_is_not_read(pool: PgPool) {
    let server = Server::new(pool).await;
    let header = "device,kernel,variant,time_s\n";
    for rest in [
        "x,x,x,1\n".repeat(8 * MIB / 8 - 10),
        "\n".repeat(200_000),
        ",".repeat(7 * MIB),
    ] {
        let (status, problem) = predict(&server, "text/plain", format!("{header}{rest}")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(problem["errors"][0]["field"], "the file", "{problem}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn reading_stops_at_the_first_set_and_device_too_many(pool: PgPool) {
    let server = Server::new(pool).await;
    let set = r#"{"counters":{}},"#;
    // Neither list ends: nobody has looked for its end.
    for (name, item) in [("counter_sets", set), ("devices", "1,")] {
        let body = format!("{{\"{name}\":[{}", item.repeat(10_001));
        let (status, problem) = predict(&server, "application/json", body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert!(
            problem["detail"]
                .as_str()
                .unwrap()
                .contains("at most 10000"),
            "{problem}"
        );
    }
    let counters: String = (0..5001).map(|i| format!("\"c{i}\":1,")).collect();
    let counters = counters.trim_end_matches(',');
    let body = format!(r#"{{"device":1,"counters":{{"ncu":{{{counters}}}}}}}"#);
    let (status, problem) = predict(&server, "application/json", body).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"][0]["field"], "/counters", "{problem}");
}

#[sqlx::test(migrations = "../migrations")]
async fn ten_thousand_predictions_are_told_piece_by_piece(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    server.fitted().await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    let good = json!({ "counters": { "oclgrind": { "load_global": 2500, "store_global": 40 } } });
    let bad = json!({ "counters": { "ncu": { "a": 1 } } });
    let mut sets = vec![bad.clone(); 2000];
    sets.resize(10_000, good);
    let request = json!({ "device": device, "counter_sets": sets }).to_string();
    let (status, answer) = predict(&server, "application/json", request).await;
    assert_eq!(status, StatusCode::OK);
    let predictions = answer["predictions"].as_array().unwrap();
    assert_eq!(predictions.len(), 10_000);
    for (place, prediction) in predictions.iter().enumerate() {
        assert_eq!(prediction["counter_set"], place);
        assert_eq!(
            prediction.get("refusal").is_some(),
            place < 2000,
            "{prediction}"
        );
    }
    let request = json!({ "device": device, "counter_sets": vec![bad; 10_000] }).to_string();
    let (status, problem) = predict(&server, "application/json", request).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"].as_array().unwrap().len(), 100);
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("the 9999 others"),
        "{problem}"
    );
}

/// A body whose first bytes come, and the rest when it is told so.
fn stalled(bytes: usize) -> (Body, oneshot::Sender<()>) {
    let (go, gone) = oneshot::channel::<()>();
    let piece = Bytes::from(vec![b' '; MIB]);
    let chunks = (0..bytes / MIB).map(move |_| Ok::<_, std::io::Error>(piece.clone()));
    let rest = stream::once(async {
        let _ = gone.await;
        Ok(Bytes::from_static(b"{}"))
    });
    (Body::from_stream(stream::iter(chunks).chain(rest)), go)
}

#[sqlx::test(migrations = "../migrations")]
async fn where_memory_is_short_large_requests_come_again_and_small_ones_are_answered(pool: PgPool) {
    let server = &Server::impatient(pool).await;
    server.upload(&samples()).await;
    server.fitted().await;
    let (bodies, going): (Vec<_>, Vec<_>) = (0..8).map(|_| stalled(7 * MIB)).unzip();
    let slow = bodies
        .into_iter()
        .map(|body| predict(server, "application/json", body));
    let slow = futures_util::future::join_all(slow);
    let others = async {
        // The others are polled first: their bytes are here.
        tokio::task::yield_now().await;
        let large = Request::post("/v1/predictions").header("content-type", "application/json");
        let large = large.body(Body::from(vec![b' '; 2 * MIB])).unwrap();
        let response = server.response(large).await;
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers()["retry-after"], "5");
        let set = r#"{"counters":{"oclgrind":{"load_global":2500,"store_global":40}}}"#;
        let (status, answer) = predict(server, "application/json", set).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        // Whoever has a token has memory of their own.
        let batch = json!({ "samples": (0..400).map(|n| sample(9, n)).collect::<Vec<_>>() });
        let (status, answer) = server.post("/v1/samples", batch.to_string()).await;
        assert_eq!((status, &answer["stored"]), (StatusCode::OK, &json!(400)));
        drop(going);
    };
    tokio::join!(slow, others);
    let (status, _) = predict(server, "application/json", vec![b' '; 2 * MIB]).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "its turn comes");
}

#[sqlx::test(migrations = "../migrations")]
async fn large_forecasts_without_a_token_keep_no_listing_waiting(pool: PgPool) {
    let server = &Server::new(pool).await;
    server.upload(&samples()).await;
    server.fitted().await;
    let names: String = (0..38)
        .map(|n| format!(r#","other_{n}":12345678"#))
        .collect();
    let set =
        format!(r#"{{"counters":{{"oclgrind":{{"load_global":2500,"store_global":40{names}}}}}}}"#);
    let body = format!(r#"{{"counter_sets":[{}]}}"#, vec![set; 10_000].join(","));
    assert!((7 * MIB..8 * MIB).contains(&body.len()), "{}", body.len());
    let begun = Instant::now();
    let forecast = async || {
        let (status, answer) = predict(server, "application/json", body.clone()).await;
        let expected = [StatusCode::OK, StatusCode::SERVICE_UNAVAILABLE];
        assert!(expected.contains(&status), "{answer}");
        begun.elapsed()
    };
    let list = async || {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let (status, _) = server.get("/v1/samples").await;
        (status, begun.elapsed())
    };
    let (first, second, third, (status, listed)) =
        tokio::join!(forecast(), forecast(), forecast(), list());
    assert_eq!(status, StatusCode::OK);
    let first = first.min(second).min(third);
    assert!(
        listed < first,
        "{listed:?}, and the first forecasts {first:?}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn pages_are_cut_by_bytes_too(pool: PgPool) {
    let server = Server::new(pool).await;
    let long: Vec<Value> = (0..5)
        .map(|n| {
            let mut sample = sample(0, n);
            sample["times"]["repetitions_s"] = json!(vec![0.123_456_789; 100_000]);
            sample
        })
        .collect();
    for sample in &long {
        server.upload(std::slice::from_ref(sample)).await;
    }
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let (status, page) = server.get(&format!("/v1/samples?limit=1000{cursor}")).await;
        assert_eq!(status, StatusCode::OK);
        assert!(page.to_string().len() < 6 * MIB);
        let items = page["items"].as_array().unwrap();
        ids.extend(items.iter().map(|it| it["id"].clone()));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let sent: Vec<Value> = long.iter().rev().map(|it| it["id"].clone()).collect();
    assert_eq!(ids, sent);
    let (_, csv) = server.get("/v1/samples?format=csv").await;
    assert_eq!(csv.as_str().unwrap().lines().count(), 6);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_large_batch_is_read_in_pieces_and_each_sample_judged(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut batch: Vec<Value> = (0..6)
        .map(|n| {
            let mut sample = sample(0, n);
            sample["times"]["repetitions_s"] = json!(vec![0.123_456_789; 60_000]);
            sample
        })
        .collect();
    batch[2]["times"]["repetitions_s"][7] = json!("soon");
    batch[4]["colour"] = json!("x".repeat(9 * MIB));
    batch[5] = batch[0].clone();
    let answer = server.upload(&batch).await;
    let verdicts = answer["verdicts"].as_array().unwrap();
    let words: Vec<_> = verdicts
        .iter()
        .map(|it| it["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(
        words,
        [
            "stored", "stored", "rejected", "stored", "rejected", "repeated"
        ]
    );
    let indices: Vec<_> = verdicts
        .iter()
        .map(|it| it["index"].as_u64().unwrap())
        .collect();
    assert_eq!(indices, [0, 1, 2, 3, 4, 5]);
    assert_eq!(verdicts[2]["id"], batch[2]["id"]);
    let field = |at: usize| &verdicts[at]["problems"][0]["field"];
    assert_eq!(
        (field(2), field(4)),
        (
            &json!("/samples/2/times/repetitions_s/7"),
            &json!("/samples/4")
        )
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn every_answer_that_may_be_large_waits_for_memory(pool: PgPool) {
    let server = &Server::impatient(pool).await;
    let files = json!({ "a.cl": "kernel void a() {}" });
    let hash = source_hash("a.cl", "kernel void a() {}");
    let (status, answer) = server
        .put(
            &format!("/v1/sources/{hash}"),
            json!({ "files": files }).to_string(),
        )
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    server.upload(&samples()).await;
    server.fitted().await;
    let sample = server.items("/v1/samples").await[0]["id"].clone();
    let models = server.items("/v1/models?provider=oclgrind").await;
    let model = crate::common::all_variants(&models, "ols")["id"]
        .as_str()
        .unwrap();
    let paths = [
        "/v1/samples".to_owned(),
        format!("/v1/samples/{}", sample.as_str().unwrap()),
        format!("/v1/sources/{hash}"),
        format!("/v1/models/{model}"),
        format!("/v1/models/{model}/validation"),
    ];
    let ask = async |expected: StatusCode| {
        let all = paths.iter().map(|path| server.get(path));
        let all = futures_util::future::join_all(all).await;
        for (path, (status, answer)) in paths.iter().zip(all) {
            assert_eq!(status, expected, "{path}: {answer}");
        }
    };
    // Exports that nobody reads on, as many as there is memory for.
    let mut unread = Vec::new();
    for _ in 0..12 {
        unread.push(server.stream("/v1/samples?format=csv").await);
    }
    ask(StatusCode::SERVICE_UNAVAILABLE).await;
    drop(unread);
    ask(StatusCode::OK).await;
}

fn source_hash(name: &str, text: &str) -> String {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(format!("{name}\0{}\0{text}", text.len()));
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
