//! How large the database is.

use sqlx::PgPool;

/// Bytes on the disk.
pub(crate) async fn database(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT pg_database_size(current_database()) AS "bytes!""#)
        .fetch_one(pool)
        .await
}

/// Notes how large it is today.
pub(crate) async fn note(pool: &PgPool) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO database_sizes (day, bytes)
        VALUES ((now() AT TIME ZONE 'utc')::date, pg_database_size(current_database()))
        ON CONFLICT (day) DO UPDATE SET bytes = excluded.bytes
        "
    )
    .execute(pool)
    .await
    .map(|_| ())
}

/// By how many bytes a day it has grown in the last 30 days, by least squares, and how many days are known of these.
pub(crate) async fn growth(pool: &PgPool) -> sqlx::Result<Option<(f64, i32)>> {
    let row = sqlx::query!(
        r#"
        SELECT regr_slope(bytes, day - DATE '2000-01-01') AS per_day, max(day) - min(day) AS days
        FROM database_sizes
        WHERE day > (now() AT TIME ZONE 'utc')::date - 30
        "#
    )
    .fetch_one(pool)
    .await?;
    Ok(row.per_day.zip(row.days))
}
