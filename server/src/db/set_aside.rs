//! Samples that have been set aside for long enough.

use std::time::Duration;

use sqlx::PgPool;

use super::words::interval;

/// Deletes the samples that are quarantined or rejected, and have been for as long as `keep`, but for those that a model which
/// stands was fitted to; returns how many. What is counted of all samples is counted anew, for which uploads wait.
pub(crate) async fn drop_old(pool: &PgPool, keep: Duration) -> sqlx::Result<u64> {
    let old = sqlx::query_scalar!(
        r#"
        SELECT sample_id
        FROM standings
        WHERE standing IN ('quarantined', 'rejected') AND since <= now() - $1::interval
            AND EXISTS (SELECT FROM samples WHERE id = sample_id)
        EXCEPT
        SELECT unnest(sample_ids) FROM models WHERE NOT superseded
        "#,
        interval(keep)
    )
    .fetch_all(pool)
    .await?;
    // To count anew takes long, so it is not done for nothing.
    if old.is_empty() {
        return Ok(0);
    }
    let mut transaction = pool.begin().await?;
    sqlx::query!("SELECT set_config('statement_timeout', '1h', true)")
        .fetch_one(&mut *transaction)
        .await?;
    // What an admin has accepted meanwhile stays.
    let dropped = sqlx::query!(
        "
        DELETE FROM samples USING standings
        WHERE sample_id = id AND standing IN ('quarantined', 'rejected') AND since <= now() - $2::interval
            AND id = ANY ($1)
        ",
        &old as _,
        interval(keep)
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(dropped.rows_affected())
}
