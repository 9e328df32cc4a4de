//! What the server sends to other programs: how long it waits for them, and why one did not take it.

use std::time::Duration;

/// A receiver answers within this time.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// What went wrong, without the address, which may be a secret and which some errors say.
pub(crate) fn why(error: &ureq::Error) -> String {
    match error {
        ureq::Error::StatusCode(status) => format!("it answers {status}"),
        ureq::Error::Timeout(_) => format!("no answer within {} s", PATIENCE.as_secs()),
        ureq::Error::Io(error) => error.to_string(),
        _ => "it can't be reached".to_owned(),
    }
}
