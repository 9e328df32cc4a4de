//! Tokens' lives: made, used, limited, revoked, and gone for whoever watches.

use std::time::{Duration, Instant};

use crate::common::{
    ADMIN, Server, add_token,
    roles::{AGENT, READER, accepted, with_roles},
    sample, scalar, scalars,
    watcher::Watcher,
};
use axum::{
    body::{Body, BodyDataStream},
    http::{Request, StatusCode, header},
};
use kerncast_server::access::{Settings, token};
use kerncast_wire::{Readers, TokenRole};
use serde_json::{Value, json};
use sqlx::PgPool;

/// Asks until the answer is this status; how long that took.
async fn until(server: &Server, token: &str, expected: StatusCode) -> Duration {
    let start = Instant::now();
    loop {
        let (status, problem) = server.by(token, "POST", "/v1/samples", "{}").await;
        if status == expected {
            return start.elapsed();
        }
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "{status}: {problem}"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_revoked_token_is_none_on_any_server_at_once(pool: PgPool) {
    let (one, other) = (
        Server::new(pool.clone()).await,
        Server::new(pool.clone()).await,
    );
    let id = add_token(&pool, AGENT, TokenRole::Agent).await.id;
    for server in [&one, &other] {
        until(server, AGENT, StatusCode::BAD_REQUEST).await;
    }
    let (status, revoked) = one
        .by(ADMIN, "DELETE", &format!("/v1/tokens/{id}"), "")
        .await;
    assert_eq!(status, StatusCode::OK);
    assert!(revoked["revoked_at"].is_string());
    let (status, _) = one.by(AGENT, "POST", "/v1/samples", "{}").await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "from the answer on");
    let waited = until(&other, AGENT, StatusCode::UNAUTHORIZED).await;
    assert!(waited < Duration::from_secs(2), "{waited:?}");
    let (_, again) = one
        .by(ADMIN, "DELETE", &format!("/v1/tokens/{id}"), "")
        .await;
    assert_eq!(again["revoked_at"], revoked["revoked_at"]);
    let (status, _) = one.by(ADMIN, "DELETE", "/v1/tokens/999", "").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

/// As a restored dump would: without a word.
#[sqlx::test(migrations = "../migrations")]
async fn a_token_that_goes_untold_is_gone_within_seconds(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    add_token(&pool, AGENT, TokenRole::Agent).await;
    until(&server, AGENT, StatusCode::BAD_REQUEST).await;
    let mut silent = pool.begin().await.unwrap();
    for statement in [
        "SET LOCAL session_replication_role = replica",
        "DELETE FROM tokens WHERE role = 'agent'",
    ] {
        sqlx::query(statement).execute(&mut *silent).await.unwrap();
    }
    silent.commit().await.unwrap();
    let waited = until(&server, AGENT, StatusCode::UNAUTHORIZED).await;
    assert!(waited < Duration::from_secs(8), "{waited:?}");
}

#[sqlx::test(migrations = "../migrations")]
async fn tokens_are_made_listed_and_their_use_is_noted(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let new = json!({ "role": "agent", "agent": "lab-3", "name": "nightly" });
    let (status, made) = server.by(ADMIN, "POST", "/v1/tokens", new).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let token = made["token"].as_str().unwrap();
    assert!(token.len() >= 32, "{token}");
    assert_eq!(made["summary"]["last_used_at"], Value::Null);
    let hashes: Vec<Vec<u8>> = scalars(&pool, "SELECT hash FROM tokens ORDER BY id DESC").await;
    assert_eq!(hashes[0], token::hash(token));

    accepted(&server, token, &sample(0, 0)).await;
    let (_, page) = server.by(ADMIN, "GET", "/v1/tokens?limit=1", "").await;
    let listed = &page["items"][0];
    assert_eq!(listed["name"], "nightly");
    assert!(listed["last_used_at"].is_string());
    assert!(!page.to_string().contains(token));
    let next = format!("/v1/tokens?cursor={}", page["next"].as_str().unwrap());
    let (_, rest) = server.by(ADMIN, "GET", &next, "").await;
    assert_eq!(rest["items"].as_array().unwrap().len(), 1);

    for (new, field) in [
        (json!({ "role": "agent" }), "/agent"),
        (json!({ "role": "reader", "agent": "lab-3" }), "/agent"),
        (json!({ "role": "agent", "agent": " lab" }), "/agent"),
        (json!({ "role": "reader", "name": "" }), "/name"),
    ] {
        server.refuses("/v1/tokens", &new, field).await;
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn who_asks_too_much_waits_and_nobody_else_does(pool: PgPool) {
    let settings = Settings {
        requests_per_second: std::num::NonZeroU32::new(1),
        ..Settings::default()
    };
    let server = Server::with(pool.clone(), settings).await;
    add_token(&pool, READER, TokenRole::Reader).await;
    // The first of a token counts for the address: nobody knows yet whose it is.
    server.by(READER, "GET", "/v1/jobs", "").await;
    let mut refused = None;
    for _ in 0..30 {
        let request =
            Request::get("/v1/jobs").header(header::AUTHORIZATION, format!("Bearer {READER}"));
        let response = server.response(request.body(Body::empty()).unwrap()).await;
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(response);
            break;
        }
        assert_eq!(response.status(), StatusCode::OK);
    }
    let refused = refused.expect("ten may come at once, not thirty");
    assert_eq!(refused.headers()[header::RETRY_AFTER], "1");
    assert_eq!(
        server.get("/v1/jobs").await.0,
        StatusCode::OK,
        "another caller"
    );
    // Whoever watches the server may have the address of those who ask too much.
    for path in ["/healthz", "/readyz", "/metrics"] {
        for _ in 0..12 {
            assert_eq!(server.get(path).await.0, StatusCode::OK, "{path}");
        }
    }
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(
        server.by(READER, "GET", "/v1/jobs", "").await.0,
        StatusCode::OK
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_stream_that_needs_a_token_ends_where_tokens_change(pool: PgPool) {
    let server = with_roles(&pool, Readers::Token).await;
    let mut watcher = Watcher::of(async || stream(&server).await, &pool).await;
    let (_, tokens) = server.by(ADMIN, "GET", "/v1/tokens", "").await;
    let tokens = tokens["items"].as_array().unwrap();
    let id = &tokens.iter().find(|it| it["role"] == "reader").unwrap()["id"];
    server
        .by(ADMIN, "DELETE", &format!("/v1/tokens/{id}"), "")
        .await;
    while let Some(event) = watcher.next().await {
        assert_ne!(event["kind"], "missed", "it ends by what is told");
    }
}

/// What was not heard may have been that the token is gone.
#[sqlx::test(migrations = "../migrations")]
async fn a_stream_that_needs_a_token_ends_where_changes_were_missed(pool: PgPool) {
    let server = with_roles(&pool, Readers::Token).await;
    let mut watcher = Watcher::of(async || stream(&server).await, &pool).await;
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND query ILIKE 'LISTEN%'";
    let cut: i64 = scalar(&pool, cut).await;
    assert_eq!(cut, 1);
    while watcher.next().await.is_some() {}
}

/// What a reader watches.
async fn stream(server: &Server) -> BodyDataStream {
    let request =
        Request::get("/v1/events").header(header::AUTHORIZATION, format!("Bearer {READER}"));
    let response = server.response(request.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::OK);
    response.into_body().into_data_stream()
}
