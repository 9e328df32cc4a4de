//! Raw repetitions that have been kept for long enough.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use super::words::interval;

/// A day's samples.
pub(crate) struct Slice {
    /// How many of them had more than are left.
    pub(crate) samples: u64,
    /// Whether nothing older is left.
    pub(crate) last: bool,
}

/// Thins out the repetitions of samples that came before some time: at most those of one more day, in a transaction of
/// its own.
///
/// A transaction that began before it may bring samples with an earlier time; it takes no hour. Those that are on shards
/// are nobody's from then on, and are deleted there later ([`super::sharding::sweep`]).
pub(crate) async fn thin_out(pool: &PgPool, keep: Duration) -> sqlx::Result<Slice> {
    let mut transaction = pool.begin().await?;
    // The first one that comes; all others wait for it here.
    sqlx::query!(
        "
        INSERT INTO thinned_out (until)
        SELECT min(received_at) FROM samples WHERE NOT EXISTS (SELECT FROM thinned_out) HAVING count(*) > 0
        ON CONFLICT DO NOTHING
        "
    )
    .execute(&mut *transaction)
    .await?;
    let slice = sqlx::query!(
        r#"
        SELECT
            until - interval '1 hour' AS "since!", least(until + interval '1 day', now() - $1::interval) AS "until!",
            until + interval '1 day' >= now() - $1::interval AS "last!"
        FROM thinned_out
        FOR UPDATE
        "#,
        interval(keep)
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(slice) = slice else {
        return Ok(Slice {
            samples: 0,
            last: true,
        });
    };
    let thinned = sqlx::query!(
        "
        UPDATE samples SET
            repetitions_were = coalesce(repetitions_were, cardinality(repetitions)),
            repetitions = warm_of(repetitions, min_s, median_s),
            cold_repetitions = cold_of(cold_repetitions), cold_were = NULL, shard = NULL
        WHERE received_at >= $1 AND received_at <= $2
            AND (shard IS NOT NULL OR repetitions_were IS NULL AND cardinality(repetitions) > 3)
        ",
        slice.since,
        slice.until
    )
    .execute(&mut *transaction)
    .await?;
    sqlx::query!(
        "UPDATE thinned_out SET until = greatest(until, $1)",
        slice.until
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(Slice {
        samples: thinned.rows_affected(),
        last: slice.last,
    })
}

/// Until when (the samples' `received_at`) repetitions were thinned out; none where none ever were.
pub(crate) async fn thinned_until(pool: &PgPool) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar!("SELECT until FROM thinned_out")
        .fetch_optional(pool)
        .await
}
