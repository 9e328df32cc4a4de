//! The server, as the collector calls it.

use std::time::Duration;

use thiserror::Error;
use ureq::Agent;

use crate::UsageError;

mod access;
mod attempts;
mod authority;
mod error;
mod problem;
mod routes;
mod token;
mod upload;

pub use authority::{Authority, AuthorityError};
pub use error::ServerError;
pub use token::{Token, TokenError};
pub use upload::{UploadError, Uploaded, upload};

/// The address of the server where none is named.
pub const DEFAULT: &str = "http://127.0.0.1:7310";

/// The time limit of one attempt, connecting included.
const TIMEOUT: Duration = Duration::from_secs(120);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Why there is no connection to a server: an address, token or certificate that can't be used.
#[expect(missing_docs, reason = "their names say it")]
#[derive(Clone, Debug, Error)]
#[error(transparent)]
pub enum ConnectError {
    Address(#[from] UsageError),
    Token(#[from] TokenError),
    Certificate(#[from] AuthorityError),
}

/// Refuses an address that no server can have.
pub fn check_address(url: &str) -> Result<(), UsageError> {
    if url.starts_with("http://") || url.starts_with("https://") {
        return Ok(());
    }
    Err(UsageError(format!(
        "{url}: expected a server's address like {DEFAULT}"
    )))
}

/// A Kerncast server, and the token for it. Every request is repeated a few times where the server can't be reached or has
/// trouble of its own.
pub struct Client {
    url: String,
    token: Token,
    agent: Agent,
}

impl Client {
    /// The server at `url`; over TLS, `authority` vouches for it.
    pub fn new(url: &str, token: Token, authority: &Authority) -> Self {
        let config = Agent::config_builder()
            .tls_config(authority.tls())
            .timeout_global(Some(TIMEOUT))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .http_status_as_error(false)
            .user_agent(concat!("kerncast/", env!("CARGO_PKG_VERSION")))
            .build();
        Self {
            url: url.trim_end_matches('/').to_owned(),
            token,
            agent: config.into(),
        }
    }

    /// The server's address.
    pub fn url(&self) -> &str {
        &self.url
    }
}
