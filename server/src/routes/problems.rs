//! What routes answer in place of what they are asked for, as the OpenAPI document says it. A route says for itself
//! only what no other says: what is missing, and what is in its way.

use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Response, ResponseBuilder};

use crate::{access::operations, http::problem::PROBLEM_JSON};

/// Problems that any route may answer with: the guard's, admission's, those of what reads a request, the database's.
const ANY: &str = "\
400: what is asked is malformed; 401: no valid token came; 403: the token does not allow this, or another site's page \
asks for it; 408, 413, 415: the body came too slowly, is too large, or of another media type; 421: the server does not \
go by the name that it is called by; 422: the body is well formed, but can't be so; 429: too many requests; 500: the \
server failed, its log says why; 503: short of memory, time or its database; 507: its disk is full. `errors` names \
parameters and fields; after 429 and 503 Retry-After says when to come again";

/// Writes into the document which problems each of its operations may answer with.
pub(super) fn describe(openapi: &mut OpenApi) {
    let any = as_problem(ResponseBuilder::new().description(ANY).build());
    let components = openapi.components.get_or_insert_default();
    let named = ("Problem".to_owned(), RefOr::T(any));
    components.responses.extend([named]);
    for item in openapi.paths.paths.values_mut() {
        for (_, operation) in operations(item) {
            let responses = &mut operation.responses.responses;
            for (status, response) in responses.iter_mut() {
                if let RefOr::T(response) = response
                    && status.starts_with('4')
                {
                    *response = as_problem(response.clone());
                }
            }
            let any = RefOr::Ref(Ref::from_response_name("Problem"));
            responses.insert("default".to_owned(), any);
        }
    }
}

fn as_problem(mut response: Response) -> Response {
    let problem = RefOr::T(Content::new(Some(Ref::from_schema_name("Problem"))));
    response.content = [(PROBLEM_JSON.to_owned(), problem)].into_iter().collect();
    response
}
