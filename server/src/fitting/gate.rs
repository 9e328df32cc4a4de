//! The gate: what has arrived is judged before anything is fitted to it.

use kerncast_training::gate::{self, ArrivedSample};
use sqlx::PgPool;

use super::FittingError;
use crate::{db, forecasts::Champions, heavy::heavy};

/// Judges what waits on a device, where something does that was never judged. `provider`: whose fit follows anyway.
///
/// In a transaction of its own: a verdict is one, whatever becomes of the fit.
pub(super) async fn judge(
    pool: &PgPool,
    device: i32,
    provider: Option<&str>,
) -> Result<(), FittingError> {
    // Most fits have nothing to wait for.
    if !db::gate::anything_new(&mut *pool.acquire().await?, device).await? {
        return Ok(());
    }
    let champions = {
        let ids = db::gate::champions(&mut *pool.acquire().await?, device).await?;
        Champions::load(pool, &ids).await?
    };
    let champions_counters = champions.counters();
    let champions = std::sync::Arc::new(champions);
    loop {
        let mut transaction = pool.begin().await?;
        db::gate::lock(&mut transaction, device).await?;
        if !db::gate::anything_new(&mut transaction, device).await? {
            return Ok(());
        }
        let mut arrived = db::gate::waiting(&mut transaction, device, &champions_counters).await?;
        let ceilings = db::gate::ceilings(&mut transaction, device).await?;
        let models = std::sync::Arc::clone(&champions);
        let (arrived, verdicts) = heavy(move || {
            for ArrivedSample {
                counters,
                forecasts,
                ..
            } in &mut arrived
            {
                *forecasts = models.forecast(counters);
            }
            let verdicts = gate::judge(&arrived, Some(&gate::believable_ceilings(&ceilings)));
            (arrived, verdicts)
        })
        .await?;
        db::gate::store(&mut transaction, &arrived, &verdicts, provider).await?;
        transaction.commit().await?;
    }
}
