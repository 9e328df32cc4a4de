//! Whose samples moved a champion, or have one held. Found out after all fits are made, as it takes up to eight fits more;
//! what has waited for a quarter of an hour comes before them.

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
        new_samples::{later_than, sample_ids, uploads_since},
        sharding::Lost,
        training,
        unexplained::{self, Turn, Unexplained},
    },
    traces::TARGET,
};

/// Agents that are asked about, those with the most samples in the fit: each takes a fit.
const MOST_AGENTS: usize = 8;

/// Explains one champion; false where it is no champion's turn.
///
/// # Errors
/// Where the database can't be reached.
pub(super) async fn next(pool: &PgPool, settings: &Settings, turn: Turn) -> sqlx::Result<bool> {
    let mut transaction = pool.begin().await?;
    let Some(of) = unexplained::claim(&mut transaction, turn).await? else {
        transaction.rollback().await?;
        return Ok(false);
    };
    let span = info_span!(target: TARGET, parent: None, "explain", model = %of.model);
    let explained = caught(explain(&mut transaction, settings, &of)).instrument(span);
    let error = match explained.await {
        Ok(()) => {
            match unexplained::explained(&mut transaction, &of).await? {
                true => transaction.commit().await?,
                false => transaction.rollback().await?,
            }
            return Ok(true);
        }
        Err(error) => error,
    };
    transaction.rollback().await?;
    match error {
        // Where shards lack what it needs, waiting for them would be for ever.
        FittingError::Database(error) if is_away(&error) && !Lost::only_lacks(&error) => {
            tracing::warn!(
                model = %of.model,
                error = &error as &dyn Error,
                "whose samples moved a model is looked for later"
            );
            unexplained::postpone(pool, &of).await?;
        }
        error => {
            tracing::error!(
                model = %of.model,
                error = &error as &dyn Error,
                "whose samples moved a model can't be found out"
            );
            unexplained::explained(&mut *pool.acquire().await?, &of).await?;
        }
    }
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

/// Who may have done it.
pub(super) struct Suspects {
    /// What each agent has brought since the champion that this one is compared with, those with the most in the fit ahead.
    pub(super) uploads: Vec<(String, Vec<Uuid>)>,
    /// What has come since the fit.
    later: Vec<Uuid>,
}

impl Suspects {
    pub(super) async fn find(
        connection: &mut PgConnection,
        of: &Unexplained,
    ) -> sqlx::Result<Self> {
        let used = sample_ids(connection, of.model).await?;
        let later = later_than(connection, of.model, &used).await?;
        let uploads = uploads_since(connection, of.before, &used, Some(of.model)).await?;
        Ok(Self { uploads, later })
    }

    /// Those who are asked about.
    pub(super) fn asked(&self) -> impl Iterator<Item = &(String, Vec<Uuid>)> {
        self.uploads.iter().take(MOST_AGENTS)
    }

    /// What the champion was fitted to, but for these samples, with the memory that a fit to it takes.
    pub(super) async fn without(
        &self,
        connection: &mut PgConnection,
        settings: &Settings,
        of: &Unexplained,
        samples: &[Uuid],
    ) -> sqlx::Result<(Samples, Option<OwnedSemaphorePermit>)> {
        let which = of.without([samples, &self.later].concat());
        let chosen = training::choose(&mut *connection, which).await?;
        let memory = settings.memory.hold(chosen.size()).await;
        let (samples, _) = chosen.read(connection, &settings.shards, &[]).await?;
        Ok((samples, memory))
    }
}

pub(super) fn newest(agent: &str, samples: &[Uuid]) -> NewestSamples {
    NewestSamples {
        agent: agent.to_owned(),
        samples: samples.len(),
    }
}
