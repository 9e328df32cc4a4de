//! Fits after uploads.

use std::{error::Error, time::Duration};

use kerncast_models::{GAIN_METHODS, METHODS};
use sqlx::{PgConnection, PgPool};

use super::{FittingError, across, defaults, fit::version_of, fit_and_store, gains};
use crate::db::{
    jobs::{self, Job},
    training,
};

/// Between two looks for jobs. A look is one query of a small table.
const LOOK: Duration = Duration::from_millis(250);
/// A fit waits until uploads have paused for so long …
const PAUSE: Duration = Duration::from_millis(500);
/// … but no longer than this.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks for fits of whatever an older server has fitted otherwise than this one would. Returns of how many
/// devices and providers.
///
/// # Errors
/// Where the database fails.
pub async fn ask_where_outdated(pool: &PgPool) -> sqlx::Result<u64> {
    let methods = METHODS.iter().chain(GAIN_METHODS);
    let current: Vec<String> = methods.map(|it| version_of(*it)).collect();
    jobs::ask_where_outdated(pool, &current).await
}

/// Does one job after another, for ever. Dropped at any moment it leaves each job done or untouched.
pub async fn work(pool: PgPool) {
    loop {
        match next(&pool).await {
            Ok(true) => {}
            Ok(false) => tokio::time::sleep(LOOK).await,
            Err(error) => {
                tracing::error!(error = &error as &dyn Error, "fitting jobs can't be read");
                tokio::time::sleep(PATIENCE).await;
            }
        }
    }
}

/// Does the next job, where there is one.
async fn next(pool: &PgPool) -> sqlx::Result<bool> {
    let mut transaction = pool.begin().await?;
    let Some(job) = jobs::claim(&mut transaction, PAUSE, PATIENCE).await? else {
        return Ok(false);
    };
    let done = match models(&mut transaction, &job).await {
        Ok(()) => jobs::finish(&mut transaction, &job)
            .await
            .map_err(FittingError::from),
        Err(error) => Err(error),
    };
    let committed = match done {
        Ok(()) => transaction.commit().await.map_err(FittingError::from),
        Err(error) => transaction
            .rollback()
            .await
            .map_err(FittingError::from)
            .and(Err(error)),
    };
    if let Err(error) = committed {
        let Job {
            device, provider, ..
        } = &job;
        tracing::error!(
            device,
            provider,
            error = &error as &dyn Error,
            "a fitting job failed"
        );
        jobs::fail(pool, &job, "the fit failed; the server's log says why").await?;
    }
    Ok(true)
}

/// Fits whatever the new samples may change: the defaults, and each specification that somebody has
/// asked for.
async fn models(connection: &mut PgConnection, job: &Job) -> Result<(), FittingError> {
    if let Some(source) = job.source {
        return across::fit(connection, job.device, source, &job.provider).await;
    }
    jobs::ask_across(connection, job.device, Some(&job.provider)).await?;
    training::lock(connection, job.device).await?;
    let training = training::load(connection, job.device, &job.provider).await?;
    let defaults = defaults::specifications(&training, job.device, &job.provider);
    let asked = training::specifications(connection, job.device, &job.provider).await?;
    let all = defaults.into_iter().chain(asked).collect();
    fit_and_store(connection, &training, job.device, all).await?;
    let asked = gains::Asked {
        device: job.device,
        source: None,
        provider: &job.provider,
        training: &training,
    };
    gains::fit(connection, &asked).await
}
