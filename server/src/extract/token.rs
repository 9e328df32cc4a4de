use axum::{
    extract::FromRequestParts,
    http::{StatusCode, header, request::Parts},
};

use crate::{App, db, error::Error, problem::problem, token};

/// Proof that the request bears an upload token.
pub(crate) struct Uploader;

impl FromRequestParts<App> for Uploader {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let header = parts
            .headers
            .get(header::AUTHORIZATION)
            .and_then(|it| it.to_str().ok());
        let Some((scheme, token)) = header.and_then(|header| header.split_once(' ')) else {
            return Err(unauthorized(
                "this needs a token: Authorization: Bearer TOKEN",
            ));
        };
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(unauthorized(
                "this needs another scheme: Authorization: Bearer TOKEN",
            ));
        }
        let hash = token::hash(token.trim());
        // Tokens never lose their right, so that a batch needs no round trip for a known one.
        if app.tokens.read().await.contains(&hash) {
            return Ok(Self);
        }
        if !db::tokens::knows(&app.pool, &hash).await? {
            return Err(unauthorized("the server does not know this token"));
        }
        app.tokens.write().await.insert(hash);
        Ok(Self)
    }
}

fn unauthorized(what: &str) -> Error {
    let how = "The server wrote one into the file `token` of its data folder, and says where at its start";
    problem(StatusCode::UNAUTHORIZED, format!("{what}. {how}")).into()
}
