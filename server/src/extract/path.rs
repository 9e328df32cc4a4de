use axum::{
    extract::{FromRequestParts, Path, rejection::PathRejection},
    http::{StatusCode, request::Parts},
};
use uuid::Uuid;

use crate::{
    error::Error,
    problem::{field, field_problem},
};

/// The path's `{id}`.
pub(crate) struct Id(pub(crate) Uuid);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let text: Result<Path<String>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        let text = text.map(|Path(text)| text).unwrap_or_default();
        let id = text
            .parse()
            .map_err(|_| field_problem(StatusCode::BAD_REQUEST, field("id", &text, "a UUID")))?;
        Ok(Self(id))
    }
}
