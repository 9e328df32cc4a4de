//! What is done about shards all the time: whether they answer, what their file says, what nobody needs any more.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use sqlx::PgPool;
use uuid::Uuid;

use super::{Shard, Shards};
use crate::{
    db::{on_shard, repetitions, shards},
    upkeep::for_ever,
};

/// Between two looks.
const LOOK: Duration = Duration::from_secs(3);
/// Between two sweeps.
const SWEEP: Duration = Duration::from_secs(3600);
/// What was written within this time is looked at together …
const SLICE: TimeDelta = TimeDelta::minutes(1);
/// … so many samples at a time.
const AT_ONCE: usize = 1000;
/// What was written within this time is thinned out together.
const THINNED_AT_ONCE: TimeDelta = TimeDelta::minutes(10);
/// By how much the clocks of the database and of a shard may differ.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::hours(1);

/// Looks for ever whether shards answer, and reads their file where it has changed.
pub async fn watch(pool: PgPool, shards: Shards, file: PathBuf) {
    let mut read = changed_at(&file);
    let mut told = String::new();
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
                told.clear();
                for name in added {
                    tracing::info!("the shard {name} is set up; new devices go there too");
                }
            }
            // Asked again: it may be a shard that is not there yet.
            Err(error) => {
                let why = error.to_string();
                if why != told {
                    tracing::error!(
                        error = &error as &dyn Error,
                        "shards stay as they were: their file can't be followed"
                    );
                }
                told = why;
            }
        }
    }
}

fn changed_at(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|it| it.modified()).ok()
}

/// Deletes, by the hour and for ever, values whose samples never came, and repetitions that were thinned out.
pub async fn sweep(pool: PgPool, shards: Shards) {
    let work = || sweep_now(&pool, &shards, TimeDelta::days(1));
    let what = "readings whose samples never came";
    for_ever(SWEEP, "deleted", what, work).await;
}

/// Deletes what was written to shards so long ago, and that the database says is not there; returns how many readings of
/// samples that never came. Repetitions are deleted so long after they were thinned out: until then they are in backups of
/// before, and nobody else looks for them.
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
    let mut from = known.swept_until - CLOCKS_DIFFER;
    let mut deleted = 0;
    // A little at a time: the index is by time, and there may be any number.
    while from < until {
        let next = until.min(from + SLICE);
        let written = shard
            .ask(async |on| on_shard::written(on, from, next).await)
            .await?;
        for written in written.chunks(AT_ONCE) {
            let samples: Vec<Uuid> = written.iter().map(|it| it.0).collect();
            let there = shards::on(pool, shard.number, &samples).await?;
            let orphans = written.iter().filter(|it| !there.contains(it));
            let (samples, contents): (Vec<Uuid>, Vec<Uuid>) = orphans.copied().unzip();
            if !samples.is_empty() {
                let delete =
                    async |on: &_| on_shard::delete_contents(on, &samples, &contents, until).await;
                deleted += shard.ask(delete).await?;
            }
        }
        from = next;
    }
    shards::note_swept(pool, shard.number, until).await?;
    if let Some(until) = repetitions::thinned_until(pool).await? {
        thin_out(pool, shard, known.thinned_until, until - age).await?;
    }
    Ok(deleted)
}

/// Deletes repetitions that were written to a shard before the samples came that are thinned out by now. By `until`, the
/// database's clock said so: `age` is more than the clocks differ and an upload takes.
async fn thin_out(
    pool: &PgPool,
    shard: &Shard,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<()> {
    let mut from = from - CLOCKS_DIFFER;
    while from < until {
        let next = until.min(from + THINNED_AT_ONCE);
        shard
            .ask(async |on| on_shard::delete_times(on, from, next).await)
            .await?;
        from = next;
    }
    shards::note_thinned(pool, shard.number, until).await
}
