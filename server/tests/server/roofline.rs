//! What a device's page shows of its samples.

use crate::common::{Server, sample};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

fn counted(n: u32, readings: Value) -> Value {
    let mut sample = sample(0, n);
    sample["times"]["repetitions_s"] = json!([f64::from(n + 1)]);
    sample["readings"] = readings;
    sample
}

fn by_ncu(multiply_adds: f64) -> Value {
    json!({ "ncu": { "counters": {
        "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": 1,
        "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum": 2,
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": multiply_adds,
        "dram__sectors_read.sum": 3, "dram__sectors_write.sum": 1,
    } } })
}

#[sqlx::test(migrations = "../migrations")]
async fn points_are_of_the_newest_sample_of_each_workload(pool: PgPool) {
    let server = Server::new(pool).await;
    let by_oclgrind = json!({ "oclgrind": { "counters": {
        "fadd": 5, "call_fma": 10, "load_global_bytes": 64, "store_global_bytes": 32,
    } } });
    let refused = json!({ "ncu": { "refusal": "no permission" } });
    let mut older = counted(0, by_ncu(100.0));
    older["measured_at"] = json!("2026-10-01T00:00:00Z");
    let batch = [
        counted(0, by_ncu(4.0)),
        older,
        counted(1, by_oclgrind),
        counted(2, refused),
    ];
    server.upload(&batch).await;
    let device = &server.items("/v1/devices").await[0]["id"];
    let path = format!("/v1/devices/{device}/roofline");
    let expected = json!({
        "sample": batch[0]["id"], "kernel": "kernel_0", "variant": "global", "parameters": { "n": 0 },
        "time_s": 1.0, "provider": "ncu", "fp32_flop": 11.0, "bytes": 128.0,
    });
    assert_eq!(
        server.items(&path).await,
        std::slice::from_ref(&expected),
        "double precision was not counted"
    );
    assert_eq!(
        server.items(&format!("{path}?provider=ncu")).await,
        [expected]
    );
    let expected = json!({
        "sample": batch[2]["id"], "kernel": "kernel_0", "variant": "local", "parameters": { "n": 1 },
        "time_s": 2.0, "provider": "oclgrind", "fp32_flop": 25.0, "bytes": 96.0,
    });
    assert_eq!(
        server.items(&format!("{path}?provider=oclgrind")).await,
        [expected]
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn without_ncu_it_is_oclgrinds_and_pages_go_on_with_it(pool: PgPool) {
    let server = Server::new(pool).await;
    let batch: Vec<_> = (0..3).map(|n| sample(0, n)).collect();
    server.upload(&batch).await;
    let device = &server.items("/v1/devices").await[0]["id"];
    let path = format!("/v1/devices/{device}/roofline");
    let all = server.items(&path).await;
    assert_eq!(all.len(), 3);
    assert_eq!(
        (&all[0]["provider"], &all[0]["fp32_flop"]),
        (&json!("oclgrind"), &json!(0.0))
    );
    let (_, first) = server.get(&format!("{path}?limit=2")).await;
    let next = first["next"].as_str().unwrap();
    assert_eq!(
        server.items(&format!("{path}?cursor={next}")).await,
        all[2..]
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_not_there_is_told(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&[sample(0, 0)]).await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    for (path, expected, field) in [
        (
            "999/roofline".to_owned(),
            StatusCode::NOT_FOUND,
            Value::Null,
        ),
        (
            "x/roofline".to_owned(),
            StatusCode::BAD_REQUEST,
            json!("id"),
        ),
        (
            format!("{device}/roofline?provider=launch"),
            StatusCode::BAD_REQUEST,
            json!("provider"),
        ),
        (
            format!("{device}/roofline?cursor=launch:1"),
            StatusCode::BAD_REQUEST,
            json!("cursor"),
        ),
        (
            format!("{device}/roofline?cursor=ncu:x"),
            StatusCode::BAD_REQUEST,
            json!("cursor"),
        ),
    ] {
        let (status, problem) = server.get(&format!("/v1/devices/{path}")).await;
        assert_eq!(status, expected, "{path}: {problem}");
        assert_eq!(problem["errors"][0]["field"], field, "{path}: {problem}");
    }
}
