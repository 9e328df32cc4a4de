//! Kernels' sources, by their hash.

use std::collections::BTreeMap;

use kerncast_wire::{KernelAnalysis, KernelSource, Localized};
use sqlx::{PgExecutor, PgPool, types::Json};

/// Keeps sources. Those of the same hash are the same, whose `token` ever brings them.
pub(crate) async fn store(
    executor: impl PgExecutor<'_>,
    hash: &str,
    source: &KernelSource,
    token: Option<i64>,
) -> sqlx::Result<()> {
    let KernelSource { files } = source;
    sqlx::query!(
        "INSERT INTO sources (hash, files, token_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        hash,
        Json(files) as _,
        token,
    )
    .execute(executor)
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

/// Keeps an analysis, and says what is kept now: of each part one that was there stays, unless this one `replaces` it, and
/// what is not sent stays anyway. None where the sources are not known.
pub(crate) async fn store_analysis(
    pool: &PgPool,
    hash: &str,
    analysis: &KernelAnalysis,
    token: i64,
    replaces: bool,
) -> sqlx::Result<Option<KernelAnalysis>> {
    let mut accesses = analysis.clone();
    let localized = accesses.localized.take().map(Json);
    sqlx::query!(
        "INSERT INTO analyses (hash, part, analysis, token_id)
         SELECT hash, part, sent, $4
         FROM sources, (VALUES ('accesses', $2::jsonb), ('localized', $3::jsonb)) AS parts (part, sent)
         WHERE hash = $1 AND sent IS NOT NULL
         ON CONFLICT (hash, part) DO UPDATE
         SET analysis = excluded.analysis, token_id = excluded.token_id, received_at = now()
         WHERE $5",
        hash,
        Json(accesses) as _,
        localized as _,
        token,
        replaces,
    )
    .execute(pool)
    .await?;
    self::analysis(pool, hash).await
}

/// The analysis of these sources, where there is one.
pub(crate) async fn analysis(pool: &PgPool, hash: &str) -> sqlx::Result<Option<KernelAnalysis>> {
    let row = sqlx::query!(
        r#"SELECT accesses.analysis AS "analysis: Json<KernelAnalysis>", localized.analysis AS "localized?: Json<Localized>"
        FROM analyses AS accesses
        LEFT JOIN analyses AS localized ON localized.hash = accesses.hash AND localized.part = 'localized'
        WHERE accesses.hash = $1 AND accesses.part = 'accesses'"#,
        hash
    )
    .fetch_optional(pool)
    .await?;
    Ok(row.map(|row| KernelAnalysis {
        localized: row.localized.map(|it| it.0),
        ..row.analysis.0
    }))
}
