//! Samples that have been set aside for long enough.

use std::time::Duration;

use sqlx::PgPool;

use super::words::interval;

/// Deletes the samples that are quarantined or rejected, and have been for as long as `keep`, but for those that a model which
/// stands was fitted to, and for shipped ones, which would be trusted when they are brought again; returns how many. What is
/// counted of all samples is counted anew, for which uploads wait. Their values on shards are swept.
pub(crate) async fn drop_old(pool: &PgPool, keep: Duration) -> sqlx::Result<u64> {
    let mut transaction = pool.begin().await?;
    sqlx::query!("SELECT set_config('statement_timeout', '1h', true)")
        .fetch_one(&mut *transaction)
        .await?;
    let some = sqlx::query_scalar!(
        r#"
        SELECT EXISTS (
            SELECT FROM standings JOIN samples ON samples.id = sample_id
            WHERE standing IN ('quarantined', 'rejected') AND since <= now() - $1::interval AND origin <> 'shipped'
        ) AS "some!"
        "#,
        interval(keep)
    )
    .fetch_one(&mut *transaction)
    .await?;
    // Uploads need not wait for nothing.
    if !some {
        return Ok(0);
    }
    // Counting anew takes it anyway, and who took it later would wait for those who wait for these samples.
    sqlx::query!("LOCK TABLE samples IN SHARE ROW EXCLUSIVE MODE")
        .execute(&mut *transaction)
        .await?;
    let old = sqlx::query_scalar!(
        r#"
        SELECT sample_id
        FROM standings JOIN samples ON samples.id = sample_id
        WHERE standing IN ('quarantined', 'rejected') AND since <= now() - $1::interval AND origin <> 'shipped'
            AND sample_id NOT IN (
                SELECT unnest(
                    sample_ids || coalesce(counted_on_sample_ids, '{}') || coalesce(global_sample_ids, '{}')
                )
                FROM models WHERE NOT superseded
            )
        -- An admin who accepts one at this moment comes first, or too late.
        FOR UPDATE OF standings
        "#,
        interval(keep)
    )
    .fetch_all(&mut *transaction)
    .await?;
    if old.is_empty() {
        return Ok(0);
    }
    // Shards were swept when these had come.
    sqlx::query!(
        "
        UPDATE shards SET swept_until = least(
            swept_until, (SELECT min(received_at) FROM samples WHERE id = ANY ($1)) - interval '1 day'
        )
        ",
        &old
    )
    .execute(&mut *transaction)
    .await?;
    let dropped = sqlx::query!("DELETE FROM samples WHERE id = ANY ($1)", &old)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(dropped.rows_affected())
}
