//! How far a new champion's forecasts are from those of the one before.

use std::sync::Arc;

use kerncast_models::forecast_shift;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{FittingError, threads::compute};
use crate::db::{
    fitting::{
        moves::{self, FittedWorkloads},
        succession::Change,
    },
    forecasts::stored_models,
};

/// Stores how far the new champion's forecasts are from earlier ones.
pub(super) async fn store_move(
    connection: &mut PgConnection,
    change: Change,
) -> Result<(), FittingError> {
    let Some(reference) = moves::reference(connection, change.predecessor).await? else {
        return Ok(());
    };
    let workloads = Arc::new(moves::fitted_workloads(connection, reference).await?);
    let before = forecasts(connection, &workloads, reference).await?;
    let now = forecasts(connection, &workloads, change.champion).await?;
    let Some(moved) = forecast_shift(&before, &now) else {
        return Ok(());
    };
    let workload = workloads.workload(moved.worst_at);
    Ok(moves::store(connection, change, reference, &moved, workload).await?)
}

/// What a stored model forecasts of each workload; empty where it has no fit.
async fn forecasts(
    connection: &mut PgConnection,
    workloads: &Arc<FittedWorkloads>,
    model: Uuid,
) -> Result<Vec<f64>, FittingError> {
    let Some(stored) = stored_models::get(connection, model).await? else {
        return Ok(Vec::new());
    };
    let Ok(fitted) = stored.fit else {
        return Ok(Vec::new());
    };
    let workloads = Arc::clone(workloads);
    Ok(compute(move || workloads.forecasts(&stored.counters, &fitted)).await?)
}
