//! Raw repetitions, most of what a sample takes where it was repeated often: what models, listings and figures read of
//! them is kept beside them.

use std::time::Duration;

use sqlx::PgPool;

use crate::{db::repetitions, upkeep::for_ever};

/// Between two looks. What is old enough has been kept for days.
const LOOK: Duration = Duration::from_secs(3600);

/// Thins out repetitions once they have been kept for as long as `keep`, for ever.
pub async fn thin_out(pool: PgPool, keep: Duration) {
    let work = || thin_out_now(&pool, keep);
    for_ever(LOOK, "thinned out", "samples' repetitions", work).await;
}

/// Leaves the fastest, the median and the slowest of the repetitions that were stored as long ago as `keep`, and returns
/// of how many samples. How many they were stays known, and so does all that is made of them.
///
/// # Errors
/// Where the database fails.
pub async fn thin_out_now(pool: &PgPool, keep: Duration) -> sqlx::Result<u64> {
    let mut all = 0;
    loop {
        let slice = repetitions::thin_out(pool, keep).await?;
        all += slice.samples;
        if slice.last {
            return Ok(all);
        }
    }
}
