//! Fits that newer ones have superseded: a lab that measures every night would fill its disk with them.

use std::{error::Error, time::Duration};

use sqlx::PgPool;

use crate::db::fits;

/// Between two looks. What is superseded stays for days.
const LOOK: Duration = Duration::from_secs(3600);

/// Drops fits once they have been superseded for as long as `keep`, for ever.
pub async fn drop_fits(pool: PgPool, keep: Duration) {
    loop {
        match drop_now(&pool, keep).await {
            Ok(0) => {}
            Ok(dropped) => tracing::info!("dropped the fits of {dropped} superseded models"),
            Err(error) => {
                tracing::error!(
                    error = &error as &dyn Error,
                    "superseded fits can't be dropped"
                );
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Drops the fits that have been superseded for as long as `keep`, and returns how many. The models and all
/// that is said of them stay.
///
/// # Errors
/// Where the database fails.
pub async fn drop_now(pool: &PgPool, keep: Duration) -> sqlx::Result<u64> {
    fits::drop_superseded(pool, keep).await
}
