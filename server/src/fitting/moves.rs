//! Whether a new champion's forecasts are far from those of the one before: then attention tells of it.

use std::sync::Arc;

use kerncast_models::moved;
use kerncast_training::{Candidate, Samples};
use kerncast_wire::{MovedBecause, Reasons};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    FittingError, Settings,
    suspects::{Suspects, newest},
    threads::compute,
};
use crate::{
    db::sharding::Shards,
    db::{
        forecasters,
        moves::{self, Known},
        new_samples::{sample_ids, uploads_since},
        succession::Change,
        unexplained::{self, Unexplained},
    },
};

/// Stores how far the new champion's forecasts are from earlier ones, and whose samples are new in it where that is
/// news.
pub(super) async fn note(
    connection: &mut PgConnection,
    shards: &Shards,
    change: Change,
) -> Result<(), FittingError> {
    let Change {
        predecessor,
        champion,
    } = change;
    let Some(reference) = moves::reference(connection, predecessor).await? else {
        return Ok(());
    };
    let known = Arc::new(moves::known(connection, shards, reference).await?);
    let before = forecasts(connection, &known, reference).await?;
    let now = forecasts(connection, &known, champion).await?;
    let Some(moved) = moved(&before, &now) else {
        return Ok(());
    };
    let workload = known.workload(moved.worst_at);
    let mut uploads = Vec::new();
    if moved.is_news() {
        let used = sample_ids(connection, champion).await?;
        uploads = uploads_since(connection, reference, &used, None).await?;
    }
    let why = moved.is_news().then(|| Reasons::from(whose(&uploads)));
    moves::store(
        connection,
        champion,
        predecessor,
        reference,
        &moved,
        workload,
        why.as_ref(),
    )
    .await?;
    if uploads.len() > 1 {
        unexplained::add(connection, champion, reference).await?;
    }
    Ok(())
}

/// What a stored model says of each; nothing where it has no fit.
async fn forecasts(
    connection: &mut PgConnection,
    known: &Arc<Known>,
    model: Uuid,
) -> Result<Vec<f64>, FittingError> {
    let Some(forecaster) = forecasters::get(connection, model).await? else {
        return Ok(Vec::new());
    };
    let Ok(fitted) = forecaster.fit else {
        return Ok(Vec::new());
    };
    let known = Arc::clone(known);
    Ok(compute(move || known.forecasts(&forecaster.counters, &fitted)).await?)
}

fn whose(uploads: &[(String, Vec<Uuid>)]) -> MovedBecause {
    let all = uploads
        .iter()
        .map(|(agent, samples)| newest(agent, samples));
    match uploads.is_empty() {
        true => MovedBecause::NothingNew,
        false => MovedBecause::New {
            uploads: all.collect(),
        },
    }
}

/// Finds whose samples did it: the fit is made again without each agent's, but not validated again, which would take
/// a hundred times as long.
pub(super) async fn explain(
    connection: &mut PgConnection,
    settings: &Settings,
    of: &Unexplained,
) -> Result<(), FittingError> {
    let suspects = Suspects::find(connection, of).await?;
    let known = Arc::new(moves::known(connection, &settings.shards, of.before).await?);
    let before = Arc::new(forecasts(connection, &known, of.before).await?);
    let (specification, default_counters) = (of.specification.clone(), of.default_counters);
    let is_well = move |others: &Samples| {
        let same = Candidate::again(&specification, default_counters, others)?;
        let fitted = same.fit_alone()?;
        let now = known.forecasts(&same.training.columns, &fitted);
        Some(!moved(&before, &now)?.is_news())
    };
    let culprits = suspects.culprits(connection, settings, of, is_well).await?;
    let more = match culprits.is_empty() {
        true => MovedBecause::Unexplained,
        false => MovedBecause::Without { uploads: culprits },
    };
    let why = Reasons(vec![whose(&suspects.uploads), more]);
    Ok(moves::explain(connection, of.model, of.before, &why).await?)
}
