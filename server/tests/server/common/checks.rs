//! What many tests ask a server, and demand of its answers.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::{Decode, PgPool, Postgres, Type};

use super::{Server, number};

impl Server {
    /// What a device is called by in addresses and questions.
    pub(crate) async fn device(&self, name: &str) -> i64 {
        let devices = self.items("/v1/devices").await;
        let device = devices.iter().find(|it| it["name"] == name);
        device.unwrap()["id"].as_i64().unwrap()
    }

    /// Uploads, and waits until the models are as new as the samples.
    pub(crate) async fn fit(&self, samples: &[Value]) {
        let verdict = self.upload(samples).await;
        assert_eq!(verdict["rejected"], 0, "{verdict}");
        self.fitted().await;
    }

    /// The answer to a body that is in order.
    pub(crate) async fn posted(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body.to_string()).await;
        assert!(status.is_success(), "{path}, {body}: {status} {answer}");
        answer
    }

    /// Demands that a body is refused and this field named first; the problem.
    pub(crate) async fn refuses(&self, path: &str, body: &Value, field: &str) -> Value {
        let (status, problem) = self.post(path, body.to_string()).await;
        let named = (status, problem["errors"][0]["field"].as_str());
        let expected = (StatusCode::UNPROCESSABLE_ENTITY, Some(field));
        assert_eq!(named, expected, "{path}, {body}: {problem}");
        problem
    }

    /// The forecasts that answer a question.
    pub(crate) async fn forecasts(&self, question: &Value) -> Vec<Value> {
        let answer = self.posted("/v1/predictions", question).await;
        answer["predictions"].as_array().unwrap().clone()
    }

    /// The only one.
    pub(crate) async fn forecast(&self, question: &Value) -> Value {
        let mut forecasts = self.forecasts(question).await;
        assert_eq!(forecasts.len(), 1, "{forecasts:?}");
        forecasts.remove(0)
    }

    /// A model with its fit.
    pub(crate) async fn model(&self, id: &Value) -> Value {
        let path = format!("/v1/models/{}", id.as_str().unwrap());
        let (status, model) = self.get(&path).await;
        assert_eq!(status, StatusCode::OK, "{model}");
        model
    }

    /// All pages of a listing, one after the other.
    pub(crate) async fn pages(&self, path: &str) -> Vec<Value> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let (status, page) = self.get(&format!("{path}{cursor}")).await;
            assert_eq!(status, StatusCode::OK, "{page}");
            all.extend(page["items"].as_array().unwrap().clone());
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return all,
            }
        }
    }

    /// What of this kind needs attention.
    pub(crate) async fn attention(&self, kind: &str) -> Vec<Value> {
        let (_, overview) = self.get("/v1/overview").await;
        let all = overview["attention"].as_array().unwrap().iter();
        all.filter(|it| it["because"]["kind"] == kind)
            .cloned()
            .collect()
    }

    /// An admin's decision on samples.
    pub(crate) async fn decide(&self, decision: &str, samples: &Value) -> Value {
        let new = json!({ "decision": decision, "samples": samples, "reason": "a test" });
        self.posted("/v1/decisions", &new).await
    }
}

/// Statements, on the test's own database.
pub(crate) async fn run(pool: &PgPool, statements: &'static str) {
    sqlx::raw_sql(statements).execute(pool).await.unwrap();
}

/// The one value that a query finds.
pub(crate) async fn scalar<T>(pool: &PgPool, query: &'static str) -> T
where
    T: for<'r> Decode<'r, Postgres> + Type<Postgres> + Send + Unpin,
{
    sqlx::query_scalar(query).fetch_one(pool).await.unwrap()
}

/// All that it finds, of one column.
pub(crate) async fn scalars<T>(pool: &PgPool, query: &'static str) -> Vec<T>
where
    T: for<'r> Decode<'r, Postgres> + Type<Postgres> + Send + Unpin,
{
    sqlx::query_scalar(query).fetch_all(pool).await.unwrap()
}

/// What has been received so far came a day earlier.
pub(crate) async fn a_day_passes(pool: &PgPool) {
    run(
        pool,
        "UPDATE samples SET received_at = received_at - interval '1 day'",
    )
    .await;
}

/// What is asked for, once it is there: what servers keep is told anew a moment after it has changed.
pub(crate) async fn eventually<T>(what: &str, ask: impl AsyncFn() -> Option<T>) -> T {
    for _ in 0..400 {
        if let Some(answer) = ask().await {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{what} is not so");
}

/// An object with further fields, those that are objects in both joined in turn.
pub(crate) fn with(mut base: Value, more: &Value) -> Value {
    join(&mut base, more);
    base
}

/// Each of them with these fields, too.
pub(crate) fn each(all: Vec<Value>, fields: &Value) -> Vec<Value> {
    all.into_iter().map(|it| with(it, fields)).collect()
}

fn join(base: &mut Value, more: &Value) {
    match (base, more) {
        (Value::Object(base), Value::Object(more)) => {
            for (name, value) in more {
                join(base.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (base, more) => *base = more.clone(),
    }
}

/// Equal but for rounding.
pub(crate) fn assert_close(value: &Value, expected: f64) {
    assert!(
        (number(value) / expected - 1.0).abs() < 1e-9,
        "{value}, where {expected} is right"
    );
}
