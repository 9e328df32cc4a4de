//! The gate: what has arrived is judged before anything is fitted to it.

use kerncast_training::gate::{self, ArrivedSample};
use sqlx::PgPool;

use super::FittingError;
use crate::{cpu_bound::heavy, db, forecasts::Champions};

/// Judges what waits on a device, where something does that was never judged. `provider`: whose fit follows anyway.
///
/// In a transaction of its own: a verdict is one, whatever becomes of the fit.
pub(super) async fn judge(
    pool: &PgPool,
    device: i32,
    provider: Option<&str>,
) -> Result<(), FittingError> {
    // Most fits have nothing to wait for.
    if !db::fitting::gate::anything_new(pool, device).await? {
        return Ok(());
    }
    let champions = {
        let ids = db::fitting::gate::champions(pool, device).await?;
        Champions::load(pool, &ids).await?
    };
    let champions_counters = champions.counters();
    let champions = std::sync::Arc::new(champions);
    loop {
        let mut transaction = db::begin(pool).await?;
        db::fitting::gate::lock(&mut transaction, device).await?;
        if !db::fitting::gate::anything_new(&mut *transaction, device).await? {
            return Ok(());
        }
        let mut arrived =
            db::fitting::gate::waiting(&mut transaction, device, &champions_counters).await?;
        let ceilings = db::fitting::gate::ceilings(&mut transaction, device).await?;
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
        db::fitting::gate::store(&mut transaction, &arrived, &verdicts, provider).await?;
        db::commit(transaction).await?;
    }
}
