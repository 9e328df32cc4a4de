use std::str::FromStr;

use axum::{
    extract::{FromRequestParts, Path, rejection::PathRejection},
    http::{StatusCode, request::Parts},
};
use uuid::Uuid;

use crate::http::{Error, field, field_problem};

/// The path's `{id}`.
pub(crate) struct Id(pub(crate) Uuid);

/// The path's `{id}` where it is the server's own number.
pub(crate) struct Number(pub(crate) i64);

/// The path's name or hash: any text that Postgres can hold.
pub(crate) struct Name(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        id(parts, state, "a UUID").await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Number {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        id(parts, state, "a whole number").await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let text: Result<Path<String>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        match text {
            Ok(Path(name)) if !name.contains('\0') => Ok(Self(name)),
            _ => {
                let expected = "UTF-8 without the character U+0000";
                let field = field("name", parts.uri.path(), expected);
                Err(field_problem(StatusCode::BAD_REQUEST, field).into())
            }
        }
    }
}

async fn id<S: Send + Sync, T: FromStr>(
    parts: &mut Parts,
    state: &S,
    expected: &str,
) -> Result<T, Error> {
    let text: Result<Path<String>, PathRejection> = Path::from_request_parts(parts, state).await;
    let text = text.map(|Path(text)| text).unwrap_or_default();
    let wrong = |_| field_problem(StatusCode::BAD_REQUEST, field("id", &text, expected));
    Ok(text.parse().map_err(wrong)?)
}
