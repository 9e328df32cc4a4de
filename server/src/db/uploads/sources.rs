//! Kernels' sources, by their hash.

use std::collections::BTreeMap;

use kerncast_wire::{KernelAnalysis, KernelSource};
use sqlx::{PgExecutor, PgPool, types::Json};

use crate::db::Result;

/// Keeps sources. Those of the same hash are the same, whose `token` ever brings them.
pub(crate) async fn store(
    executor: impl PgExecutor<'_>,
    hash: &str,
    source: &KernelSource,
    token: Option<i64>,
) -> Result<()> {
    let KernelSource { files } = source;
    sqlx::query!(
        "INSERT INTO sources (hash, files, token_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        hash,
        Json(files) as _,
        token,
    )
    .execute(executor)
    .await?;
    Ok(())
}

/// The sources of this hash, where they are known.
pub(crate) async fn get(pool: &PgPool, hash: &str) -> Result<Option<KernelSource>> {
    let row = sqlx::query!(
        r#"SELECT files AS "files: Json<BTreeMap<String, String>>" FROM sources WHERE hash = $1"#,
        hash
    )
    .fetch_optional(pool)
    .await?;
    Ok(row.map(|row| KernelSource { files: row.files.0 }))
}

/// Keeps an analysis, and says what is kept now: one that was there stays, unless this one `replaces` it. None where the
/// sources are not known.
pub(crate) async fn store_analysis(
    pool: &PgPool,
    hash: &str,
    analysis: &KernelAnalysis,
    token: i64,
    replaces: bool,
) -> Result<Option<KernelAnalysis>> {
    sqlx::query!(
        "INSERT INTO analyses (hash, analysis, token_id)
         SELECT hash, $2, $3 FROM sources WHERE hash = $1
         ON CONFLICT (hash) DO UPDATE
         SET analysis = excluded.analysis, token_id = excluded.token_id, received_at = now()
         WHERE $4",
        hash,
        Json(analysis) as _,
        token,
        replaces,
    )
    .execute(pool)
    .await?;
    self::analysis(pool, hash).await
}

/// The analysis of these sources, where there is one.
pub(crate) async fn analysis(pool: &PgPool, hash: &str) -> Result<Option<KernelAnalysis>> {
    let row = sqlx::query!(
        r#"SELECT analysis AS "analysis: Json<KernelAnalysis>" FROM analyses WHERE hash = $1"#,
        hash
    )
    .fetch_optional(pool)
    .await?;
    Ok(row.map(|row| row.analysis.0))
}
