//! Kernels that are offered to agents: by admins alone, signed for whoever asks with a token, noted in the audit log.

use std::collections::BTreeMap;

use crate::common::{Server, add_token};
use axum::http::StatusCode;
use kerncast_server::token;
use kerncast_suite::is_signed;
use kerncast_wire::TokenRole;
use serde_json::{Value, json};
use sqlx::PgPool;

const AGENT: &str = "an agent's token";
const NONCE: &str = "00112233445566778899aabbccddeeff";
const PATH: &str = "/v1/offered_kernels/twice";

fn source(more: &[(&str, &str)]) -> Value {
    let launch = r#"
title = "Twice"
[[sizes]]
n = 64
[[arguments]]
name = "a"
buffer = "float"
length = "n"
access = "write"
[variants.global]
function = "twice"
global = ["n"]
local = ["64"]
"#;
    let mut files = BTreeMap::from([
        ("launch.toml", launch),
        ("twice.cl", "kernel void twice(global float *a) {}"),
    ]);
    files.extend(more.iter().copied());
    json!({ "files": files })
}

async fn offered(server: &Server, token: &str, nonce: &str) -> Value {
    let path = format!("/v1/offered_kernels?nonce={nonce}");
    let (status, answer) = server.by(token, "GET", &path, "").await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

#[sqlx::test(migrations = "../migrations")]
async fn what_an_admin_offers_is_signed_for_each_agent(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    add_token(&pool, AGENT, TokenRole::Agent, &[]).await;
    add_token(&pool, "another's", TokenRole::Reader, &[]).await;
    let (status, first) = server.put(PATH, source(&[]).to_string()).await;
    assert_eq!(status, StatusCode::OK, "{first}");
    // The same again is no other version.
    let again = server.put(PATH, source(&[]).to_string()).await;
    assert_eq!(again, (StatusCode::OK, first.clone()));

    let answer = offered(&server, AGENT, NONCE).await;
    assert_eq!(answer["kernels"], json!([first]));
    let hash = first["source_hash"].as_str().unwrap();
    let list = BTreeMap::from([("twice", hash)]);
    let signature = answer["signature"].as_str().unwrap();
    assert!(is_signed(&token::hash(AGENT), NONCE, &list, signature));
    let others = offered(&server, "another's", NONCE).await;
    assert_ne!(others["signature"], answer["signature"]);
    let later = offered(&server, AGENT, &NONCE.replace('0', "1")).await;
    assert_ne!(later["signature"], answer["signature"]);
    // Nobody has a key, and nothing is signed without a question of one's own.
    let path = format!("/v1/offered_kernels?nonce={NONCE}");
    for unsigned in [
        server.get(&path).await.1,
        server.by(AGENT, "GET", "/v1/offered_kernels", "").await.1,
    ] {
        assert_eq!(unsigned, json!({ "kernels": [first] }));
    }
    for nonce in ["", "12", "g0112233445566778899aabbccddeeff"] {
        let path = format!("/v1/offered_kernels?nonce={nonce}");
        let (status, problem) = server.by(AGENT, "GET", &path, "").await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");
        assert_eq!(problem["errors"][0]["field"], "nonce");
    }
    let (status, files) = server.get(&format!("/v1/sources/{hash}")).await;
    assert_eq!((status, files), (StatusCode::OK, source(&[])));

    let newer = server.put(PATH, source(&[("a.h", "")]).to_string()).await.1;
    assert_ne!(newer["source_hash"], first["source_hash"]);
    let answer = offered(&server, AGENT, NONCE).await;
    assert_eq!(answer["kernels"], json!([newer]));
    let withdrawn = server.by(crate::common::ADMIN, "DELETE", PATH, "").await;
    assert_eq!(withdrawn, (StatusCode::OK, newer.clone()));
    let (status, problem) = server.by(crate::common::ADMIN, "DELETE", PATH, "").await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
    let none = offered(&server, AGENT, NONCE).await;
    let signature = none["signature"].as_str().unwrap();
    assert!(is_signed(
        &token::hash(AGENT),
        NONCE,
        &BTreeMap::new(),
        signature
    ));

    let (_, log) = server
        .by(crate::common::ADMIN, "GET", "/v1/audit", "")
        .await;
    let log: Vec<(&Value, &Value)> = log["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["about"]["kernel"] == "twice")
        .map(|it| (&it["action"], &it["about"]["source_hash"]))
        .collect();
    let expected = [
        (&json!("withdraw_kernel"), &newer["source_hash"]),
        (&json!("offer_kernel"), &newer["source_hash"]),
        (&json!("offer_kernel"), &first["source_hash"]),
    ];
    assert_eq!(log, expected);
}

#[sqlx::test(migrations = "../migrations")]
async fn only_an_admin_offers_and_only_what_agents_take(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    add_token(&pool, AGENT, TokenRole::Agent, &[]).await;
    for method in ["PUT", "DELETE"] {
        let (status, problem) = server.by(AGENT, method, PATH, source(&[])).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{problem}");
    }
    for (name, source, field) in [
        ("..%2Ftwice", source(&[]), "name"),
        (".twice", source(&[]), "name"),
        ("twice", source(&[("../x.cl", "")]), "/files/..~1x.cl"),
        ("twice", source(&[("/x.cl", "")]), "/files/~1x.cl"),
        ("twice", source(&[("x.npy", "")]), "/files/x.npy"),
        ("twice", source(&[("launch.toml", "title = 3")]), "/files"),
        ("other", source(&[]), "/files"),
        ("twice", json!({ "files": {} }), "/files"),
    ] {
        let path = format!("/v1/offered_kernels/{name}");
        let (status, problem) = server.put(&path, source.to_string()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
        assert!(!problem.to_string().contains("/tmp"), "{problem}");
    }
    let (_, none) = server.get("/v1/offered_kernels").await;
    assert_eq!(none, json!({ "kernels": [] }));
}
