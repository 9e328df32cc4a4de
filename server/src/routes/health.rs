//! For those who watch the server.

use axum::{extract::State, http::header, response::IntoResponse};

use crate::{
    App,
    db::{self, upkeep::database_bytes},
    http::{Error, unavailable},
    monitoring::{metrics::Moment, resident_memory::resident_memory},
    upkeep::disk::Disk,
};

/// Whether the process answers.
#[utoipa::path(
    get, path = "/healthz", tag = "health",
    responses((status = 200, description = "It does", body = String, content_type = "text/plain"))
)]
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// Whether the database answers, and there is room for more.
#[utoipa::path(
    get, path = "/readyz", tag = "health",
    responses(
        (status = 200, description = "It does", body = String, content_type = "text/plain")
    )
)]
pub(super) async fn ready(State(app): State<App>) -> Result<&'static str, Error> {
    app.probe.ask().await?;
    if let Some(full) = app.disk.as_ref().and_then(Disk::refusal) {
        return Err(unavailable(full).into());
    }
    Ok("ready\n")
}

/// Counts for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "health",
    responses(
        (status = 200, description = "OpenMetrics text", body = String, content_type = "application/openmetrics-text")
    )
)]
pub(super) async fn metrics(State(app): State<App>) -> Result<impl IntoResponse, Error> {
    const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let disk_free = app.disk.as_ref().and_then(Disk::free);
    let text = app.metrics.text(Moment {
        overview: app.overview().await?,
        jobs: db::fitting::jobs::list(&app.pool).await?,
        memory_bytes: resident_memory(),
        database_bytes: database_bytes(&app.pool).await?,
        disk_free_bytes: disk_free.and_then(|it| i64::try_from(it).ok()),
    });
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text))
}
