//! Whose upload made a champion worse: the fit is made again without what each agent has uploaded since.

use std::collections::BTreeMap;

use kerncast_models::{Contender, HoldOutKey, may_succeed};
use kerncast_training::{Candidate, Model, Response, Samples};
use sqlx::PgConnection;
use tokio::task::spawn_blocking;

use super::FittingError;
use crate::db::{
    jobs::Job,
    succession::{self, Held},
    training,
};

/// Agents that are asked about, those with the most new samples: each takes a fit.
const MOST_AGENTS: usize = 8;

/// Says of what is held whose samples did it. `candidate`: what would have answered.
pub(super) async fn explain(
    connection: &mut PgConnection,
    job: &Job,
    held: &Held,
    candidate: &Candidate,
) -> Result<(), FittingError> {
    let training = &candidate.training;
    let beside = [&training.counted_sample_ids, &training.global_sample_ids];
    let beside = beside.into_iter().flatten().flatten();
    let used: Vec<_> = training.sample_ids.iter().chain(beside).copied().collect();
    let uploads = succession::uploads_since(connection, held.before, &used).await?;
    let mut culprits = Vec::new();
    for (agent, samples) in uploads.into_iter().take(MOST_AGENTS) {
        let Job {
            device,
            counted_on,
            provider,
            ..
        } = job;
        let without = training::load(connection, *device, *counted_on, provider, &samples).await?;
        let (candidate, before) = (candidate.clone(), held.errors.clone());
        let innocent = spawn_blocking(move || {
            again(&candidate, &without).is_none_or(|now| may_succeed(&before, &now).is_err())
        });
        if !innocent.await? {
            culprits.push(format!("the {} newest samples of {agent}", samples.len()));
        }
    }
    let more = match &culprits[..] {
        [] => "no agent's newest samples alone explain it".to_owned(),
        some => format!("without {} it would not be so", some.join(", or without ")),
    };
    Ok(succession::explain(connection, held, &more).await?)
}

/// How the same method does on other samples; None where they give no fit.
fn again(candidate: &Candidate, samples: &Samples) -> Option<Contender> {
    let Candidate {
        question,
        specification,
        default_counters,
        ..
    } = candidate;
    let same = match default_counters {
        true => Candidate::all(question, samples)
            .into_iter()
            .find(|it| it.specification.method == specification.method)?,
        false => Candidate::of(specification, samples)?,
    };
    let model = Model::of(&same);
    model.outcome.as_ref().ok()?;
    let mut by_key = model.hold_outs.iter();
    let (_, report) = by_key.find(|(hold_out, _)| hold_out.key == HoldOutKey::Kernel)?;
    let error = |errors: kerncast_models::Errors| match question.response {
        Response::Speedup => errors.factor.map(f64::ln),
        Response::Time | Response::Counter(_) => Some(errors.mean_ape),
    };
    let kernels: BTreeMap<String, Option<f64>> = report
        .kernels
        .iter()
        .map(|it| (it.kernel.clone(), it.errors.and_then(error)))
        .collect();
    Some(Contender {
        all_variants: question.variant.is_none(),
        complete: report.overall.is_some_and(|it| it.unpredicted == 0),
        complexity: same.complexity,
        error: report.overall.and_then(error),
        kernels,
    })
}
