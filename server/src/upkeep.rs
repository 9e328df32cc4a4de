//! What is looked after by the hour: what newer ones have superseded is dropped, as a lab that measures every night would
//! fill its disk with it, and how large the database is is noted.

use std::{error::Error, time::Duration};

use sqlx::PgPool;

use crate::{
    db::{fits, sizes, streams},
    streams::JUDGED_RUNS,
};

/// Between two looks.
const LOOK: Duration = Duration::from_secs(3600);
/// How long what is superseded stays.
const STAYS: Duration = Duration::from_secs(30 * 24 * 3600);

/// Looks after the database, for ever.
pub async fn look_after(pool: PgPool) {
    loop {
        log(
            "dropped fits of superseded models",
            drop_fits(&pool, STAYS).await,
        );
        log(
            "dropped superseded runs of streams",
            drop_runs(&pool, STAYS).await,
        );
        // Nobody needs to know of each hour's.
        log(
            "noted how large the database is",
            sizes::note(&pool).await.map(|()| 0),
        );
        tokio::time::sleep(LOOK).await;
    }
}

fn log(what: &str, done: sqlx::Result<u64>) {
    match done {
        Ok(0) => {}
        Ok(done) => tracing::info!("{what}: {done}"),
        Err(error) => {
            tracing::error!(error = &error as &dyn Error, "{what}: the database failed");
        }
    }
}

/// Drops the fits that were superseded as long ago as `stays`, and returns how many. The models and all that is said of
/// them stay.
///
/// # Errors
/// Where the database fails.
pub async fn drop_fits(pool: &PgPool, stays: Duration) -> sqlx::Result<u64> {
    fits::drop_superseded(pool, stays).await
}

/// Deletes the runs of streams that were done as long ago as `stays` and that nothing reads any more, since a device's newest
/// say how good forecasts are; returns how many.
///
/// # Errors
/// Where the database fails.
pub async fn drop_runs(pool: &PgPool, stays: Duration) -> sqlx::Result<u64> {
    streams::drop_runs(pool, JUDGED_RUNS, stays).await
}
