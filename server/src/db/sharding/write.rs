//! Uploads' values and repetitions, written to their shards before the database is told of the samples.
//!
//! So a sample that the database has has its values. Where it does not come to that, what was written is nobody's: a
//! shard knows it by the sample's content too, and it is swept after a day.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use sqlx::PgPool;

use super::{Lost, Shards};
use crate::{
    db::{
        on_shard::{self, TIMES, Values, content},
        shards::{self, Placed},
        upload::{Arrival, FEW},
    },
};

impl Shards {
    /// Writes the values and repetitions of what arrives, but for samples that are stored already, to the shards that they
    /// belong to. A device that is new gets one.
    ///
    /// # Errors
    /// [`Lost`], which names all of these that can't be reached.
    pub(crate) async fn write(&self, pool: &PgPool, arrivals: &[&Arrival]) -> sqlx::Result<Placed> {
        if self.is_empty() || arrivals.is_empty() {
            return Ok(Placed::default());
        }
        let devices: BTreeMap<(&str, &str), _> = arrivals
            .iter()
            .map(|it| &it.sample.device)
            .map(|it| ((&*it.vendor, &*it.name), it))
            .collect();
        let devices = Vec::from_iter(devices.into_values());
        let placed = shards::of_devices(pool, self.numbered(), &devices).await?;
        if placed.is_empty() {
            return Ok(placed);
        }
        let ids: Vec<_> = arrivals.iter().map(|it| it.sample.id).collect();
        let stored = shards::stored(pool, &ids).await?;
        let mut of_shards: BTreeMap<i16, Vec<Values>> = BTreeMap::new();
        for arrival in arrivals {
            let Some(shard) = placed.shard(&arrival.sample) else {
                continue;
            };
            if stored.contains(&arrival.sample.id) {
                continue;
            }
            let content = content(&arrival.content_hash)?;
            let counted = arrival.sample.readings.iter();
            let counted = counted.filter(|(_, reading)| reading.refusal.is_none());
            let values = of_shards.entry(shard).or_default();
            values.extend(counted.map(|(provider, reading)| Values {
                sample_id: arrival.sample.id,
                provider: provider.clone(),
                content,
                values: reading.counters.values().copied().collect(),
            }));
            let times = &arrival.sample.times;
            if times.repetitions_s.len() > FEW {
                values.push(Values {
                    sample_id: arrival.sample.id,
                    provider: TIMES.to_owned(),
                    content,
                    values: [&*times.repetitions_s, &*times.cold_repetitions_s].concat(),
                });
            }
        }
        let writes = of_shards.iter().map(async |(&number, values)| {
            let shard = self.get(number)?;
            shard
                .ask(async |pool| on_shard::write(pool, values).await)
                .await
        });
        let written = join_all(writes).await;
        match Lost::together(written.into_iter().filter_map(Result::err)) {
            None => Ok(placed),
            Some(error) => Err(error),
        }
    }
}
