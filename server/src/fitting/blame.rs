//! Whose upload made a champion worse: the fit is made again without what each agent has uploaded since.

use std::{collections::HashMap, sync::Arc};

use kerncast_models::HoldOutKey;
use kerncast_training::{Candidate, Model, Samples};
use kerncast_wire::{HeldBecause, Reasons};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{FittingError, Settings, suspects::Suspects};
use crate::db::{
    forecasters,
    held_out::{HeldOut, held_out, is_as_good},
    succession,
    unexplained::Unexplained,
};

/// Says of what is held, for `why`, whose samples did it.
pub(super) async fn explain(
    connection: &mut PgConnection,
    settings: &Settings,
    of: &Unexplained,
    why: &Reasons<HeldBecause>,
) -> Result<(), FittingError> {
    let suspects = Suspects::find(connection, of).await?;
    let rows = Arc::new(held_out(connection, of.before).await?);
    // What has changed is the samples, so nothing else is to: the champion's method may be another one, chosen among
    // fits that all went wrong.
    let before = forecasters::get(&mut *connection, of.before).await?;
    let method = before.map_or_else(|| of.specification.method.clone(), |it| it.method);
    let (specification, default_counters) = (of.specification.clone(), of.default_counters);
    let is_well = move |others: &Samples| {
        let same = Candidate::by(&method, &specification, others)
            .or_else(|| Candidate::again(&specification, default_counters, others))?;
        let now = how_it_does(&same, others)?;
        Some(is_as_good(&same.question.response, &rows, &now).is_ok())
    };
    let culprits = suspects.culprits(connection, settings, of, is_well).await?;
    let more = match culprits.is_empty() {
        true => HeldBecause::Unexplained,
        false => HeldBecause::Without { uploads: culprits },
    };
    let why = why.0.iter().cloned().chain([more]);
    Ok(succession::explain(connection, of.model, &Reasons(why.collect())).await?)
}

/// How it forecasts kernels left out of these samples, which it was made of; none where they give no fit.
fn how_it_does(same: &Candidate, samples: &Samples) -> Option<Vec<HeldOut>> {
    let model = Model::of(same);
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
