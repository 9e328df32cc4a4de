//! What every request passes first, and what every answer bears: for the sake of browsers, which do what a page
//! tells them, whoever wrote it.

mod headers;
mod hosts;

pub use hosts::Hosts;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use kerncast_wire::Problem;

use crate::{App, error::Error, problem::problem};

/// Lets a request in that is meant for this server and that no other site's page sends on the sly.
pub(crate) async fn pass(State(app): State<App>, request: Request, next: Next) -> Response {
    let documentation = headers::is_documentation(request.uri().path());
    let mut response = match refusal(&app.hosts, &request) {
        Some(problem) => Error::from(problem).into_response(),
        None => next.run(request).await,
    };
    headers::add(response.headers_mut(), documentation);
    response
}

fn refusal(hosts: &Hosts, request: &Request) -> Option<Problem> {
    let host = match host(request.headers(), request.uri()) {
        Ok(host) => host?,
        Err(text) => return Some(misdirected(&text)),
    };
    if !hosts.include(host.host()) {
        return Some(misdirected(host.host()));
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

/// For whom the request is meant; none where it does not say, as no browser does.
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

fn misdirected(host: &str) -> Problem {
    let shown = crate::problem::shortened(host);
    let detail = format!(
        "this server does not go by the name {shown}; if it should, start it with --host {shown}"
    );
    problem(StatusCode::MISDIRECTED_REQUEST, detail)
}
