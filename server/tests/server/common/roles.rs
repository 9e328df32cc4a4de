//! A server that knows a token of each role, and uploads by them.

use axum::http::StatusCode;
use kerncast_server::{
    access::{Settings, token},
    db,
};
use kerncast_wire::{Readers, TokenRole};
use serde_json::{Value, json};
use sqlx::PgPool;

use super::{Server, add_token};

pub(crate) const READER: &str = "a reader's token";

pub(crate) const AGENT: &str = "an agent's token";

pub(crate) async fn with_roles(pool: &PgPool, readers: Readers) -> Server {
    let settings = Settings {
        readers,
        ..Settings::default()
    };
    let server = Server::with(pool.clone(), settings).await;
    for (token, role) in [(READER, TokenRole::Reader), (AGENT, TokenRole::Agent)] {
        if db::access::tokens::find(pool, &token::hash(token))
            .await
            .unwrap()
            .is_none()
        {
            add_token(pool, token, role).await;
        }
    }
    server
}

/// The problems of a batch of one sample.
pub(crate) async fn upload_problems(server: &Server, token: &str, sample: &Value) -> Vec<Value> {
    let batch = json!({ "samples": [sample] });
    let (status, verdict) = server.by(token, "POST", "/v1/samples", batch).await;
    assert_eq!(status, StatusCode::OK, "{verdict}");
    let problems = &verdict["verdicts"][0]["problems"];
    problems.as_array().cloned().unwrap_or_default()
}

pub(crate) async fn accepted(server: &Server, token: &str, sample: &Value) {
    let problems = upload_problems(server, token, sample).await;
    assert_eq!(problems, [] as [Value; 0]);
}
