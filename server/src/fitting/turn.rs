//! Waiting for other fits of a device, without keeping a connection meanwhile.

use std::time::{Duration, Instant};

use sqlx::{PgPool, Postgres, Transaction};

use crate::{
    db::{self, fitting::fit_key::FitKey},
    http::{Error, unavailable},
};

/// Between two looks whether another fit of the device has ended.
const LOOK_PAUSE: Duration = Duration::from_millis(250);
/// Longest wait for that.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Why it was nobody's turn.
#[derive(Debug, thiserror::Error)]
pub enum TooLong {
    /// Other fits.
    #[error("other fits of this device are still under way; try again later")]
    Fits,
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] db::Error),
}

impl From<TooLong> for Error {
    fn from(error: TooLong) -> Self {
        match error {
            TooLong::Database(error) => error.into(),
            TooLong::Fits => unavailable(error.to_string()).into(),
        }
    }
}

/// Waits until no other fit of the device, or to it from others, is under way, and keeps others waiting. It holds no
/// connection meanwhile, so that however many wait, other requests are served.
pub(super) async fn wait_for_turn(
    pool: &PgPool,
    key: &FitKey,
) -> Result<Transaction<'static, Postgres>, TooLong> {
    let start = Instant::now();
    loop {
        let mut transaction = pool.begin().await.map_err(db::Error::from)?;
        if key.try_lock(&mut transaction).await? {
            return Ok(transaction);
        }
        transaction.rollback().await.map_err(db::Error::from)?;
        if start.elapsed() > LONGEST_WAIT {
            return Err(TooLong::Fits);
        }
        tokio::time::sleep(LOOK_PAUSE).await;
    }
}
