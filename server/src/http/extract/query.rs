use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
};
use serde::de::DeserializeOwned;

use super::serde_messages::{in_words, named_field};
use crate::http::{Error, field, field_problem};

/// The query parameters as `T`.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let pairs = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let bad = |field| Error::from(field_problem(StatusCode::BAD_REQUEST, field));
        // Postgres's text has no such character.
        if let Some((name, value)) = pairs.into_iter().find(|(_, value)| value.contains('\0')) {
            let expected = "text without the character U+0000";
            return Err(bad(field(name, format!("{value:?}"), expected)));
        }
        let deserializer = serde_urlencoded::Deserializer::new(pairs);
        let parsed = serde_path_to_error::deserialize(deserializer);
        parsed.map(Self).map_err(|error| {
            let message = error.inner().to_string();
            if let Some((name, expected)) = named_field(&message) {
                return bad(field(name, "", expected));
            }
            let name = error.path().to_string();
            let value = pairs.into_iter().find(|(it, _)| *it == name);
            let value = value.map(|(_, value)| value).unwrap_or_default();
            bad(field(name, value, in_words(&message)))
        })
    }
}
