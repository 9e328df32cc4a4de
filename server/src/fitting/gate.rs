//! The gate: samples that have arrived are judged before anything is fitted to them.

use std::sync::Arc;

use kerncast_training::gate;
use sqlx::PgPool;

use super::{FittingError, gate_forecasts::GateForecaster};
use crate::{
    cpu_bound::heavy,
    db::{
        self,
        fitting::{judgements, waiting_samples},
    },
};

/// Judges the samples of a device that wait, where some were never judged. `provider`: the one whose fit follows anyway.
///
/// It has transactions of its own: judgements stay, whatever becomes of the fit.
pub(super) async fn judge(
    pool: &PgPool,
    device: i32,
    provider: Option<&str>,
) -> Result<(), FittingError> {
    // Most fits have nothing to wait for.
    if !waiting_samples::has_unjudged(pool, device).await? {
        return Ok(());
    }
    let champions = waiting_samples::champions(pool, device).await?;
    let forecaster = Arc::new(GateForecaster::load(pool, &champions).await?);
    let champions_counters = forecaster.counters();
    loop {
        let mut transaction = pool.begin().await.map_err(db::Error::from)?;
        waiting_samples::lock(&mut transaction, device).await?;
        if !waiting_samples::has_unjudged(&mut *transaction, device).await? {
            return Ok(());
        }
        let mut arrived =
            waiting_samples::waiting_samples(&mut transaction, device, &champions_counters).await?;
        let ceilings = waiting_samples::ceilings(&mut transaction, device).await?;
        let forecaster = Arc::clone(&forecaster);
        let (arrived, judgements) = heavy(move || {
            for it in &mut arrived {
                it.forecasts = forecaster.forecast(&it.counters);
            }
            let judgements = gate::judge(&arrived, Some(&gate::believable_ceilings(&ceilings)));
            (arrived, judgements)
        })
        .await?;
        judgements::store(&mut transaction, &arrived, &judgements, provider).await?;
        transaction.commit().await.map_err(db::Error::from)?;
    }
}
