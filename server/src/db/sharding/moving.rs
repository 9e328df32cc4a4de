//! A device's values and repetitions moved from where they are to a shard, to all of them, or into the database, while uploads and fits
//! go on.
//!
//! A few samples at a time are written to where they go; then the database says that they are there; then they are
//! deleted where they were. So whoever is ended in between leaves each value where the database says it is, and at
//! most another one of it, which the next move of the device deletes.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use sqlx::{Connection, PgConnection, PgPool};
use uuid::Uuid;

use super::{Lost, Shard, Shards};
use crate::db::{
    on_shard::{self, TIMES, Values, Wanted, content},
    shards::{self, Home, Place},
};

/// Samples that are moved together.
const AT_ONCE: i64 = 1000;
/// Uploads that were under way when a move began bring samples to where the device was. Those are looked for so often.
const PASSES: usize = 5;

/// Why values were not moved, or not all.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// Another move of the device is under way, or a backup.
    #[error("somebody is moving the device already, or makes a backup")]
    UnderWay,
    /// Nothing can be spread over none.
    #[error("there are no shards")]
    NoShards,
    /// There is no such device.
    #[error("there is no such device")]
    NoDevice,
    /// A shard or the database failed.
    #[error("the move has stopped, and may be begun again: nothing is lost")]
    Database(#[from] sqlx::Error),
}

/// Moves all values and repetitions of a device there, and has those of its new samples go there. `tell` is told how many samples have been looked at. Returns of how many there was something to move.
///
/// # Errors
/// [`MoveError`]; what was moved is moved.
pub async fn move_device(
    pool: &PgPool,
    all: &Shards,
    device: i32,
    to: Home,
    mut tell: impl FnMut(u64),
) -> Result<u64, MoveError> {
    let (shards_now, numbered) = (all.all(), all.numbered());
    match to {
        Home::Coordinator => {}
        Home::Shard(to) => all.get(to)?.feel().await?,
        Home::All if shards_now.is_empty() => return Err(MoveError::NoShards),
        Home::All => {
            for shard in &shards_now {
                shard.feel().await?;
            }
        }
    }
    // The lock lasts as long as this connection.
    let mut connection = PgConnection::connect_with(&pool.connect_options()).await?;
    if !shards::try_lock_moves(&mut connection, device).await? {
        return Err(MoveError::UnderWay);
    }
    if !shards::place(&mut connection, device, to).await? {
        return Err(MoveError::NoDevice);
    }
    let mut moved = 0;
    for _ in 0..PASSES {
        let (mut after, mut looked, before) = (Uuid::nil(), 0, moved);
        let clocks = clocks(&shards_now).await;
        loop {
            let samples = shards::samples_of(&mut connection, device, after, AT_ONCE).await?;
            let Some(last) = samples.last() else { break };
            after = *last;
            looked += samples.len() as u64;
            let mut homes: BTreeMap<Option<i16>, Vec<Uuid>> = BTreeMap::new();
            for sample in samples {
                let home = to.of_sample(sample, &numbered);
                homes.entry(home).or_default().push(sample);
            }
            for (home, samples) in homes {
                moved += move_samples(&mut connection, all, &samples, home).await?;
                // Now none of them is anywhere else.
                for (shard, until) in &clocks {
                    if Some(shard.number) != home {
                        delete(shard, &samples, *until).await?;
                    }
                }
            }
            tell(looked);
        }
        if moved == before {
            break;
        }
    }
    connection.close().await?;
    Ok(moved)
}

/// Returns of how many samples there was something to move.
async fn move_samples(
    connection: &mut PgConnection,
    all: &Shards,
    samples: &[Uuid],
    to: Option<i16>,
) -> sqlx::Result<u64> {
    let mut of_sources: BTreeMap<Option<i16>, Vec<Place>> = BTreeMap::new();
    for place in shards::elsewhere(&mut *connection, samples, to).await? {
        of_sources.entry(place.shard).or_default().push(place);
    }
    let mut moved = 0;
    for (from, places) in of_sources {
        let mut samples: Vec<Uuid> = places.iter().map(|it| it.sample).collect();
        samples.sort_unstable();
        samples.dedup();
        moved += samples.len() as u64;
        let values = values(all, from, &samples, places).await?;
        match to {
            Some(to) => {
                let shard = all.get(to)?;
                shard
                    .ask(async |pool| on_shard::write(pool, &values).await)
                    .await?;
                let mut transaction = connection.begin().await?;
                shards::say_on(&mut transaction, &samples, from, to).await?;
                transaction.commit().await?;
            }
            None => {
                let Some(from) = from else { continue };
                let mut transaction = connection.begin().await?;
                for it in &values {
                    let (sample, values) = (it.sample_id, &it.values);
                    match &*it.provider {
                        TIMES => {
                            shards::bring_times_back(&mut transaction, sample, from, values)
                                .await?;
                        }
                        provider => {
                            shards::bring_back(&mut transaction, sample, provider, from, values)
                                .await?;
                        }
                    }
                }
                transaction.commit().await?;
            }
        }
    }
    Ok(moved)
}

/// Each shard with what its clock says now: what is written there later, somebody else may have moved there. Those that
/// are lost have nothing that anybody needs any more, or else the move stops for another reason.
async fn clocks(shards: &[Arc<Shard>]) -> Vec<(Arc<Shard>, DateTime<Utc>)> {
    let mut clocks = Vec::new();
    for shard in shards {
        if let Ok(now) = shard.ask(async |pool| on_shard::now(pool).await).await {
            clocks.push((Arc::clone(shard), now));
        }
    }
    clocks
}

async fn delete(shard: &Shard, samples: &[Uuid], until: DateTime<Utc>) -> sqlx::Result<()> {
    shard
        .ask(async |pool| on_shard::delete(pool, samples, until).await)
        .await
}

/// What these readings and repetitions, all on one shard or in the database, are.
async fn values(
    all: &Shards,
    from: Option<i16>,
    samples: &[Uuid],
    places: Vec<Place>,
) -> sqlx::Result<Vec<Values>> {
    let mut on_shard: HashMap<(Uuid, String, Uuid), Vec<f64>> = HashMap::new();
    if let Some(from) = from {
        let shard = all.get(from)?;
        let read = shard
            .ask(async |pool| on_shard::read(pool, samples, Wanted::All).await)
            .await?;
        let keyed = read.into_iter().map(|it| {
            let key = (it.sample_id, it.provider, it.content);
            (key, it.values)
        });
        on_shard.extend(keyed);
    }
    let of_place = |place: Place| {
        let content = content(&place.content_hash)?;
        let key = (place.sample, place.provider.clone(), content);
        let values = place.values.or_else(|| on_shard.remove(&key));
        let values = values.ok_or_else(|| {
            let name = from.and_then(|it| all.get(it).ok());
            let name = name.map_or(String::new(), |it| it.name.clone());
            Lost::lacks(&name, on_shard::named(place.sample, &place.provider))
        })?;
        Ok(Values {
            sample_id: place.sample,
            provider: place.provider,
            content,
            values,
        })
    };
    places.into_iter().map(of_place).collect()
}
