//! Which requests are let in, and headers that every answer bears. They protect browsers from other sites' pages, and
//! agents from a server whose version is too far from theirs.

mod headers;
mod hosts;
mod version;

pub use hosts::Hosts;
use version::work_together;

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use kerncast_wire::Problem;

use super::{Error, problem, shortened};

const OWN: &str = env!("CARGO_PKG_VERSION");

/// Lets a request in that is meant for this server and that no other site's page sends.
pub(crate) async fn admit(
    State(hosts): State<Arc<Hosts>>,
    request: Request,
    next: Next,
) -> Response {
    let documentation = headers::is_documentation(request.uri().path());
    let mut response = match refusal(&hosts, &request) {
        Some(problem) => Error::from(problem).into_response(),
        None => next.run(request).await,
    };
    headers::add(response.headers_mut(), documentation);
    response
}

fn refusal(hosts: &Hosts, request: &Request) -> Option<Problem> {
    if request.headers().get_all(header::HOST).iter().count() > 1 {
        let detail = "two Host headers: expected one";
        return Some(problem(StatusCode::BAD_REQUEST, detail));
    }
    let host = match host(request.headers(), request.uri()) {
        Ok(host) => host?,
        Err(text) => return Some(misdirected(&text)),
    };
    if !hosts.include(host.host()) {
        return Some(misdirected(host.host()));
    }
    if let Some(version) = agents_version(request.headers())
        && !work_together(version, OWN)
        && request.uri().path().starts_with("/v1/")
    {
        return Some(other_version(version));
    }
    let reads = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    if reads || is_own(request.headers(), &host, hosts) {
        return None;
    }
    let detail = "another site's page asks for this: expected this server's own, or a client that is no browser";
    Some(problem(StatusCode::FORBIDDEN, detail))
}

/// The host that the request is meant for; none where it names none, which no browser does.
fn host(headers: &HeaderMap, uri: &Uri) -> Result<Option<Authority>, String> {
    if let Some(authority) = uri.authority() {
        return Ok(Some(authority.clone()));
    }
    let Some(value) = headers.get(header::HOST) else {
        return Ok(None);
    };
    let unreadable = || String::from_utf8_lossy(value.as_bytes()).into_owned();
    let authority = Authority::try_from(value.as_bytes());
    authority.map(Some).map_err(|_| unreadable())
}

/// Whether no page sends the request, or one of this server's own.
fn is_own(headers: &HeaderMap, host: &Authority, hosts: &Hosts) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        let site = headers.get("sec-fetch-site").map(|site| site.as_bytes());
        return !matches!(site, Some(b"cross-site" | b"same-site"));
    };
    let origin = origin.to_str().ok().and_then(|it| it.parse::<Uri>().ok());
    let origin = origin.as_ref().and_then(Uri::authority);
    // A proxy in front may have put another name into the Host header than the page's.
    origin.is_some_and(|origin| origin == host || hosts.are_named(origin.host()))
}

/// The version of an agent, which sends it as `kerncast/0.3.0`.
fn agents_version(headers: &HeaderMap) -> Option<&str> {
    let program = headers.get(header::USER_AGENT)?.to_str().ok()?;
    program.strip_prefix("kerncast/")
}

fn other_version(version: &str) -> Problem {
    let version_text = shortened(version);
    let detail = format!(
        "this server is of version {OWN} and works with agents from 0.3 on whose minor version is at most one apart; this \
         agent is of version {version_text}. Bring the older of the two up to date; what the agent has measured stays in its spool"
    );
    problem(StatusCode::BAD_REQUEST, detail)
}

fn misdirected(host: &str) -> Problem {
    let name = shortened(host);
    let detail = format!(
        "this server does not go by the name {name}; if it should, start it with --host {name}"
    );
    problem(StatusCode::MISDIRECTED_REQUEST, detail)
}
