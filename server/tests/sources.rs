//! Kernels' sources: kept under their own hash.
#![allow(clippy::unwrap_used, reason = "a test ends where it can go no further")]

mod common;

use axum::http::StatusCode;
use common::Server;
use serde_json::json;
use sqlx::PgPool;

/// Of the two files below, by `printf 'a.cl\0002\000xylaunch.toml\0003\000µ\n' | sha256sum`.
const HASH: &str = "b542aa781ac33a77bc5524bb37fa0a5aac657f52fb5cb5e4fe916d32b2240361";

#[sqlx::test(migrations = "../migrations")]
async fn sources_come_back_under_their_hash(pool: PgPool) {
    let server = Server::new(pool).await;
    let source = json!({ "files": { "launch.toml": "µ\n", "a.cl": "xy" } });
    let path = format!("/v1/sources/{HASH}");
    assert_eq!(server.get(&path).await.0, StatusCode::NOT_FOUND);
    for _ in 0..2 {
        let put = server.put(&path, source.to_string()).await;
        assert_eq!(put, (StatusCode::OK, source.clone()));
    }
    assert_eq!(server.get(&path).await, (StatusCode::OK, source));
}

#[sqlx::test(migrations = "../migrations")]
async fn sources_of_another_hash_are_refused(pool: PgPool) {
    let server = Server::new(pool).await;
    let path = format!("/v1/sources/{HASH}");
    for (files, field) in [
        (json!({ "launch.toml": "µ\n", "a.cl": "xz" }), "hash"),
        (json!({}), "/files"),
        (json!({ "": "" }), "/files/"),
        (json!({ "a/b.cl": "\0" }), "/files/a~1b.cl"),
        (json!({ "a.cl": "x".repeat((1 << 20) + 1) }), "/files"),
    ] {
        let body = json!({ "files": files }).to_string();
        let (status, problem) = server.put(&path, body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
    assert_eq!(server.get(&path).await.0, StatusCode::NOT_FOUND);
}

fn analysis() -> serde_json::Value {
    json!({ "tool": "kerncast 0.2.0, clang 15", "variants": [{
        "variant": "global", "parameters": { "n": 4 },
        "accesses": [{
            "file": "a.cl", "line": 3, "column": 5, "access": "a[gid0]", "does": "load", "memory": "global",
            "class": "affine", "sectors": 4.0, "shares": { "global_load_sectors": 1.0 },
        }],
        "notes": [{ "file": "a.cl", "line": 1, "column": 1, "text": "a barrier" }],
        "counters": { "analysis": { "global_load_sectors": 4.0 } }, "scope": "full",
    }] })
}

/// Sources of their own hash, on this server.
async fn with_sources(server: &Server) -> String {
    let source = json!({ "files": { "launch.toml": "µ\n", "a.cl": "xy" } });
    let path = format!("/v1/sources/{HASH}");
    let (status, _) = server.put(&path, source.to_string()).await;
    assert_eq!(status, StatusCode::OK);
    format!("{path}/analysis")
}

#[sqlx::test(migrations = "../migrations")]
async fn an_analysis_is_kept_beside_its_sources(pool: PgPool) {
    let server = Server::new(pool).await;
    let path = format!("/v1/sources/{HASH}/analysis");
    let (status, problem) = server.put(&path, analysis().to_string()).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
    with_sources(&server).await;
    assert_eq!(server.get(&path).await.0, StatusCode::NOT_FOUND);
    let put = server.put(&path, analysis().to_string()).await;
    assert_eq!(put, (StatusCode::OK, analysis()));
    // An admin's replaces it.
    let mut newer = analysis();
    newer["tool"] = json!("kerncast 0.3.0, clang 19");
    let put = server.put(&path, newer.to_string()).await;
    assert_eq!(put, (StatusCode::OK, newer.clone()));
    assert_eq!(server.get(&path).await, (StatusCode::OK, newer));
}

#[sqlx::test(migrations = "../migrations")]
async fn an_unsound_analysis_is_refused_with_its_field(pool: PgPool) {
    let server = Server::new(pool).await;
    let path = with_sources(&server).await;
    for (pointer, value) in [
        ("/tool", json!("")),
        ("/variants/0/accesses/0/file", json!("a\u{0}.cl")),
        (
            "/variants/0/accesses/0/shares/global_load_sectors",
            json!(1.5),
        ),
        ("/variants/0/notes/0/text", json!("x".repeat(10_001))),
    ] {
        let mut wrong = analysis();
        *wrong.pointer_mut(pointer).unwrap() = value;
        let (status, problem) = server.put(&path, wrong.to_string()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["field"], pointer, "{problem}");
    }
    assert_eq!(server.get(&path).await.0, StatusCode::NOT_FOUND);
}
