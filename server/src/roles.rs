//! What a server does of what all servers of one database do together.

use axum::{
    extract::{MatchedPath, Request, State},
    http::StatusCode,
    middleware::Next,
    response::Response,
};

use crate::{
    App,
    access::{Need, need},
    error::Error,
    extract::discard,
    problem::problem,
};

/// What a server does. By default all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// Listings, forecasts, the dashboard, and what admins do.
    pub serve: bool,
    /// What agents upload, and what they ask while they measure.
    pub ingest: bool,
    /// Fits after uploads, and dropping what has been kept long enough.
    pub fit: bool,
}

impl Default for Roles {
    fn default() -> Self {
        Self {
            serve: true,
            ingest: true,
            fit: true,
        }
    }
}

impl Roles {
    /// Whether it answers a request of this method for this documented path. Each answers for its own state.
    #[must_use]
    pub fn answer(self, method: &str, path: &str) -> bool {
        match (method, path) {
            (_, "/healthz" | "/readyz" | "/metrics" | "/v1/access") => true,
            // Before an agent measures, and while it does; `kerncast enroll`.
            ("POST", "/v1/enrolments")
            | (
                "GET" | "HEAD",
                "/v1/devices"
                | "/v1/devices/{id}/local_memory"
                | "/v1/sources/{hash}"
                | "/v1/sources/{hash}/analysis",
            ) => self.serve || self.ingest,
            _ if need(method, path) == Need::Uploading => self.ingest,
            _ => self.serve,
        }
    }

    fn names(self) -> String {
        let all = [
            (self.serve, "--serve"),
            (self.ingest, "--ingest"),
            (self.fit, "--fit"),
        ];
        let names: Vec<&str> = all.iter().filter(|it| it.0).map(|it| it.1).collect();
        names.join(" ")
    }
}

/// Refuses what others do with 421, which lets whoever asks try the same elsewhere, also what is not safe to repeat:
/// nothing was done.
pub(crate) async fn mine(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let path = request.extensions().get::<MatchedPath>();
    // What is not documented is the dashboard.
    let path = path.map_or("", MatchedPath::as_str);
    if app.roles.answer(request.method().as_str(), path) {
        return Ok(next.run(request).await);
    }
    let uploads = need(request.method().as_str(), path) == Need::Uploading;
    let who = if uploads { "--ingest" } else { "--serve" };
    let detail = format!(
        "this server was started with {} alone; ask one of the same database with {who}, or without roles",
        app.roles.names()
    );
    discard(request).await;
    Err(problem(StatusCode::MISDIRECTED_REQUEST, detail).into())
}
