//! Errors of requests to the server, with advice.

use std::time::Duration;

use kerncast_wire::FieldProblem;
use thiserror::Error;

use super::Token;

/// Why the server gave no usable answer.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Debug, Error)]
pub enum ServerError {
    #[error("no Kerncast server answers at {url}: {source}. {}", advice(source))]
    Unreachable {
        url: String,
        source: Box<ureq::Error>,
    },
    /// The token is missing, no longer valid, or not allowed to do this.
    #[error("the server at {url} refused: {detail}. {token}")]
    Unauthorized {
        url: String,
        detail: String,
        token: Token,
    },
    #[error("the server at {url} answered {status}: {detail}")]
    Status {
        url: String,
        status: u16,
        detail: String,
        /// The wrong fields; empty where no field is wrong.
        problems: Vec<FieldProblem>,
        /// How long to wait before asking again, where the server says so.
        wait: Option<Duration>,
        /// Whether the server is only busy with other requests.
        busy: bool,
    },
    #[error(
        "the server at {url} gave an answer that can't be read ({source}): {}",
        version_hint(version.as_deref())
    )]
    Answer {
        url: String,
        /// The server's version, where it says so.
        version: Option<String>,
        source: Box<ureq::Error>,
    },
}

impl ServerError {
    /// Whether the same request may succeed later: nobody answers, or the server has trouble of its own.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Status { status, .. } => *status >= 500 || *status == 429,
            Self::Unauthorized { .. } | Self::Answer { .. } => false,
        }
    }

    /// Whether the server is only busy with other requests; a repeated request may succeed.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, Self::Status { busy: true, .. })
    }

    /// How long the server asks to wait.
    pub(super) fn wait(&self) -> Duration {
        match self {
            Self::Status { wait, .. } => wait.unwrap_or_default(),
            _ => Duration::ZERO,
        }
    }
}

/// What to do if no server answers.
fn advice(why: &ureq::Error) -> &'static str {
    // A problem with a certificate comes as an error of input.
    if why.to_string().contains("certificate") {
        "KERNCAST_CERTIFICATE names the file with its certificate, or with that of the authority \
         that signed it"
    } else {
        "`make up` starts one; --server or KERNCAST_SERVER names another"
    }
}

fn version_hint(version: Option<&str>) -> String {
    match version {
        Some(version) => format!(
            "it is of version {version}, and this is kerncast {}",
            env!("CARGO_PKG_VERSION")
        ),
        None => "is it a Kerncast server of this version?".to_owned(),
    }
}
