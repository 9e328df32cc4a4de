//! What the API's description says that a route may answer.

use std::sync::LazyLock;

use axum::http::{Method, StatusCode};
use kerncast_server::routes;
use serde_json::Value;

static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| serde_json::to_value(routes::openapi()).unwrap());

/// Demands that what a documented route answers with is documented too.
pub(super) fn check(method: &Method, path: &str, status: StatusCode) {
    let method = match *method {
        Method::HEAD => "get".to_owned(),
        ref method => method.as_str().to_lowercase(),
    };
    let paths = DESCRIPTION["paths"].as_object().unwrap();
    // A name of the path goes before a parameter.
    let exactly = paths.get(path);
    let route = exactly.or_else(|| {
        let mut all = paths.iter();
        all.find(|(template, _)| fits(template, path))
            .map(|it| it.1)
    });
    let Some(operation) = route.and_then(|route| route.get(&method)) else {
        return;
    };
    let responses = &operation["responses"];
    let is_described = responses.get(status.as_str()).is_some();
    // Problems that any route may answer with are named in the words of one response.
    let any = &DESCRIPTION["components"]["responses"]["Problem"]["description"];
    let is_of_any = any.as_str().unwrap().contains(status.as_str());
    assert!(
        is_described || is_of_any && responses.get("default").is_some(),
        "{method} {path} answers {status}, of which the API's description does not say a word"
    );
}

fn fits(template: &str, path: &str) -> bool {
    let (template, path) = (template.split('/'), path.split('/'));
    template.clone().count() == path.clone().count()
        && (template.zip(path)).all(|(wanted, part)| wanted.starts_with('{') || wanted == part)
}
