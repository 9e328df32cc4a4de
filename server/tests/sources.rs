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
