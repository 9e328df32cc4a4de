//! Samples that nobody has taken for true: without a limit the wrong ones of years stay with the right ones.

use std::time::Duration;

use sqlx::PgPool;

use crate::{db::set_aside, upkeep::for_ever};

/// Between two looks.
const LOOK: Duration = Duration::from_secs(24 * 3600);

/// Deletes samples once they have been set aside for as long as `keep`, for ever.
pub async fn drop_old(pool: PgPool, keep: Duration) {
    let work = || drop_old_now(&pool, keep);
    for_ever(LOOK, "deleted", "quarantined or rejected samples", work).await;
}

/// Deletes the samples that have been quarantined or rejected for as long as `keep`, and returns how many. Those that a model
/// which stands was fitted to stay.
///
/// # Errors
/// Where the database fails.
pub async fn drop_old_now(pool: &PgPool, keep: Duration) -> sqlx::Result<u64> {
    set_aside::drop_old(pool, keep).await
}
