//! Kernels' sources: kept under their own hash.

use crate::common::{Server, add_token, sample};
use axum::http::StatusCode;
use kerncast_wire::TokenRole;
use serde_json::{Value, json};
use sqlx::PgPool;

/// Of an empty `a.cl`.
const NEWER: &str = "e22036e7b0ed8817f2b19b6417837518eedda1bb9302f980eb55c9786f517203";
const AGENT: &str = "an agent's token";
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

fn analysis() -> Value {
    json!({ "tool": "kerncast 0.3.0, clang 15", "variants": [{
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
    assert_eq!(server.get(&path).await.1["analysis"], newer);
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

#[sqlx::test(migrations = "../migrations")]
async fn an_agent_replaces_no_analysis_that_is_there(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    add_token(&pool, AGENT, TokenRole::Agent).await;
    let path = with_sources(&server).await;
    let by_agent = |analysis: Value| server.by(AGENT, "PUT", &path, analysis);
    assert_eq!(by_agent(analysis()).await.0, StatusCode::OK);
    let mut other = analysis();
    other["tool"] = json!("another");
    assert_eq!(by_agent(other).await, (StatusCode::OK, analysis()));
    assert_eq!(server.get(&path).await.1["analysis"], analysis());
}

#[sqlx::test(migrations = "../migrations")]
async fn a_kernel_says_which_of_its_sources_were_analysed(pool: PgPool) {
    let server = Server::new(pool).await;
    let put = with_sources(&server).await;
    let (status, _) = server.put(&put, analysis().to_string()).await;
    assert_eq!(status, StatusCode::OK);
    let mut measured = sample(0, 0);
    measured["provenance"]["source_hash"] = json!(HASH);
    server.upload(&[measured]).await;
    let (status, known) = server.get(&put).await;
    assert_eq!(status, StatusCode::OK, "{known}");
    assert_eq!(known["source_hash"], HASH);
    let analysed = async |sources: &[&str]| {
        let kernel = server.get("/v1/kernels/kernel_0").await.1;
        let all = kernel["sources"].as_array().unwrap().clone();
        let hashes = all.iter().filter(|it| it["analysed"] == true);
        let hashes: Vec<&str> = hashes.map(|it| it["hash"].as_str().unwrap()).collect();
        assert_eq!(hashes, sources);
    };
    analysed(&[HASH]).await;
    assert_eq!(known["analysis"], analysis());
    // Of newer sources nobody has said anything.
    let newer = json!({ "files": { "a.cl": "" } }).to_string();
    let (status, _) = server.put(&format!("/v1/sources/{NEWER}"), newer).await;
    assert_eq!(status, StatusCode::OK);
    let mut measured = sample(0, 1);
    measured["provenance"]["source_hash"] = json!(NEWER);
    measured["measured_at"] = json!("2026-11-02T12:00:00Z");
    server.upload(&[measured]).await;
    analysed(&[HASH]).await;
}
