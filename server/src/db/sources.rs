//! Kernels' sources, by their hash.

use std::collections::BTreeMap;

use kerncast_wire::KernelSource;
use sqlx::{PgPool, types::Json};

/// Keeps sources. Those of the same hash are the same, whose `token` ever brings them.
pub(crate) async fn store(
    pool: &PgPool,
    hash: &str,
    source: &KernelSource,
    token: i64,
) -> sqlx::Result<()> {
    let KernelSource { files } = source;
    sqlx::query!(
        "INSERT INTO sources (hash, files, token_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        hash,
        Json(files) as _,
        token,
    )
    .execute(pool)
    .await
    .map(|_| ())
}

/// The sources of this hash, where they are known.
pub(crate) async fn get(pool: &PgPool, hash: &str) -> sqlx::Result<Option<KernelSource>> {
    let row = sqlx::query!(
        r#"SELECT files AS "files: Json<BTreeMap<String, String>>" FROM sources WHERE hash = $1"#,
        hash
    )
    .fetch_optional(pool)
    .await?;
    Ok(row.map(|row| KernelSource { files: row.files.0 }))
}
