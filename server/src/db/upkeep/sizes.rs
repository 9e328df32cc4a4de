//! How large the database is.

use sqlx::PgPool;

/// Bytes on the disk.
pub(crate) async fn database(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT pg_database_size(current_database()) AS "bytes!""#)
        .fetch_one(pool)
        .await
}
