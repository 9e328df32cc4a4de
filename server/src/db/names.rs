//! The dictionary of counters' names, and who brought them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use sqlx::PgConnection;
use uuid::Uuid;

use super::words::number;

/// Keeps other uses of advisory locks apart.
const NEW_NAMES: i64 = 0x6e61_6d65;

/// Names of counters, by provider.
pub(crate) type ByProvider = BTreeMap<String, BTreeSet<String>>;

/// How many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) all: usize,
    /// Of these, what one agent brought; of providers those whose names all are its.
    pub(crate) own: usize,
}

/// Until the transaction's end nobody else adds names.
pub(crate) async fn lock(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!(
        r#"SELECT pg_advisory_xact_lock($1) AS "locked!: ()""#,
        NEW_NAMES
    )
    .fetch_one(connection)
    .await
    .map(|_| ())
}

/// Those of `names` that are there.
pub(crate) async fn stored(
    connection: &mut PgConnection,
    names: &ByProvider,
) -> sqlx::Result<ByProvider> {
    let (providers, names) = columns(names);
    let rows = sqlx::query!(
        r#"
        SELECT provider AS "provider!", name AS "name!" FROM counters
        WHERE (provider, name) IN (SELECT * FROM unnest($1::text[], $2::text[]))
        "#,
        &providers,
        &names
    )
    .fetch_all(connection)
    .await?;
    let mut stored = ByProvider::new();
    for row in rows {
        stored.entry(row.provider).or_default().insert(row.name);
    }
    Ok(stored)
}

/// How many names each of these providers has that has any.
pub(crate) async fn count(
    connection: &mut PgConnection,
    providers: &[String],
    agent: Option<&str>,
) -> sqlx::Result<BTreeMap<String, Count>> {
    let rows = sqlx::query!(
        r#"
        SELECT provider, count(*) AS "all!", count(*) FILTER (WHERE agent = $2) AS "own!"
        FROM counters WHERE provider = ANY ($1)
        GROUP BY provider
        "#,
        providers,
        agent
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|row| {
            let (all, own) = (number(row.all)?, number(row.own)?);
            Ok((row.provider, Count { all, own }))
        })
        .collect()
}

/// How many providers there are.
pub(crate) async fn count_providers(
    connection: &mut PgConnection,
    agent: Option<&str>,
) -> sqlx::Result<Count> {
    let row = sqlx::query!(
        r#"
        SELECT count(*) AS "all!", count(*) FILTER (WHERE own) AS "own!"
        FROM (
            SELECT bool_and(agent IS NOT NULL AND agent = $1) AS own FROM counters GROUP BY provider
        ) AS providers
        "#,
        agent
    )
    .fetch_one(connection)
    .await?;
    Ok(Count {
        all: number(row.all)?,
        own: number(row.own)?,
    })
}

/// Adds names that are not there.
pub(crate) async fn add(
    connection: &mut PgConnection,
    names: &ByProvider,
    agent: Option<&str>,
) -> sqlx::Result<()> {
    let (providers, names) = columns(names);
    sqlx::query!(
        "
        INSERT INTO counters (provider, name, agent)
        SELECT provider, name, $3 FROM unnest($1::text[], $2::text[]) AS new (provider, name)
        ORDER BY provider, name
        ON CONFLICT DO NOTHING
        ",
        &providers,
        &names,
        agent
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Those of `ids` that samples have.
pub(crate) async fn of_samples(
    connection: &mut PgConnection,
    ids: &[Uuid],
) -> sqlx::Result<HashSet<Uuid>> {
    let ids = sqlx::query_scalar!("SELECT id FROM samples WHERE id = ANY ($1)", ids);
    Ok(ids.fetch_all(connection).await?.into_iter().collect())
}

fn columns(names: &ByProvider) -> (Vec<String>, Vec<String>) {
    let pairs = names
        .iter()
        .flat_map(|(provider, names)| names.iter().map(|name| (provider.clone(), name.clone())));
    pairs.unzip()
}
