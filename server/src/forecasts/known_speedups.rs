//! What is known of a model's speedups: of kernels left out that were measured before and after a change.

use kerncast_models::{LeftOutPair, Second, Speedups};
use kerncast_wire::{SpeedupErrors, SpeedupVerdict};
use sqlx::PgPool;
use uuid::Uuid;

use crate::db::{
    self,
    forecasts::speedups::{Pair, pairs},
};

pub(super) struct Known {
    /// With the verdict on each by the other kernels alone.
    pub(super) pairs: Vec<(Pair, Option<SpeedupVerdict>)>,
    pub(super) speedups: Speedups,
    pub(super) errors: Option<SpeedupErrors>,
}

impl Known {
    /// Of a model, and of the one that gives a second opinion, where there is one.
    pub(super) async fn read(pool: &PgPool, model: Uuid, second: Option<Uuid>) -> db::Result<Self> {
        let pairs = pairs(pool, model, second).await?;
        let left_out = pairs.iter().filter_map(|pair| {
            Some(LeftOutPair {
                kernel: pair.kernel.clone(),
                measured: pair.measured,
                forecast: pair.forecast?,
                doubt: pair.doubt,
                second: Second::of(second.is_some(), pair.second),
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
