//! What admins did, and when.

use std::collections::BTreeMap;

use kerncast_wire::{AuditAction, AuditEntry};
use serde_json::Value;
use sqlx::{PgExecutor, PgPool, types::Json};

use crate::db::{Result, from_word, to_word};

/// Who did what an entry tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The id of the token; absent: there was none.
    pub token: Option<i64>,
    /// What the token is called, or what there was in its place.
    pub name: String,
}

impl Actor {
    /// Whoever has the server's machine.
    #[must_use]
    pub fn command_line() -> Self {
        Self::without_token("command line")
    }

    pub(super) fn without_token(name: &str) -> Self {
        Self {
            token: None,
            name: name.to_owned(),
        }
    }
}

/// Adds a line, in the transaction of what it tells of.
pub(crate) async fn note(
    executor: impl PgExecutor<'_>,
    actor: &Actor,
    action: AuditAction,
    about: &Value,
    reason: Option<&str>,
    samples: Option<i64>,
) -> Result<()> {
    sqlx::query!(
        "
        INSERT INTO audit_log (token_id, actor, action, about, reason, samples)
        VALUES ($1, $2, $3, $4, $5, $6)
        ",
        actor.token,
        actor.name,
        to_word(action)?,
        about,
        reason,
        samples,
    )
    .execute(executor)
    .await?;
    Ok(())
}

/// At most `rows` lines with ids below `before`, newest first.
///
/// # Errors
/// Where the database fails.
pub async fn list(pool: &PgPool, before: Option<i64>, rows: i64) -> Result<Vec<AuditEntry>> {
    let rows = sqlx::query!(
        r#"
        SELECT id, at, token_id, actor, action, about AS "about: Json<BTreeMap<String, Value>>", reason, samples
        FROM audit_log
        WHERE $1::bigint IS NULL OR id < $1
        ORDER BY id DESC
        LIMIT $2
        "#,
        before,
        rows
    )
    .fetch_all(pool)
    .await?;
    rows.into_iter()
        .map(|row| {
            let Json(about) = row.about;
            Ok(AuditEntry {
                id: row.id,
                at: row.at,
                token: row.token_id,
                actor: row.actor,
                action: from_word(row.action)?,
                about,
                reason: row.reason,
                samples: row.samples,
            })
        })
        .collect()
}
