//! Upload tokens, by their hashes.

use sqlx::PgPool;

use crate::token::Hash;

/// Whether there is any token yet.
///
/// # Errors
/// Where the database fails.
pub async fn any(pool: &PgPool) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM tokens) AS "any!""#)
        .fetch_one(pool)
        .await
}

/// Makes a token valid, for good.
///
/// # Errors
/// Where the database fails.
pub async fn add(pool: &PgPool, hash: &Hash) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO tokens (hash) VALUES ($1) ON CONFLICT DO NOTHING",
        hash.as_slice()
    )
    .execute(pool)
    .await
    .map(|_| ())
}

/// Whether a token is valid.
///
/// # Errors
/// Where the database fails.
pub async fn knows(pool: &PgPool, hash: &Hash) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM tokens WHERE hash = $1) AS "known!""#,
        hash.as_slice()
    )
    .fetch_one(pool)
    .await
}
