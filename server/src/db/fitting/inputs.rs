//! What the last fits were made from, so that fits that would change nothing are not made.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use super::fit_key::FitKey;
use crate::db::Result;

/// Whether the last fits of `key` were made from this input, and the models still are what they left.
pub(crate) async fn are_fitted(
    connection: &mut PgConnection,
    key: &FitKey,
    input: &[u8; 32],
) -> Result<bool> {
    let Some(models) = models(connection, key).await? else {
        return Ok(false);
    };
    Ok(sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM fitted_inputs
            WHERE device_id = $1 AND counted_on_device_id IS NOT DISTINCT FROM $2 AND provider = $3
                AND input = $4 AND models = $5
        ) AS "fitted!"
        "#,
        key.device,
        key.counted_on,
        key.provider,
        input.as_slice(),
        models.as_slice()
    )
    .fetch_one(connection)
    .await?)
}

/// Notes what the fits of `key` were made from, in the transaction that stores them.
pub(crate) async fn store(
    connection: &mut PgConnection,
    key: &FitKey,
    input: &[u8; 32],
) -> Result<()> {
    let Some(models) = models(connection, key).await? else {
        sqlx::query!(
            "
            DELETE FROM fitted_inputs
            WHERE device_id = $1 AND counted_on_device_id IS NOT DISTINCT FROM $2 AND provider = $3
            ",
            key.device,
            key.counted_on,
            key.provider
        )
        .execute(connection)
        .await?;
        return Ok(());
    };
    sqlx::query!(
        "
        INSERT INTO fitted_inputs (device_id, counted_on_device_id, provider, input, models)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (device_id, coalesce(counted_on_device_id, 0), provider)
        DO UPDATE SET input = excluded.input, models = excluded.models
        ",
        key.device,
        key.counted_on,
        key.provider,
        input.as_slice(),
        models.as_slice()
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// SHA-256 of the current models: ids, ranks, fingerprints, versions of the code. None while some are held: what becomes of
/// those depends on what an admin has rejected since, also of samples that no fit would take any more.
async fn models(connection: &mut PgConnection, key: &FitKey) -> Result<Option<[u8; 32]>> {
    let rows = sqlx::query!(
        r#"
        SELECT id, rank, fingerprint, code_version, held IS NOT NULL AS "is_held!"
        FROM models
        WHERE device_id = $1 AND counted_on_device_id IS NOT DISTINCT FROM $2 AND provider = $3 AND NOT superseded
        ORDER BY id
        "#,
        key.device,
        key.counted_on,
        key.provider
    )
    .fetch_all(connection)
    .await?;
    if rows.iter().any(|row| row.is_held) {
        return Ok(None);
    }
    let mut hash = Sha256::new();
    for row in rows {
        hash.update(row.id);
        hash.update(row.rank.unwrap_or(0).to_be_bytes());
        hash.update(row.fingerprint);
        hash.update(row.code_version);
    }
    Ok(Some(hash.finalize().into()))
}
