//! A server, all of it but the connections, on a database of its own, for the targets that ask it.

use std::sync::LazyLock;

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode, header},
};
use http_body_util::BodyExt;
use kerncast_server::{
    App,
    access::{Settings, token},
    db::{self, access::audit::Actor},
    events::events,
    fitting, routes,
};
use kerncast_wire::{NewToken, TokenRole};
use serde_json::Value;
use sqlx::PgPool;
use tokio::runtime::Runtime;
use tower::ServiceExt;

const ADMIN: &str = "an admin's token";

static SERVER: LazyLock<Server> = LazyLock::new(Server::new);

struct Server {
    runtime: Runtime,
    router: Router,
    pool: PgPool,
}

impl Server {
    fn new() -> Self {
        let runtime = Runtime::new().unwrap();
        let (router, pool) = runtime.block_on(async {
            let url = std::env::var("DATABASE_URL").expect("scripts/with-postgres sets it");
            let pool = db::connect(url.parse().unwrap()).await.unwrap();
            let new = NewToken {
                name: None,
                role: TokenRole::Admin,
                agent: None,
            };
            let actor = Actor::command_line();
            db::access::tokens::add(&pool, &token::hash(ADMIN), &new, &actor)
                .await
                .unwrap();
            let (events, listening) = events(pool.clone());
            tokio::spawn(listening);
            (
                routes::router(App::new(pool.clone(), events, Settings::default())),
                pool,
            )
        });
        Self {
            runtime,
            router,
            pool,
        }
    }
}

/// The server's answer to a body, with an admin's token. What it says must be JSON, and it must not have failed.
pub(crate) fn post(path: &str, media_type: &str, body: &[u8]) -> (StatusCode, Value) {
    let request = Request::post(path)
        .header(header::AUTHORIZATION, format!("Bearer {ADMIN}"))
        .header(header::CONTENT_TYPE, media_type)
        .body(Body::from(body.to_vec()))
        .unwrap();
    SERVER.runtime.block_on(async {
        let response = SERVER.router.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let text = response.into_body().collect().await.unwrap().to_bytes();
        let answer: Value = serde_json::from_slice(&text).expect("JSON");
        assert!(!status.is_server_error(), "{status}: {answer}");
        (status, answer)
    })
}

/// Fits what has been uploaded.
pub(crate) fn fit() {
    SERVER.runtime.block_on(async {
        let fitting = tokio::spawn(fitting::work(
            SERVER.pool.clone(),
            fitting::Settings::default(),
        ));
        let path = "/v1/jobs";
        loop {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let response = SERVER.router.clone().oneshot(request).await.unwrap();
            let text = response.into_body().collect().await.unwrap().to_bytes();
            let jobs: Value = serde_json::from_slice(&text).expect("JSON");
            if jobs["pending"] == 0 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        fitting.abort();
    });
}
