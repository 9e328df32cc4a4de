//! What only admins decide: which samples count, which models answer; and the log of it.

use axum::{Json, extract::State};
use kerncast_wire::{AuditEntry, Decided, ModelDetail, NewAcceptance, NewDecision, Page};

use super::models::detail;
use crate::{
    App,
    access::AuthorizedBy,
    db, fitting,
    http::{Error, Id, Paging, Query, extract, parse_cursor, refuse_wrong_fields, unprocessable},
    uploads::decisions::{check_decision, check_reason},
};

/// Decide which samples count.
///
/// Nothing is deleted: what is rejected stays stored and listed. Restoring leaves no decision, not the one before the
/// last: what the gate had found sound is sound again, all else it judges anew. Fits of what it changes follow by
/// themselves.
#[utoipa::path(
    post, path = "/v1/decisions", tag = "access", request_body = NewDecision,
    responses((status = 200, description = "What it has changed, or would", body = Decided))
)]
pub(super) async fn decide(
    State(app): State<App>,
    AuthorizedBy(bearer): AuthorizedBy,
    extract::Json(new, _memory): extract::Json<NewDecision>,
) -> Result<Json<Decided>, Error> {
    refuse_wrong_fields(check_decision(&new))?;
    match db::uploads::decisions::decide(&app.pool, &new, &bearer.actor()).await? {
        Ok(decided) => Ok(Json(decided)),
        Err(unknown) => {
            let pointer = format!("/samples/{}", unknown.field);
            Err(unprocessable(pointer, unknown.value, unknown.expected).into())
        }
    }
}

/// Let a model answer that is held.
///
/// With it all that is held of the same question: what was fitted to the same samples.
#[utoipa::path(
    post, path = "/v1/models/{id}/acceptance", tag = "access", request_body = NewAcceptance,
    params(("id" = Uuid, Path, description = "The model's id")),
    responses((status = 200, description = "The model, which now may answer", body = ModelDetail),
        (status = 404, description = "There is no such model"),
        (status = 409, description = "It is not held")
    )
)]
pub(super) async fn accept_model(
    State(app): State<App>,
    Id(id): Id,
    AuthorizedBy(bearer): AuthorizedBy,
    extract::Json(NewAcceptance { reason }, _memory): extract::Json<NewAcceptance>,
) -> Result<Json<ModelDetail>, Error> {
    refuse_wrong_fields(check_reason(&reason))?;
    // It is there, or this fails.
    detail(&app, id).await?;
    fitting::accept(&app.pool, id, &reason, &bearer.actor()).await?;
    Ok(Json(detail(&app, id).await?))
}

/// What admins did, newest first.
#[utoipa::path(
    get, path = "/v1/audit", tag = "access", params(Paging),
    responses((status = 200, description = "One page", body = Page<AuditEntry>))
)]
pub(super) async fn list_audit(
    State(app): State<App>,
    Query(Paging { cursor, limit }): Query<Paging>,
) -> Result<Json<Page<AuditEntry>>, Error> {
    let before = parse_cursor(cursor.as_deref())?;
    let entries = db::access::audit::list(&app.pool, before, limit.rows()).await?;
    Ok(Json(limit.page(entries, |entry| entry.id.to_string())))
}
