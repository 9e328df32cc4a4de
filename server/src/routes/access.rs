//! Tokens: who may do what, and until when.

use axum::{Json, extract::State, http::StatusCode};
use kerncast_wire::{Access, MadeToken, NewToken, Page, TokenSummary};

use crate::{
    App,
    access::{AuthorizedBy, check_token, token},
    db,
    http::{Error, Number, Paging, Query, extract, not_found, parse_cursor, refuse_wrong_fields},
};

/// Who may read, and whose token came with the request.
#[utoipa::path(
    get, path = "/v1/access", tag = "access",
    responses((status = 200, description = "What whoever asks may do", body = Access),
        (status = 401, description = "The token that came is not valid"))
)]
pub(super) async fn get_access(State(app): State<App>, by: Option<AuthorizedBy>) -> Json<Access> {
    Json(Access {
        readers: app.access.readers,
        token: by.map(|AuthorizedBy(bearer)| bearer.token.clone()),
    })
}

/// Tokens, newest first, also those that were revoked.
#[utoipa::path(
    get, path = "/v1/tokens", tag = "access", params(Paging),
    responses((status = 200, description = "One page", body = Page<TokenSummary>))
)]
pub(super) async fn list_tokens(
    State(app): State<App>,
    Query(Paging { cursor, limit }): Query<Paging>,
) -> Result<Json<Page<TokenSummary>>, Error> {
    let before = parse_cursor(cursor.as_deref())?;
    let tokens = db::access::tokens::list(&app.pool, before, limit.rows()).await?;
    Ok(Json(limit.page(tokens, |token| token.id.to_string())))
}

/// Make a token.
///
/// The answer is the only place where it is ever shown.
#[utoipa::path(
    post, path = "/v1/tokens", tag = "access", request_body = NewToken,
    responses((status = 201, description = "Valid from now on", body = MadeToken))
)]
pub(super) async fn make_token(
    State(app): State<App>,
    AuthorizedBy(bearer): AuthorizedBy,
    extract::Json(new, _memory): extract::Json<NewToken>,
) -> Result<(StatusCode, Json<MadeToken>), Error> {
    refuse_wrong_fields(check_token(&new))?;
    let token = token::random()?;
    let summary =
        db::access::tokens::add(&app.pool, &token::hash(&token), &new, &bearer.actor()).await?;
    Ok((StatusCode::CREATED, Json(MadeToken { token, summary })))
}

/// Revoke a token.
///
/// No server takes it any more. What was uploaded by it stays.
#[utoipa::path(
    delete, path = "/v1/tokens/{id}", tag = "access",
    params(("id" = i64, Path, description = "The token's id")),
    responses((status = 200, description = "Revoked, now or before", body = TokenSummary),
        (status = 404, description = "There is no such token")
    )
)]
pub(super) async fn revoke_token(
    State(app): State<App>,
    AuthorizedBy(bearer): AuthorizedBy,
    Number(id): Number,
) -> Result<Json<TokenSummary>, Error> {
    let revoked = db::access::tokens::revoke(&app.pool, id, &bearer.actor()).await?;
    // The database tells this server too, but a moment later.
    app.access.tokens.clear();
    let missing = || not_found(format!("there is no token {id}"));
    Ok(Json(revoked.ok_or_else(missing)?))
}
