//! What many tests ask a server, and demand of its answers.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Server, number};

impl Server {
    /// What a device is called by in addresses and questions.
    pub(crate) async fn device(&self, name: &str) -> i64 {
        let devices = self.items("/v1/devices").await;
        let found = devices.iter().find(|it| it["name"] == name);
        found.unwrap()["id"].as_i64().unwrap()
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

    /// What of this kind needs attention.
    pub(crate) async fn attention(&self, kind: &str) -> Vec<Value> {
        let (_, overview) = self.get("/v1/overview").await;
        let all = overview["attention"].as_array().unwrap().iter();
        all.filter(|it| it["kind"] == kind).cloned().collect()
    }

    /// An admin's decision on samples.
    pub(crate) async fn decide(&self, decision: &str, samples: &Value) -> Value {
        let new = json!({ "decision": decision, "samples": samples, "reason": "a test" });
        self.posted("/v1/decisions", &new).await
    }
}

/// What is asked for, once it is there: what servers keep is told anew a moment after it has changed.
pub(crate) async fn eventually<T>(what: &str, ask: impl AsyncFn() -> Option<T>) -> T {
    for _ in 0..400 {
        if let Some(found) = ask().await {
            return found;
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
pub(crate) fn assert_close(found: &Value, expected: f64) {
    assert!(
        (number(found) / expected - 1.0).abs() < 1e-9,
        "{found}, where {expected} is right"
    );
}
