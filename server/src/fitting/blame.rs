//! Whose upload made a champion worse: the fit is made again without what each agent has uploaded since.

use std::collections::HashMap;

use kerncast_models::HoldOutKey;
use kerncast_training::{Candidate, Model, Samples};
use kerncast_wire::{HeldBecause, NewestSamples};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{FittingError, threads::compute};
use crate::{
    db::sharding::Shards,
    db::{
        forecasters,
        held_out::{HeldOut, is_as_good},
        jobs::Job,
        new_samples::uploads_since,
        succession::{self, Held},
        training::{self, Which},
    },
};

/// Agents that are asked about, those with the most new samples: each takes a fit.
pub(super) const MOST_AGENTS: usize = 8;

/// Says of what is held whose samples did it. `candidate`: what would have answered.
pub(super) async fn explain(
    connection: &mut PgConnection,
    shards: &Shards,
    job: &Job,
    held: &Held,
    candidate: &Candidate,
) -> Result<(), FittingError> {
    let training = &candidate.training;
    let beside = [&training.counted_sample_ids, &training.global_sample_ids];
    let beside = beside.into_iter().flatten().flatten();
    let used: Vec<_> = training.sample_ids.iter().chain(beside).copied().collect();
    let uploads = uploads_since(connection, held.before, &used).await?;
    // What has changed is the samples, so nothing else is to: the champion's method may be another one, chosen among
    // fits that all went wrong.
    let before = forecasters::get(&mut *connection, held.before).await?;
    let method = before.map_or_else(|| candidate.specification.method.clone(), |it| it.method);
    let mut culprits = Vec::new();
    for (agent, samples) in uploads.into_iter().take(MOST_AGENTS) {
        let without = without(connection, shards, job, &samples).await?;
        let candidate = candidate.clone();
        let response = candidate.question.response.clone();
        let method = method.clone();
        let now = compute(move || again(&candidate, &method, &without)).await?;
        let innocent = now.is_none_or(|now| is_as_good(&response, &held.rows, &now).is_err());
        if !innocent {
            culprits.push(newest(&agent, &samples));
        }
    }
    let more = match culprits.is_empty() {
        true => HeldBecause::Unexplained,
        false => HeldBecause::Without { uploads: culprits },
    };
    Ok(succession::explain(connection, held, more).await?)
}

/// What is left without these samples.
pub(super) async fn without(
    connection: &mut PgConnection,
    shards: &Shards,
    job: &Job,
    samples: &[Uuid],
) -> sqlx::Result<Samples> {
    let which = Which {
        without: samples.to_vec(),
        ..job.which()
    };
    training::load(connection, shards, which).await
}

pub(super) fn newest(agent: &str, samples: &[Uuid]) -> NewestSamples {
    NewestSamples {
        agent: agent.to_owned(),
        samples: samples.len(),
    }
}

/// How this method does on other samples; None where they give no fit.
fn again(candidate: &Candidate, method: &str, samples: &Samples) -> Option<Vec<HeldOut>> {
    let same = candidate.again_by(method, samples)?;
    let model = Model::of(&same);
    model.outcome.as_ref().ok()?;
    let mut by_key = model.hold_outs.iter();
    let (hold_out, _) = by_key.find(|(hold_out, _)| hold_out.key == HoldOutKey::Kernel)?;
    let dataset = same.training.dataset.as_ref().ok()?;
    let counted = samples.counted.iter().map(|it| (it.id, it.workload));
    let devices = samples.devices.values();
    let ran = devices
        .flat_map(|it| &it.ran)
        .map(|(&workload, it)| (it.sample, workload));
    let workloads: HashMap<Uuid, i32> = counted.chain(ran).collect();
    let kernels = dataset.kernel_numbers().iter();
    let kernels = kernels.map(|&it| &dataset.kernels()[it]);
    let rows = same.training.sample_ids.iter().zip(kernels);
    let rows = rows.zip(dataset.y()).zip(&hold_out.forecasts);
    let rows = rows.map(|(((sample, kernel), &measured), forecast)| HeldOut {
        workload: workloads[sample],
        kernel: kernel.to_string(),
        measured,
        forecast: forecast.as_ref().ok().copied(),
    });
    Some(rows.collect())
}
