//! Errors as answers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of a problem that is over soon: the server is at work on as many large requests as it has memory for. Who comes
/// again after what `Retry-After` says is taken in, if not at once; nothing is wrong otherwise.
pub const BUSY: &str = "urn:kerncast:busy";

/// An error answer (RFC 9457, `application/problem+json`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// What kind of problem: `urn:kerncast:busy` where the server is at work on as many large requests as it has memory for, and
    /// whoever comes again (`Retry-After`) is taken in; otherwise `about:blank`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// This problem in words: what was wrong and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The fields at fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
    /// After how many seconds to come again where the status is 429 or 503, which the header `Retry-After` says; absent: one.
    #[serde(skip)]
    pub retry_after_s: Option<u64>,
}

/// One field at fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldProblem {
    /// Where: a JSON pointer into the body (`/samples/3/times/repetitions_s/0`), a query parameter's name, or
    /// a place in a posted file (`line 3, column time_s`).
    pub field: String,
    /// What was there, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What was expected.
    pub expected: String,
}
