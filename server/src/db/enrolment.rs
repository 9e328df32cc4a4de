//! Enrolment codes that nobody has used yet, by their hashes.

use kerncast_wire::{EnrolmentCodeSummary, NewEnrolmentCode, TokenSummary};
use sqlx::PgPool;

use super::tokens::Row;
use crate::token::Hash;

/// Makes a code good whose description is in order ([`crate::access::check_code`]).
///
/// # Errors
/// Where the database fails.
pub async fn add(
    pool: &PgPool,
    hash: &Hash,
    new: &NewEnrolmentCode,
) -> sqlx::Result<EnrolmentCodeSummary> {
    let NewEnrolmentCode {
        name,
        agent,
        devices,
        valid_hours,
    } = new;
    sqlx::query_as!(
        EnrolmentCodeSummary,
        "
        WITH expired AS (DELETE FROM enrolment_codes WHERE expires_at < now())
        INSERT INTO enrolment_codes (hash, name, agent, devices, expires_at)
        VALUES ($1, $2, $3, $4, now() + $5 * interval '1 hour')
        RETURNING id, name, agent, devices, created_at, expires_at
        ",
        hash.as_slice(),
        name.as_ref().unwrap_or(agent),
        agent,
        devices,
        f64::from(*valid_hours)
    )
    .fetch_one(pool)
    .await
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

/// Withdraws a code; None where there is none of this id.
pub(crate) async fn withdraw(pool: &PgPool, id: i64) -> sqlx::Result<Option<EnrolmentCodeSummary>> {
    sqlx::query_as!(
        EnrolmentCodeSummary,
        "
        DELETE FROM enrolment_codes
        WHERE id = $1
        RETURNING id, name, agent, devices, created_at, expires_at
        ",
        id
    )
    .fetch_optional(pool)
    .await
}

/// Takes a code and makes the token valid that it promised; None where it is no good (any more). Of two that
/// come at once, one gets it.
pub(crate) async fn exchange(
    pool: &PgPool,
    code: &Hash,
    token: &Hash,
) -> sqlx::Result<Option<TokenSummary>> {
    sqlx::query_as!(
        Row,
        "
        WITH code AS (
            DELETE FROM enrolment_codes WHERE hash = $1 AND expires_at > now() RETURNING name, agent, devices
        )
        INSERT INTO tokens (hash, name, role, agent, devices)
        SELECT $2, name, 'agent', agent, devices FROM code
        RETURNING id, name, role, agent, devices, created_at, last_used_at, revoked_at
        ",
        code.as_slice(),
        token.as_slice()
    )
    .fetch_optional(pool)
    .await?
    .map(Row::summary)
    .transpose()
}
