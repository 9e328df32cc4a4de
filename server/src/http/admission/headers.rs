use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Scripts, styles, fonts and data come from here and nowhere else, nothing stands in the page itself, and no
/// other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The policy for the API's documentation: its style sheet has pictures in it, and its script adds one style, of this
/// hash.
const DOCUMENTATION: &str = "default-src 'none'; script-src 'self'; \
    style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const RESOURCES: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const VERSION: HeaderName = HeaderName::from_static("kerncast-version");

pub(super) fn is_documentation(path: &str) -> bool {
    path == "/docs" || path.starts_with("/docs/")
}

/// What browsers and agents are told with every answer.
pub(super) fn add(headers: &mut HeaderMap, documentation: bool) {
    let policy = if documentation { DOCUMENTATION } else { POLICY };
    let all: [(HeaderName, &'static str); 6] = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (RESOURCES, "same-origin"),
        (VERSION, env!("CARGO_PKG_VERSION")),
    ];
    for (name, value) in all {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
