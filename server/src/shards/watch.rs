//! What is done about shards all the time: whether they answer, what their file says, what nobody needs any more.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use chrono::TimeDelta;
use futures_util::future::join_all;
use sqlx::PgPool;
use uuid::Uuid;

use super::{Shard, Shards};
use crate::db::{on_shard, shards};

/// Between two looks.
const LOOK: Duration = Duration::from_secs(3);
/// Between two sweeps.
const SWEEP: Duration = Duration::from_secs(3600);
/// Samples looked at together.
const AT_ONCE: i64 = 1000;

/// Looks for ever whether shards answer, and reads their file where it has changed.
pub async fn watch(pool: PgPool, shards: Shards, file: PathBuf) {
    let mut read = changed_at(&file);
    loop {
        let shards_now = shards.all();
        join_all(shards_now.iter().map(|it| it.feel())).await;
        tokio::time::sleep(LOOK).await;
        let changed = changed_at(&file);
        if changed == read {
            continue;
        }
        match shards.follow(&pool, &file).await {
            Ok(added) => {
                read = changed;
                for name in added {
                    tracing::info!("the shard {name} is set up; new devices go there too");
                }
            }
            // Asked again: it may be a shard that is not there yet.
            Err(error) => tracing::error!(
                error = &error as &dyn Error,
                "shards stay as they were: their file can't be followed"
            ),
        }
    }
}

fn changed_at(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|it| it.modified()).ok()
}

/// Deletes, by the hour and for ever, values whose samples never came.
pub async fn sweep(pool: PgPool, shards: Shards) {
    loop {
        match sweep_now(&pool, &shards, TimeDelta::days(1)).await {
            Ok(0) => {}
            Ok(readings) => tracing::info!("deleted {readings} readings whose samples never came"),
            Err(error) => tracing::error!(
                error = &error as &dyn Error,
                "a shard can't be looked through for readings whose samples never came"
            ),
        }
        tokio::time::sleep(SWEEP).await;
    }
}

/// Deletes what was written to shards so long ago, and that the database says is not there; returns how many readings.
///
/// # Errors
/// Where the database fails, or a shard; the others are looked through all the same.
pub async fn sweep_now(pool: &PgPool, shards: &Shards, age: TimeDelta) -> sqlx::Result<u64> {
    let all = shards.all();
    let swept = join_all(all.iter().map(|it| sweep_one(pool, it, age))).await;
    swept.into_iter().sum()
}

async fn sweep_one(pool: &PgPool, shard: &Shard, age: TimeDelta) -> sqlx::Result<u64> {
    let known = shards::list(&mut *pool.acquire().await?).await?;
    let Some(known) = known.into_iter().find(|it| it.number == shard.number) else {
        return Ok(0);
    };
    // By the shard's clock, which may be another.
    let until = shard.ask(async |on| on_shard::now(on).await).await? - age;
    let from = known.swept_until - TimeDelta::days(2);
    let (mut after, mut deleted) = (Uuid::nil(), 0);
    loop {
        let written = shard
            .ask(async |on| on_shard::written(on, from, until, after, AT_ONCE).await)
            .await?;
        let Some((last, _)) = written.last() else {
            break;
        };
        after = *last;
        let samples: Vec<Uuid> = written.iter().map(|it| it.0).collect();
        let there = shards::on(pool, shard.number, &samples).await?;
        let orphans = written.iter().filter(|it| !there.contains(it));
        let (samples, contents): (Vec<Uuid>, Vec<Uuid>) = orphans.copied().unzip();
        deleted += shard
            .ask(async |on| on_shard::delete_contents(on, &samples, &contents, until).await)
            .await?;
    }
    shards::note_swept(pool, shard.number, until).await?;
    Ok(deleted)
}
