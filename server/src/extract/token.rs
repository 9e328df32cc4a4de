use axum::{
    extract::{FromRequest, Request},
    http::{HeaderMap, StatusCode, header},
};

use super::body::{Trusted, discard};

use crate::{App, db, error::Error, problem::problem, token};

/// A body from one who bears an upload token.
pub(crate) struct Uploaded<T>(pub(crate) T);

impl<T: FromRequest<App, Rejection = Error>> FromRequest<App> for Uploaded<T> {
    type Rejection = Error;

    async fn from_request(mut request: Request, app: &App) -> Result<Self, Error> {
        if let Err(refusal) = authorise(request.headers(), app).await {
            discard(request).await;
            return Err(refusal);
        }
        request.extensions_mut().insert(Trusted);
        T::from_request(request, app).await.map(Self)
    }
}

async fn authorise(headers: &HeaderMap, app: &App) -> Result<(), Error> {
    let header = headers
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
        return Ok(());
    }
    if !db::tokens::knows(&app.pool, &hash).await? {
        return Err(unauthorized("the server does not know this token"));
    }
    app.tokens.write().await.insert(hash);
    Ok(())
}

fn unauthorized(what: &str) -> Error {
    let how = "The server wrote one into the file `token` of its data folder, and says where at its start";
    problem(StatusCode::UNAUTHORIZED, format!("{what}. {how}")).into()
}
