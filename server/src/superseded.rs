//! What newer ones have superseded, fits and runs of streams: a lab that measures every night would fill its disk with them.

use std::time::Duration;

use sqlx::PgPool;

use crate::{
    db::{fits, streams},
    streams::JUDGED_RUNS,
    upkeep::for_ever,
};

/// Between two looks. What is superseded stays for days.
const LOOK: Duration = Duration::from_secs(3600);

/// Drops fits and runs once they have been superseded for as long as `keep`, for ever.
pub async fn drop_old(pool: PgPool, keep: Duration) {
    let (fits, runs) = ("fits of superseded models", "superseded runs of streams");
    tokio::join!(
        for_ever(LOOK, "dropped", fits, || drop_fits_now(&pool, keep)),
        for_ever(LOOK, "dropped", runs, || drop_runs_now(&pool, keep)),
    );
}

/// Drops the fits that have been superseded for as long as `keep`, and returns how many. The models and all
/// that is said of them stay.
///
/// # Errors
/// Where the database fails.
pub async fn drop_fits_now(pool: &PgPool, keep: Duration) -> sqlx::Result<u64> {
    fits::drop_superseded(pool, keep).await
}

/// Deletes the runs of streams that were done as long ago as `keep` and that nothing reads any more, since a device's newest
/// say how good forecasts are; returns how many.
///
/// # Errors
/// Where the database fails.
pub async fn drop_runs_now(pool: &PgPool, keep: Duration) -> sqlx::Result<u64> {
    streams::drop_runs(pool, JUDGED_RUNS, keep).await
}
