//! How a model's speedups turned out for kernels that were left out of its fit, and measured before and after a change.

use kerncast_models::{LeftOutPair, SecondSpeedup, Speedups};
use kerncast_wire::{SpeedupErrors, SpeedupVerdict};
use sqlx::PgPool;
use uuid::Uuid;

use crate::db::{
    self,
    forecasts::speedups::{Pair, pairs},
};

/// The speedups of one model.
pub(super) struct LeftOutSpeedups {
    /// Each pair of samples, with the verdict on it by the other kernels alone.
    pub(super) pairs: Vec<(Pair, Option<SpeedupVerdict>)>,
    pub(super) speedups: Speedups,
    pub(super) errors: Option<SpeedupErrors>,
}

impl LeftOutSpeedups {
    /// `second`: the model that gives a second opinion, where there is one.
    pub(super) async fn load(pool: &PgPool, model: Uuid, second: Option<Uuid>) -> db::Result<Self> {
        let pairs = pairs(pool, model, second).await?;
        let left_out = pairs.iter().filter_map(|pair| {
            Some(LeftOutPair {
                kernel: pair.kernel.clone(),
                measured: pair.measured,
                forecast: pair.forecast?,
                expected_error: pair.doubt,
                second: SecondSpeedup::new(second.is_some(), pair.second),
            })
        });
        let speedups = Speedups::new(left_out.collect());
        let mut verdicts = speedups.left_out();
        let with_verdict = |pair: Pair| {
            let verdict = pair.forecast.and_then(|_| verdicts.next());
            (pair, verdict.and_then(Result::ok))
        };
        let pairs = pairs.into_iter().map(with_verdict).collect();
        drop(verdicts);
        Ok(Self {
            pairs,
            errors: speedups.errors(),
            speedups,
        })
    }
}
