//! Readings with their values, wherever these are.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::Duration,
};

use sqlx::PgConnection;
use uuid::Uuid;

use super::on_shard::{self, TIMES, Wanted};
use super::sharding::{Fault, Lost, Shards, Why};

/// Values that are not where the database has said are asked for again: they may have been moved meanwhile.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(100);

/// What a provider says of a sample; or [`TIMES`] and all its repetitions, where a shard has these.
pub(crate) struct Stored {
    pub(crate) sample: Uuid,
    pub(crate) provider: String,
    /// None where it is refused, as are values.
    pub(crate) counter_ids: Vec<i32>,
    pub(crate) values: Vec<f64>,
    pub(crate) scope: String,
    pub(crate) refusal: Option<String>,
}

struct Row {
    sample: Uuid,
    provider: String,
    counter_ids: Option<Vec<i32>>,
    values: Option<Vec<f64>>,
    scope: String,
    refusal: Option<String>,
    shard: Option<i16>,
    /// Where a shard has the values.
    content_hash: Option<Vec<u8>>,
}

/// What is made of values that can't be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfLost {
    /// Nothing is read.
    Fail,
    /// Their readings say so in the place of a refusal.
    Say,
}

/// The readings of samples, of one provider or of all, in no order.
///
/// # Errors
/// [`Lost`], which names all shards that do not give the values that they should have.
pub(crate) async fn of(
    connection: &mut PgConnection,
    shards: &Shards,
    samples: &[Uuid],
    provider: Option<&str>,
) -> sqlx::Result<Vec<Stored>> {
    let wanted = provider.map_or(Wanted::Readings, Wanted::Of);
    let (rows, lost) = rows(connection, shards, samples, wanted).await?;
    match Lost::together(lost.into_values()) {
        None => rows.into_iter().map(stored).collect(),
        Some(error) => Err(error),
    }
}

/// Those readings whose values are there.
pub(crate) struct There {
    pub(crate) readings: Vec<Stored>,
    pub(crate) lacking: Option<Lacking>,
}

/// Samples of which shards that answer lack values: these were restored from a backup that is older than the samples.
pub(crate) struct Lacking {
    pub(crate) samples: BTreeSet<Uuid>,
    /// Names one of them for each shard.
    pub(crate) why: sqlx::Error,
}

/// The readings of samples, but for samples of which any values are lacking: nothing brings those back, so nothing
/// should wait for them.
///
/// # Errors
/// [`Lost`], where shards can't be reached.
pub(crate) async fn there(
    connection: &mut PgConnection,
    shards: &Shards,
    samples: &[Uuid],
) -> sqlx::Result<There> {
    let (rows, lost) = rows(connection, shards, samples, Wanted::Readings).await?;
    let (lack, away): (Vec<_>, Vec<_>) = lost.into_values().partition(Lost::only_lacks);
    if let Some(error) = Lost::together(away) {
        return Err(error);
    }
    let lacks = |it: &&Row| it.shard.is_some() && it.values.is_none();
    let lacking: BTreeSet<Uuid> = rows.iter().filter(lacks).map(|it| it.sample).collect();
    let readings = rows
        .into_iter()
        .filter(|it| !lacking.contains(&it.sample))
        .map(stored)
        .collect::<sqlx::Result<_>>()?;
    let lacking = Lost::together(lack).map(|why| Lacking {
        samples: lacking,
        why,
    });
    Ok(There { readings, lacking })
}

/// All readings of samples, as [`of`]; with the repetitions that are on shards, unless nothing is read where one of these
/// is lost: for them alone nobody should get nothing.
pub(crate) async fn all(
    connection: &mut PgConnection,
    shards: &Shards,
    samples: &[Uuid],
    if_lost: IfLost,
) -> sqlx::Result<Vec<Stored>> {
    if if_lost == IfLost::Fail {
        return of(connection, shards, samples, None).await;
    }
    let (mut rows, lost) = rows(connection, shards, samples, Wanted::All).await?;
    for row in &mut rows {
        if row.values.is_none()
            && let Some(error) = row.shard.and_then(|it| lost.get(&it))
        {
            let fault = Lost::of(error).and_then(|it| it.faults().first());
            row.refusal = fault.map(|fault| refusal(fault, row));
        }
    }
    rows.into_iter().map(stored).collect()
}

fn refusal(Fault { shard, why }: &Fault, row: &Row) -> String {
    match (why, &*row.provider) {
        (Why::Away(_), TIMES) => format!("the shard {shard}, which has them, can't be reached"),
        (Why::Away(_), _) => {
            format!("counted, but the shard {shard}, which has the values, can't be reached")
        }
        (Why::Lacks(_), TIMES) => format!("the shard {shard}, which should have them, has not"),
        (Why::Lacks(_), _) => {
            format!("counted, but the shard {shard}, which should have the values, has not")
        }
    }
}

/// # Errors
/// Where a reading has not as many values as counters, which the database can't see: their list is another row.
fn stored(row: Row) -> sqlx::Result<Stored> {
    let counted = row.refusal.is_none();
    let counter_ids = row.counter_ids.filter(|_| counted).unwrap_or_default();
    let values = row.values.unwrap_or_default();
    if counted && row.provider != TIMES && counter_ids.len() != values.len() {
        let (sample, provider) = (row.sample, row.provider);
        let (n, counters) = (values.len(), counter_ids.len());
        let wrong = format!("sample {sample} has {n} values by {provider}, of {counters} counters");
        return Err(sqlx::Error::Decode(wrong.into()));
    }
    Ok(Stored {
        sample: row.sample,
        provider: row.provider,
        counter_ids,
        values,
        scope: row.scope,
        refusal: row.refusal,
    })
}

/// With the shards that can't be reached or lack what they should have, by number, and why.
async fn rows(
    connection: &mut PgConnection,
    shards: &Shards,
    samples: &[Uuid],
    wanted: Wanted<'_>,
) -> sqlx::Result<(Vec<Row>, BTreeMap<i16, sqlx::Error>)> {
    let provider = match wanted {
        Wanted::Of(provider) => Some(provider),
        Wanted::Readings | Wanted::All => None,
    };
    for last in (0..TRIES).rev() {
        let mut rows = sqlx::query_as!(
            Row,
            r#"
            SELECT
                sample_id AS "sample!", provider AS "provider!", counter_ids, values AS "values: Vec<f64>",
                scope AS "scope!", refusal, shard,
                CASE WHEN shard IS NOT NULL THEN
                    (SELECT content_hash FROM samples WHERE samples.id = sample_id)
                END AS content_hash
            FROM counted_readings
            WHERE sample_id = ANY ($1) AND ($2::text IS NULL OR provider = $2)
            UNION ALL
            SELECT id, $3, NULL, NULL, '', NULL, shard, content_hash
            FROM samples
            WHERE $4::boolean AND id = ANY ($1) AND shard IS NOT NULL
            "#,
            samples,
            provider,
            TIMES,
            matches!(wanted, Wanted::All)
        )
        .fetch_all(&mut *connection)
        .await?;
        let mut lost = fill(&mut rows, shards, wanted).await?;
        let lacking: Vec<(i16, &Row)> = rows
            .iter()
            .filter(|it| it.values.is_none())
            .filter_map(|it| Some((it.shard?, it)))
            .filter(|(shard, _)| !lost.contains_key(shard))
            .collect();
        if lacking.is_empty() {
            return Ok((rows, lost));
        }
        if last == 0 {
            for (number, row) in lacking {
                let name = &shards.get(number)?.name;
                let what = on_shard::named(row.sample, &row.provider);
                lost.entry(number)
                    .or_insert_with(|| Lost::lacks(name, what));
            }
            return Ok((rows, lost));
        }
        tokio::time::sleep(PAUSE).await;
    }
    unreachable!("the last try returns")
}

/// Adds the values that are on shards; returns which of them can't be reached, and why.
async fn fill(
    rows: &mut [Row],
    shards: &Shards,
    of: Wanted<'_>,
) -> sqlx::Result<BTreeMap<i16, sqlx::Error>> {
    let mut wanted: BTreeMap<i16, Vec<Uuid>> = BTreeMap::new();
    for row in &*rows {
        if let Some(shard) = row.shard {
            let samples = wanted.entry(shard).or_default();
            samples.push(row.sample);
        }
    }
    let (mut found, mut lost) = (HashMap::new(), BTreeMap::new());
    for (number, mut samples) in wanted {
        samples.sort_unstable();
        samples.dedup();
        let read = match shards.get(number) {
            Ok(shard) => {
                let read = async |pool: &_| on_shard::read(pool, &samples, of).await;
                shard.ask(read).await
            }
            Err(unknown) => Err(unknown),
        };
        match read {
            Ok(values) => found.extend(values.into_iter().map(|it| {
                let key = (number, it.sample_id, it.provider, it.content);
                (key, it.values)
            })),
            Err(error) => {
                lost.insert(number, error);
            }
        }
    }
    for row in rows {
        if let (Some(shard), Some(hash)) = (row.shard, &row.content_hash) {
            let content = on_shard::content(hash)?;
            let key = (shard, row.sample, row.provider.clone(), content);
            row.values = found.remove(&key);
        }
    }
    Ok(lost)
}
