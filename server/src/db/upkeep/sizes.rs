//! How large the database is.

use sqlx::PgPool;

use crate::db::Result;

/// Bytes on the disk.
pub(crate) async fn database(pool: &PgPool) -> Result<i64> {
    Ok(
        sqlx::query_scalar!(r#"SELECT pg_database_size(current_database()) AS "bytes!""#)
            .fetch_one(pool)
            .await?,
    )
}
