//! The dashboard's files, built by `make build` and embedded; a debug build reads them from the disk.

use axum::{
    extract::Request,
    http::{Method, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Files;

/// The file at the request's path. A person's navigation to any other page gets the dashboard, which
/// reads the page from the address; nothing else does, so that a wrong API path is an error.
pub(super) fn file(request: &Request) -> Option<Response> {
    let path = request.uri().path();
    let navigation = request
        .headers()
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"));
    if !matches!(*request.method(), Method::GET | Method::HEAD) || path.starts_with("/v1") {
        return None;
    }
    if let Some(file) = Files::get(path.trim_start_matches('/')) {
        // Vite names its assets by their content.
        let age = if path.starts_with("/assets/") {
            "max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        let media_type = file.metadata.mimetype().to_owned();
        let headers = [
            (header::CONTENT_TYPE, media_type),
            (header::CACHE_CONTROL, age.to_owned()),
        ];
        return Some((headers, file.data).into_response());
    }
    if !navigation && path != "/" {
        return None;
    }
    Some(match Files::get("index.html") {
        Some(index) => ([(header::CACHE_CONTROL, "no-cache")], Html(index.data)).into_response(),
        None => (StatusCode::NOT_FOUND, Html(NOT_BUILT)).into_response(),
    })
}

const NOT_BUILT: &str = "<!doctype html><title>Kerncast</title>
<p>The dashboard was not built with this server. <code>make build</code> builds both; the API is at
<a href=\"/docs/\">/docs/</a>.</p>
";
