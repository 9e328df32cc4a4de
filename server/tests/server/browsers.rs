//! What browsers are told, and what other sites' pages can't have them do.

use crate::common::Server;
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use sqlx::PgPool;

fn get(path: &str, host: &str) -> Request<Body> {
    Request::get(path)
        .header("host", host)
        .body(Body::empty())
        .unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn a_name_that_is_not_ours_is_refused_on_every_page(pool: PgPool) {
    let server = Server::new(pool).await;
    for path in [
        "/",
        "/v1/overview",
        "/healthz",
        "/metrics",
        "/docs/",
        "/openapi.json",
        "/nothing",
    ] {
        let (status, problem) = server.send(get(path, "rebound.example:7310")).await;
        assert_eq!(status, StatusCode::MISDIRECTED_REQUEST, "{path}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("--host rebound.example"), "{detail}");
    }
    for own in [
        "localhost",
        "localhost:7310",
        "127.0.0.1:7310",
        "[::1]:7310",
    ] {
        let (status, _) = server.send(get("/v1/overview", own)).await;
        assert_eq!(status, StatusCode::OK, "{own}");
    }
    let absolute = Request::get("http://rebound.example/v1/overview");
    let absolute = absolute
        .header("host", "localhost")
        .body(Body::empty())
        .unwrap();
    assert_eq!(
        server.send(absolute).await.0,
        StatusCode::MISDIRECTED_REQUEST
    );
    assert_eq!(
        server.send(get("/v1/overview", "a b")).await.0,
        StatusCode::MISDIRECTED_REQUEST
    );
    // A proxy and the server might each go by another one.
    let two = Request::get("/v1/overview").header("host", "localhost");
    let two = two.header("host", "rebound.example");
    let (status, problem) = server.send(two.body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");
}

#[sqlx::test(migrations = "../migrations")]
async fn another_sites_page_computes_and_writes_nothing(pool: PgPool) {
    let server = Server::new(pool).await;
    let post = |headers: &[(&str, &str)]| {
        let mut request = Request::post("/v1/predictions").header("host", "localhost:7310");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.header("content-type", "text/plain");
        server.send(request.body(Body::from("device,kernel")).unwrap())
    };
    for foreign in [
        ("origin", "https://evil.example"),
        ("origin", "http://localhost:8000"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        assert_eq!(
            post(&[foreign]).await.0,
            StatusCode::FORBIDDEN,
            "{foreign:?}"
        );
    }
    for own in [
        &[][..],
        &[
            ("origin", "http://localhost:7310"),
            ("sec-fetch-site", "same-origin"),
        ],
    ] {
        assert_eq!(
            post(own).await.0,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{own:?}"
        );
    }
    let request = Request::get("/v1/overview").header("origin", "https://evil.example");
    let response = server.response(request.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(
        response.headers().get("access-control-allow-origin"),
        None,
        "no page may read it"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn every_answer_says_what_browsers_must_not_do(pool: PgPool) {
    let server = Server::new(pool).await;
    for path in [
        "/",
        "/v1/overview",
        "/v1/nothing",
        "/v1/samples?limit=0",
        "/docs/",
        "/metrics",
    ] {
        let response = server.response(get(path, "localhost")).await;
        let header = |name: &str| response.headers()[name].to_str().unwrap();
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("x-frame-options"), "DENY", "{path}");
        assert_eq!(header("referrer-policy"), "no-referrer", "{path}");
        let policy = header("content-security-policy");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "frame-ancestors 'none'",
        ] {
            // The documentation's page has one style of its own, by its hash.
            let is_there = |it: &str| it == part || path == "/docs/" && it.starts_with(part);
            assert!(policy.split("; ").any(is_there), "{path}: {policy}");
        }
    }
}
