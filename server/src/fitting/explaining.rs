//! Whose samples moved a champion, or have one held. Found out after all fits are made: it takes up to eight fits more.

use std::error::Error;

use kerncast_training::Samples;
use kerncast_wire::NewestSamples;
use sqlx::{PgConnection, PgPool};
use tokio::sync::OwnedSemaphorePermit;
use tracing::{Instrument, info_span};
use uuid::Uuid;

use super::{FittingError, Settings, blame, job::caught, moves};
use crate::{
    db::{
        failure::is_away,
        training,
        unexplained::{self, Unexplained},
    },
    traces::TARGET,
};

/// Agents that are asked about, those with the most samples in the fit: each takes a fit.
pub(super) const MOST_AGENTS: usize = 8;

/// Explains one champion; false where none waits for it.
///
/// # Errors
/// Where the database, or a shard, can't be reached: then it waits on.
pub(super) async fn next(pool: &PgPool, settings: &Settings) -> sqlx::Result<bool> {
    if !unexplained::any(pool).await? {
        return Ok(false);
    }
    unexplained::forget_old(pool).await?;
    let mut transaction = pool.begin().await?;
    let Some(of) = unexplained::claim(&mut transaction).await? else {
        return Ok(false);
    };
    let span = info_span!(target: TARGET, parent: None, "explain", model = %of.model);
    let explained = caught(explain(&mut transaction, settings, &of)).instrument(span);
    let error = match explained.await {
        Ok(()) => {
            unexplained::remove(&mut transaction, of.model).await?;
            transaction.commit().await?;
            return Ok(true);
        }
        Err(FittingError::Database(error)) if is_away(&error) => return Err(error),
        Err(error) => error,
    };
    tracing::error!(
        model = %of.model,
        error = &error as &dyn Error,
        "whose samples moved a model can't be found out"
    );
    transaction.rollback().await?;
    unexplained::remove(&mut *pool.acquire().await?, of.model).await?;
    Ok(true)
}

async fn explain(
    connection: &mut PgConnection,
    settings: &Settings,
    of: &Unexplained,
) -> Result<(), FittingError> {
    match &of.held {
        Some(why) => blame::explain(connection, settings, of, why).await,
        None => moves::explain(connection, settings, of).await,
    }
}

/// What it was fitted to, but for these samples, with the memory that a fit to it takes.
pub(super) async fn without(
    connection: &mut PgConnection,
    settings: &Settings,
    of: &Unexplained,
    samples: &[Uuid],
) -> sqlx::Result<(Samples, Option<OwnedSemaphorePermit>)> {
    let chosen = training::choose(&mut *connection, of.without(samples)).await?;
    let memory = settings.memory.hold(chosen.size()).await;
    let (samples, _) = chosen.read(connection, &settings.shards, &[]).await?;
    Ok((samples, memory))
}

pub(super) fn newest(agent: &str, samples: &[Uuid]) -> NewestSamples {
    NewestSamples {
        agent: agent.to_owned(),
        samples: samples.len(),
    }
}
