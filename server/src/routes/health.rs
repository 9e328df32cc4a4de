//! For those who watch the server.

use axum::{extract::State, http::header, response::IntoResponse};

use crate::{App, db, error::Error, overview::overview};

/// Whether the process answers.
#[utoipa::path(
    get, path = "/healthz", tag = "health",
    responses((status = 200, description = "It does", body = String, content_type = "text/plain"))
)]
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// Whether the database answers.
#[utoipa::path(
    get, path = "/readyz", tag = "health",
    responses(
        (status = 200, description = "It does", body = String, content_type = "text/plain"),
        super::Refused
    )
)]
pub(super) async fn ready(State(app): State<App>) -> Result<&'static str, Error> {
    db::ping(&app.pool).await?;
    Ok("ready\n")
}

/// Counts for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "health",
    responses(
        (status = 200, description = "OpenMetrics text", body = String, content_type = "application/openmetrics-text"),
        super::Refused
    )
)]
pub(super) async fn metrics(State(app): State<App>) -> Result<impl IntoResponse, Error> {
    const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let overview = overview(&app.pool).await?;
    let jobs = db::jobs::list(&app.pool).await?;
    let text = app.metrics.text(&overview, &jobs);
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text))
}
