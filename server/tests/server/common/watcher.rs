//! Somebody who reads server-sent events.

use std::time::Duration;

use axum::body::BodyDataStream;
use futures_util::StreamExt;
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::time::timeout;

use super::Server;

/// Far longer than any change takes to be told.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Watcher(BodyDataStream);

impl Watcher {
    pub(crate) async fn new(server: &Server, pool: &PgPool) -> Self {
        Self::of(async || server.stream("/v1/events").await, pool).await
    }

    /// When this returns, the server listens, so nothing is lost from here on. A stream that ends before is opened
    /// again.
    pub(crate) async fn of(open: impl AsyncFn() -> BodyDataStream, pool: &PgPool) -> Self {
        let mut watcher = Self(open().await);
        assert_eq!(watcher.next().await, Some(json!({ "kind": "missed" })));
        let ready = json!({ "kind": "agent", "agent": "ready" });
        loop {
            tell(pool, "ready", 1).await;
            match timeout(Duration::from_millis(100), watcher.next()).await {
                Ok(Some(event)) if event == ready => return watcher,
                Ok(None) => watcher = Self(open().await),
                Ok(Some(_)) | Err(_) => {}
            }
        }
    }

    /// The next event; none at the stream's end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let event = async {
            loop {
                let chunk = self.0.next().await?.unwrap();
                let text = String::from_utf8(chunk.to_vec()).unwrap();
                // Between events come comments that keep the connection alive.
                if let Some(data) = text.strip_prefix("data: ") {
                    return Some(serde_json::from_str(data.trim_end()).unwrap());
                }
            }
        };
        timeout(PATIENCE, event).await.unwrap()
    }

    /// Waits for an event.
    pub(crate) async fn sees(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let event = self.next().await.unwrap();
            if wanted(&event) {
                return event;
            }
        }
    }
}

/// Tells `times` that an agent has reported, each time another.
pub(crate) async fn tell(pool: &PgPool, agent: &str, times: i64) {
    let notify = "SELECT pg_notify('kerncast', json_build_object('kind', 'agent', 'agent', agent)::text)
        FROM (SELECT CASE n WHEN $2 THEN $1 ELSE n::text END AS agent FROM generate_series(1, $2) AS n) AS all_told";
    sqlx::query(notify)
        .bind(agent)
        .bind(times)
        .execute(pool)
        .await
        .unwrap();
}
