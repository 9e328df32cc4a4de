//! Every request: a line in the log, a count and a time for Prometheus, and an id by which whoever asked and whoever
//! reads the log speak of the same one.

use std::{net::SocketAddr, sync::Arc, time::Instant};

use axum::{
    extract::{ConnectInfo, MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode},
    middleware::Next,
    response::Response,
};
use kerncast_wire::TokenRole;
use uuid::Uuid;

use super::metrics::Metrics;
use crate::access::Identity;

/// Bears a request's id, in its answer.
const ID: HeaderName = HeaderName::from_static("x-request-id");

/// Logs and counts a request when its answer begins, or when nobody waits for one any more. Neither paths nor headers are
/// written down, which may hold a token: the route says what was asked for.
pub(crate) async fn log_request(
    State(metrics): State<Arc<Metrics>>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut entry = Entry::new(metrics, &request);
    request.extensions_mut().insert(entry.identity.clone());
    let mut response = next.run(request).await;
    entry.status = Some(response.status());
    if let Ok(id) = HeaderValue::from_str(&entry.id) {
        response.headers_mut().insert(ID, id);
    }
    response
}

/// A line of the log. It is written and counted when it is dropped.
struct Entry {
    id: String,
    start: Instant,
    peer: Option<SocketAddr>,
    method: &'static str,
    route: String,
    identity: Identity,
    /// None: the client has gone, or there was no answer in time.
    status: Option<StatusCode>,
    metrics: Arc<Metrics>,
}

impl Entry {
    fn new(metrics: Arc<Metrics>, request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>();
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(address)| *address);
        Self {
            id: Uuid::now_v7().simple().to_string(),
            start: Instant::now(),
            peer,
            method: method_label(request.method()),
            // The dashboard's files, and what is not there.
            route: route.map_or("other", MatchedPath::as_str).to_owned(),
            identity: Identity::default(),
            status: None,
            metrics,
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let took = self.start.elapsed();
        let (method, route) = (self.method, self.route.as_str());
        let status = self.status.map(|it| it.as_u16());
        self.metrics.count_request(method, route, status, took);
        let token = self.identity.bearer().map(|it| &it.token);
        let role = token.map_or("nobody", |token| match token.role {
            TokenRole::Reader => "reader",
            TokenRole::Agent => "agent",
            TokenRole::Admin => "admin",
        });
        let agent = token.and_then(|it| it.agent.as_deref());
        tracing::info!(
            id = self.id,
            peer = self.peer.map(tracing::field::display),
            role,
            agent,
            method,
            route,
            status,
            ms = took.as_micros() as f64 / 1e3,
            "request"
        );
    }
}

/// A label must not be what anybody invents.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
