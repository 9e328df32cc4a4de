//! Tokens, by their hashes.

use chrono::{DateTime, Utc};
use kerncast_wire::{AuditAction, NewToken, TokenRole, TokenSummary};
use serde_json::json;
use sqlx::{PgConnection, PgPool};

use super::audit::{self, Actor};
use crate::db::{Result, from_word, to_word};

/// SHA-256 of a token: all that the database knows of it. A token is 256 random bits, so that a slow
/// hash would protect it no better.
pub type Hash = [u8; 32];

/// Servers that start on one new database at once take turns, by this lock's number.
const FIRST_TOKEN_LOCK: i64 = 0x6b65_726e_6361_7374;

/// Makes an admin's token valid where there was never any; whether it did. Of servers that start at once,
/// one does.
///
/// # Errors
/// Where the database fails.
pub async fn add_first(pool: &PgPool, hash: &Hash) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    sqlx::query!("SELECT pg_advisory_xact_lock($1)", FIRST_TOKEN_LOCK)
        .execute(&mut *transaction)
        .await?;
    let is_first = sqlx::query_scalar!(r#"SELECT NOT EXISTS (SELECT FROM tokens) AS "first!""#)
        .fetch_one(&mut *transaction)
        .await?;
    if is_first {
        let admin = NewToken {
            name: Some("made at the first start".to_owned()),
            role: TokenRole::Admin,
            agent: None,
        };
        let actor = Actor::without_token("first start");
        insert(&mut transaction, hash, &admin, &actor).await?;
        transaction.commit().await?;
    }
    Ok(is_first)
}

struct Row {
    id: i64,
    name: String,
    role: String,
    agent: Option<String>,
    created_at: DateTime<Utc>,
    last_used_at: Option<DateTime<Utc>>,
    revoked_at: Option<DateTime<Utc>>,
}

impl Row {
    fn summary(self) -> Result<TokenSummary> {
        Ok(TokenSummary {
            id: self.id,
            name: self.name,
            role: from_word(self.role)?,
            agent: self.agent,
            created_at: self.created_at,
            last_used_at: self.last_used_at,
            revoked_at: self.revoked_at,
        })
    }
}

/// Makes a token valid whose description is in order ([`crate::access::check_token`]).
///
/// # Errors
/// Where the database fails.
pub async fn add(
    pool: &PgPool,
    hash: &Hash,
    new: &NewToken,
    actor: &Actor,
) -> Result<TokenSummary> {
    let mut transaction = pool.begin().await?;
    let token = insert(&mut transaction, hash, new, actor).await?;
    transaction.commit().await?;
    Ok(token)
}

/// Stores a token, with a line of the audit log.
async fn insert(
    connection: &mut PgConnection,
    hash: &Hash,
    new: &NewToken,
    actor: &Actor,
) -> Result<TokenSummary> {
    let role = to_word(new.role)?;
    let name = new.name.as_ref().or(new.agent.as_ref()).unwrap_or(&role);
    let token = sqlx::query_as!(
        Row,
        "
        INSERT INTO tokens (hash, name, role, agent)
        VALUES ($1, $2, $3, $4)
        RETURNING id, name, role, agent, created_at, last_used_at, revoked_at
        ",
        hash.as_slice(),
        name,
        role,
        new.agent.as_deref()
    )
    .fetch_one(&mut *connection)
    .await?
    .summary()?;
    note(connection, actor, AuditAction::MakeToken, &token).await?;
    Ok(token)
}

/// Adds what became of a token to the audit log.
async fn note(
    connection: &mut PgConnection,
    actor: &Actor,
    action: AuditAction,
    token: &TokenSummary,
) -> Result<()> {
    let about = json!({
        "token": token.id, "name": token.name, "role": token.role,
        "agent": token.agent,
    });
    audit::note(connection, actor, action, &about, None, None).await
}

/// The token of this hash, unless it was revoked.
///
/// # Errors
/// Where the database fails.
pub async fn find(pool: &PgPool, hash: &Hash) -> Result<Option<TokenSummary>> {
    sqlx::query_as!(
        Row,
        "
        SELECT id, name, role, agent, created_at, last_used_at, revoked_at
        FROM tokens
        WHERE hash = $1 AND revoked_at IS NULL
        ",
        hash.as_slice()
    )
    .fetch_optional(pool)
    .await?
    .map(Row::summary)
    .transpose()
}

/// Notes that a token was used, at most once a minute.
pub(crate) async fn note_use(pool: &PgPool, id: i64) -> Result<()> {
    sqlx::query!(
        "
        UPDATE tokens SET last_used_at = now()
        WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
        ",
        id
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// At most `rows` tokens with ids below `before`, newest first, also those that were revoked.
///
/// # Errors
/// Where the database fails.
pub async fn list(pool: &PgPool, before: Option<i64>, rows: i64) -> Result<Vec<TokenSummary>> {
    sqlx::query_as!(
        Row,
        "
        SELECT id, name, role, agent, created_at, last_used_at, revoked_at
        FROM tokens
        WHERE $1::bigint IS NULL OR id < $1
        ORDER BY id DESC
        LIMIT $2
        ",
        before,
        rows
    )
    .fetch_all(pool)
    .await?
    .into_iter()
    .map(Row::summary)
    .collect()
}

/// Revokes a token, for good; None where there is none of this id. Again is as good as once.
///
/// # Errors
/// Where the database fails.
pub async fn revoke(pool: &PgPool, id: i64, actor: &Actor) -> Result<Option<TokenSummary>> {
    let mut transaction = pool.begin().await?;
    let revoked = sqlx::query_as!(
        Row,
        "
        UPDATE tokens SET revoked_at = now()
        WHERE id = $1 AND revoked_at IS NULL
        RETURNING id, name, role, agent, created_at, last_used_at, revoked_at
        ",
        id
    )
    .fetch_optional(&mut *transaction)
    .await?
    .map(Row::summary)
    .transpose()?;
    let Some(token) = revoked else {
        return get(pool, id).await;
    };
    note(&mut transaction, actor, AuditAction::RevokeToken, &token).await?;
    transaction.commit().await?;
    Ok(Some(token))
}

/// A token, revoked or not.
async fn get(pool: &PgPool, id: i64) -> Result<Option<TokenSummary>> {
    sqlx::query_as!(
        Row,
        "
        SELECT id, name, role, agent, created_at, last_used_at, revoked_at
        FROM tokens
        WHERE id = $1
        ",
        id
    )
    .fetch_optional(pool)
    .await?
    .map(Row::summary)
    .transpose()
}
