//! Enrolment codes that nobody has used yet, by their hashes.

use kerncast_wire::{AuditAction, EnrolmentCodeSummary, NewEnrolmentCode, TokenSummary};
use serde_json::{Value, json};
use sqlx::PgPool;

use super::{
    audit::{self, Actor},
    tokens::{self, Row},
};
use crate::token::Hash;

/// Makes a code good whose description is in order ([`crate::access::check_code`]).
///
/// # Errors
/// Where the database fails.
pub async fn add(
    pool: &PgPool,
    hash: &Hash,
    new: &NewEnrolmentCode,
    actor: &Actor,
) -> sqlx::Result<EnrolmentCodeSummary> {
    let mut transaction = pool.begin().await?;
    let code = sqlx::query_as!(
        EnrolmentCodeSummary,
        "
        WITH expired AS (DELETE FROM enrolment_codes WHERE expires_at < now())
        INSERT INTO enrolment_codes (hash, name, agent, devices, expires_at)
        VALUES ($1, $2, $3, $4, now() + $5 * interval '1 hour')
        RETURNING id, name, agent, devices, created_at, expires_at
        ",
        hash.as_slice(),
        new.name.as_ref().unwrap_or(&new.agent),
        &new.agent,
        &new.devices,
        f64::from(new.valid_hours)
    )
    .fetch_one(&mut *transaction)
    .await?;
    let action = AuditAction::MakeEnrolmentCode;
    audit::note(&mut *transaction, actor, action, &about(&code), None, None).await?;
    transaction.commit().await?;
    Ok(code)
}

/// What the audit log says of a code.
fn about(code: &EnrolmentCodeSummary) -> Value {
    json!({ "code": code.id, "name": code.name, "agent": code.agent, "devices": code.devices })
}

/// Every code that is good, newest first.
pub(crate) async fn list(pool: &PgPool) -> sqlx::Result<Vec<EnrolmentCodeSummary>> {
    sqlx::query_as!(
        EnrolmentCodeSummary,
        "
        SELECT id, name, agent, devices, created_at, expires_at
        FROM enrolment_codes
        WHERE expires_at > now()
        ORDER BY id DESC
        "
    )
    .fetch_all(pool)
    .await
}

/// Takes a code and makes the token valid that it promised; None where it is no good (any more). Of two that
/// come at once, one gets it.
pub(crate) async fn exchange(
    pool: &PgPool,
    code: &Hash,
    token: &Hash,
) -> sqlx::Result<Option<TokenSummary>> {
    let mut transaction = pool.begin().await?;
    let code = sqlx::query!(
        "
        DELETE FROM enrolment_codes WHERE hash = $1 AND expires_at > now()
        RETURNING id, name, agent, devices
        ",
        code.as_slice()
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(code) = code else { return Ok(None) };
    let made = sqlx::query_as!(
        Row,
        "
        INSERT INTO tokens (hash, name, role, agent, devices)
        VALUES ($1, $2, 'agent', $3, $4)
        RETURNING id, name, role, agent, devices, created_at, last_used_at, revoked_at
        ",
        token.as_slice(),
        code.name,
        code.agent,
        &code.devices
    )
    .fetch_one(&mut *transaction)
    .await?
    .summary()?;
    let by_code = Actor::without_token("enrolment code");
    let mut about = tokens::about(&made);
    about["code"] = json!(code.id);
    let action = AuditAction::Enrol;
    audit::note(&mut *transaction, &by_code, action, &about, None, None).await?;
    transaction.commit().await?;
    Ok(Some(made))
}
