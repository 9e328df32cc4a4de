//! Whose samples may have moved a champion, or have it held.

use kerncast_training::Samples;
use kerncast_wire::NewestSamples;
use sqlx::PgConnection;
use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

use super::{FittingError, Settings, threads::compute};
use crate::db::{
    new_samples::{later_than, sample_ids, uploads_since},
    training,
    unexplained::Unexplained,
};

/// Agents that are asked about, those with the most samples in the fit: each takes a fit.
const MOST_AGENTS: usize = 8;

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

    /// Those without whose samples it would not be so: `is_well` says that of what is left, none where it can't be said.
    pub(super) async fn culprits(
        &self,
        connection: &mut PgConnection,
        settings: &Settings,
        of: &Unexplained,
        is_well: impl Fn(&Samples) -> Option<bool> + Clone + Send + 'static,
    ) -> Result<Vec<NewestSamples>, FittingError> {
        let mut culprits = Vec::new();
        for (agent, samples) in self.uploads.iter().take(MOST_AGENTS) {
            let (others, _memory) = self.without(connection, settings, of, samples).await?;
            let is_well = is_well.clone();
            if compute(move || is_well(&others)).await? == Some(true) {
                culprits.push(newest(agent, samples));
            }
        }
        Ok(culprits)
    }

    /// What the champion was fitted to, but for these samples, with the memory that a fit to it takes.
    async fn without(
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
