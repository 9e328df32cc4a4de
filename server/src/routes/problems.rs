//! What routes answer in place of what they are asked for, as the OpenAPI document says it. A route says for itself
//! only what no other says: what is missing, and what is in its way.

use axum::http::StatusCode;
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Response, ResponseBuilder, path::Operation};

use crate::{
    access::{Need, need, operations},
    problem::PROBLEM_JSON,
};

/// Some operations, by method and need.
type Which = fn(&str, Need, &Operation) -> bool;

/// Statuses that the guard, the door, what reads a request, and the database answer with, and where.
const PROBLEMS: [(StatusCode, &str, Which); 12] = [
    (
        StatusCode::BAD_REQUEST,
        "What is asked is malformed; `errors` names the parameter or field",
        |_, _, _| true,
    ),
    (
        StatusCode::UNAUTHORIZED,
        "This needs a token, and none came, or one that is not valid",
        |_, need, _| need != Need::Nothing,
    ),
    (
        StatusCode::FORBIDDEN,
        "The token that came does not allow this, or another site's page asks for it",
        |method, need, _| method != "GET" || need == Need::Administering,
    ),
    (
        StatusCode::REQUEST_TIMEOUT,
        "The body came too slowly",
        |_, _, operation| has_body(operation),
    ),
    (
        StatusCode::PAYLOAD_TOO_LARGE,
        "The body is too large",
        |_, _, operation| has_body(operation),
    ),
    (
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "The body is of another media type",
        |_, _, operation| has_body(operation),
    ),
    (
        StatusCode::MISDIRECTED_REQUEST,
        "The server does not go by the name that it is called by",
        |_, _, _| true,
    ),
    (
        StatusCode::UNPROCESSABLE_ENTITY,
        "The body is well formed, but can't be so; `errors` names the fields",
        |_, _, operation| has_body(operation),
    ),
    (
        StatusCode::TOO_MANY_REQUESTS,
        "Too many requests; Retry-After says when to come again",
        |_, _, _| true,
    ),
    (
        StatusCode::INTERNAL_SERVER_ERROR,
        "The server failed; its log says why",
        |_, _, _| true,
    ),
    (
        StatusCode::SERVICE_UNAVAILABLE,
        "Short of memory, time or its database; Retry-After says when to come again",
        |_, _, _| true,
    ),
    (
        StatusCode::INSUFFICIENT_STORAGE,
        "The server's disk is full; nothing was stored",
        |method, need, _| method != "GET" && need != Need::Reading,
    ),
];

/// Writes into the document which problems each of its operations may answer with.
pub(super) fn describe(openapi: &mut OpenApi) {
    let components = openapi.components.get_or_insert_default();
    for (status, description, _) in PROBLEMS {
        let response = ResponseBuilder::new().description(description).build();
        let response = RefOr::T(as_problem(response));
        components.responses.insert(name(status), response);
    }
    for (path, item) in &mut openapi.paths.paths {
        for (method, operation) in operations(item) {
            for (status, response) in &mut operation.responses.responses {
                if let RefOr::T(response) = response
                    && status.starts_with('4')
                {
                    *response = as_problem(response.clone());
                }
            }
            let need = need(method, path);
            for (status, _, which) in PROBLEMS {
                if which(method, need, operation) {
                    let common = RefOr::Ref(Ref::from_response_name(name(status)));
                    let responses = &mut operation.responses.responses;
                    responses.entry(status.as_str().into()).or_insert(common);
                }
            }
        }
    }
}

fn as_problem(mut response: Response) -> Response {
    let problem = RefOr::T(Content::new(Some(Ref::from_schema_name("Problem"))));
    response.content = [(PROBLEM_JSON.to_owned(), problem)].into_iter().collect();
    response
}

/// `NotFound` of 404.
fn name(status: StatusCode) -> String {
    let words = status.canonical_reason().unwrap_or(status.as_str());
    words.replace(' ', "")
}

fn has_body(operation: &Operation) -> bool {
    operation.request_body.is_some()
}
