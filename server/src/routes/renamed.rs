//! Routes that had other names before version 0.2. They lead to those of today, until the next version.

use axum::{
    Router,
    http::{
        StatusCode, Uri,
        header::{HeaderName, LOCATION},
    },
    response::IntoResponse,
    routing::get,
};

use crate::App;

/// Since when, in seconds of Unix time (RFC 9745): 2026-11-22.
const SINCE: &str = "@1795305600";

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/v1/pay_off", get(moved).post(moved))
        .route("/v1/kernels/{name}/gains", get(moved))
}

/// The same request at the new path.
async fn moved(uri: Uri) -> impl IntoResponse {
    let mut now = match uri.path().strip_suffix("/gains") {
        Some(kernel) => format!("{kernel}/speedups"),
        None => "/v1/speedups".to_owned(),
    };
    if let Some(query) = uri.query() {
        now.push('?');
        now.push_str(query);
    }
    let headers = [
        (LOCATION, now),
        (HeaderName::from_static("deprecation"), SINCE.to_owned()),
    ];
    (StatusCode::PERMANENT_REDIRECT, headers)
}
