//! Kernels that are offered to agents.

use kerncast_wire::{AuditAction, KernelSource, OfferedKernel};
use serde_json::json;
use sqlx::PgPool;

use super::{
    audit::{self, Actor},
    sources,
};

/// All of them, by name.
///
/// # Errors
/// Where the database fails.
pub async fn list(pool: &PgPool) -> sqlx::Result<Vec<OfferedKernel>> {
    sqlx::query_as!(
        OfferedKernel,
        r#"SELECT name, source_hash, offered_at FROM offered_kernels ORDER BY name COLLATE "C""#
    )
    .fetch_all(pool)
    .await
}

/// Offers a kernel that is in order ([`crate::check_offer`]), in place of its version before. Offering the same again
/// changes nothing.
///
/// # Errors
/// Where the database fails.
pub async fn offer(
    pool: &PgPool,
    name: &str,
    hash: &str,
    source: &KernelSource,
    actor: &Actor,
) -> sqlx::Result<OfferedKernel> {
    let mut transaction = pool.begin().await?;
    sources::store(&mut *transaction, hash, source, actor.token).await?;
    let changed = sqlx::query!(
        "
        INSERT INTO offered_kernels (name, source_hash) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET source_hash = excluded.source_hash, offered_at = now()
        WHERE offered_kernels.source_hash <> excluded.source_hash
        ",
        name,
        hash
    )
    .execute(&mut *transaction)
    .await?;
    if changed.rows_affected() > 0 {
        let about = json!({ "kernel": name, "source_hash": hash });
        let action = AuditAction::OfferKernel;
        audit::note(&mut *transaction, actor, action, &about, None, None).await?;
    }
    let offered = sqlx::query_as!(
        OfferedKernel,
        "SELECT name, source_hash, offered_at FROM offered_kernels WHERE name = $1",
        name
    )
    .fetch_one(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(offered)
}

/// Offers a kernel no more; None where it was not.
///
/// # Errors
/// Where the database fails.
pub async fn withdraw(
    pool: &PgPool,
    name: &str,
    actor: &Actor,
) -> sqlx::Result<Option<OfferedKernel>> {
    let mut transaction = pool.begin().await?;
    let withdrawn = sqlx::query_as!(
        OfferedKernel,
        "DELETE FROM offered_kernels WHERE name = $1 RETURNING name, source_hash, offered_at",
        name
    )
    .fetch_optional(&mut *transaction)
    .await?;
    if let Some(kernel) = &withdrawn {
        let about = json!({ "kernel": kernel.name, "source_hash": kernel.source_hash });
        let action = AuditAction::WithdrawKernel;
        audit::note(&mut *transaction, actor, action, &about, None, None).await?;
    }
    transaction.commit().await?;
    Ok(withdrawn)
}
