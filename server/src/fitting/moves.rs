//! Whether a new champion's forecasts are far from those of the one before: then attention tells of it.

use std::sync::Arc;

use kerncast_models::moved;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{FittingError, threads::compute};
use crate::db::{
    fitting::{
        moves::{self, Known},
        succession::Change,
    },
    forecasts::forecasters,
};

/// Stores how far the new champion's forecasts are from earlier ones.
pub(super) async fn note(
    connection: &mut PgConnection,
    change: Change,
) -> Result<(), FittingError> {
    let (predecessor, champion) = (change.predecessor, change.champion);
    let Some(reference) = moves::reference(connection, predecessor).await? else {
        return Ok(());
    };
    let known = Arc::new(moves::known(connection, reference).await?);
    let before = forecasts(connection, &known, reference).await?;
    let now = forecasts(connection, &known, champion).await?;
    let Some(moved) = moved(&before, &now) else {
        return Ok(());
    };
    let workload = known.workload(moved.worst_at);
    moves::store(
        connection,
        champion,
        predecessor,
        reference,
        &moved,
        workload,
    )
    .await?;
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
