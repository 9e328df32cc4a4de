//! The gate: what has arrived is judged before anything is fitted to it.

use std::sync::Arc;

use kerncast_training::gate;
use sqlx::PgPool;

use super::FittingError;
use crate::{
    cpu_bound::heavy,
    db::{self, fitting::gate as stored},
    forecasts::Champions,
};

/// Judges the samples of a device that wait, where some were never judged. `provider`: the one whose fit follows anyway.
///
/// It has transactions of its own: verdicts stay, whatever becomes of the fit.
pub(super) async fn judge(
    pool: &PgPool,
    device: i32,
    provider: Option<&str>,
) -> Result<(), FittingError> {
    // Most fits have nothing to wait for.
    if !stored::has_unjudged(pool, device).await? {
        return Ok(());
    }
    let ids = stored::champions(pool, device).await?;
    let champions = Arc::new(Champions::load(pool, &ids).await?);
    let champions_counters = champions.counters();
    loop {
        let mut transaction = pool.begin().await.map_err(db::Error::from)?;
        stored::lock(&mut transaction, device).await?;
        if !stored::has_unjudged(&mut *transaction, device).await? {
            return Ok(());
        }
        let mut arrived =
            stored::waiting_samples(&mut transaction, device, &champions_counters).await?;
        let ceilings = stored::ceilings(&mut transaction, device).await?;
        let models = Arc::clone(&champions);
        let (arrived, verdicts) = heavy(move || {
            for it in &mut arrived {
                it.forecasts = models.forecast(&it.counters);
            }
            let verdicts = gate::judge(&arrived, Some(&gate::believable_ceilings(&ceilings)));
            (arrived, verdicts)
        })
        .await?;
        stored::store_verdicts(&mut transaction, &arrived, &verdicts, provider).await?;
        transaction.commit().await.map_err(db::Error::from)?;
    }
}
