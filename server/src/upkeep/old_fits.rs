//! Old fits are dropped by the hour: a lab that measures every night would fill its disk with them.

use std::{error::Error, time::Duration};

use sqlx::PgPool;

use crate::db::models::fits::drop_superseded;

/// Pause between two looks.
const LOOK_INTERVAL: Duration = Duration::from_secs(3600);
/// How long what is superseded stays.
const LIFETIME: Duration = Duration::from_secs(30 * 24 * 3600);

/// Looks after the database, for ever.
pub async fn look_after(pool: PgPool) {
    loop {
        match drop_superseded(&pool, LIFETIME).await {
            Ok(0) => {}
            Ok(dropped) => tracing::info!("dropped fits of superseded models: {dropped}"),
            Err(error) => {
                let error = &error as &dyn Error;
                tracing::error!(error, "superseded fits can't be dropped");
            }
        }
        tokio::time::sleep(LOOK_INTERVAL).await;
    }
}
