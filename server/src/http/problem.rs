//! Problems (RFC 9457) as answers.

use std::borrow::Cow;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use kerncast_profilers::catalogue::TwoNames;
use kerncast_wire::{FieldProblem, Problem};

/// The media type of every error answer.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// Longest piece of a request that an answer repeats, in characters.
const LONGEST_VALUE: usize = 100;

/// A problem of this status. `detail` says what was wrong and what to do.
pub(crate) fn problem(status: StatusCode, detail: impl Into<String>) -> Problem {
    Problem {
        kind: "about:blank".to_owned(),
        title: status.canonical_reason().unwrap_or("Error").to_owned(),
        status: status.as_u16(),
        detail: Some(detail.into()),
        errors: Vec::new(),
        retry_after_s: None,
    }
}

/// The problem of what is not there.
pub(crate) fn not_found(detail: impl Into<String>) -> Problem {
    problem(StatusCode::NOT_FOUND, detail)
}

/// The problem of what may be done later.
pub(crate) fn unavailable(detail: impl Into<String>) -> Problem {
    problem(StatusCode::SERVICE_UNAVAILABLE, detail)
}

/// A counter that is given under two of its names with different values. `at`: the counters' pointer.
pub(crate) fn two_names(at: &str, names: &TwoNames) -> FieldProblem {
    let TwoNames {
        alias,
        alias_value,
        name,
        value,
    } = names;
    let expected = format!("{value}, as {name} is: they are two names of one counter");
    field(format!("{at}/{alias}"), alias_value, expected)
}

/// A problem with one field of the request.
pub(crate) fn field_problem(status: StatusCode, field: FieldProblem) -> Problem {
    let value = match &field.value {
        Some(value) => format!(" is {value};"),
        None => ":".to_owned(),
    };
    let name = match field.field.as_str() {
        "" => "the body",
        name => name,
    };
    let detail = format!("{name}{value} expected {}", field.expected);
    Problem {
        errors: vec![field],
        ..problem(status, detail)
    }
}

/// Names a field, what was there, and what was expected.
pub(crate) fn field(
    name: impl Into<String>,
    value: impl ToString,
    expected: impl Into<String>,
) -> FieldProblem {
    let value = value.to_string();
    FieldProblem {
        field: name.into(),
        value: Some(shortened(&value)).filter(|value| !value.is_empty()),
        expected: expected.into(),
    }
}

/// A problem with what one field says, though the request is well formed.
pub(crate) fn unprocessable(
    name: impl Into<String>,
    value: impl ToString,
    expected: impl Into<String>,
) -> Problem {
    let field = field(name, value, expected);
    field_problem(StatusCode::UNPROCESSABLE_ENTITY, field)
}

/// Refuses a well-formed request some of whose fields are wrong.
///
/// # Errors
/// A problem that names them, where there are any.
pub(crate) fn refuse_wrong_fields(errors: Vec<FieldProblem>) -> Result<(), Problem> {
    if errors.is_empty() {
        return Ok(());
    }
    Err(fields_problem(StatusCode::UNPROCESSABLE_ENTITY, errors))
}

/// A problem with what several fields (at least one) say; the detail speaks of the first.
pub(crate) fn fields_problem(status: StatusCode, errors: Vec<FieldProblem>) -> Problem {
    let first = errors.first().cloned().unwrap_or_else(|| field("", "", ""));
    Problem {
        errors,
        ..field_problem(status, first)
    }
}

/// A name as a part of a JSON pointer (RFC 6901).
pub(crate) fn escaped(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        return name.replace('~', "~0").replace('/', "~1").into();
    }
    name.into()
}

/// At most 100 characters of `text`.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The problem as an answer with its own status.
pub(crate) fn problem_response(problem: &Problem) -> Response {
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, axum::Json(problem)).into_response();
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
    let beside = match status {
        StatusCode::UNAUTHORIZED => {
            Some((header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")))
        }
        // Whatever is short now, memory or time, is there again soon.
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
            let seconds = problem.retry_after_s.unwrap_or(1);
            Some((header::RETRY_AFTER, HeaderValue::from(seconds)))
        }
        _ => None,
    };
    if let Some((name, value)) = beside {
        response.headers_mut().insert(name, value);
    }
    response
}
