//! Forecasts of samples that have arrived, for the gate.

use kerncast_training::gate::{ChampionForecast, SampleCounters};
use kerncast_wire::CounterSet;
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    db::{self, fitting::history::ChampionCounters, forecasts::stored_models},
    forecasts::{LoadedModel, PostedSet},
};

/// The models that answer for a device's own counters, one a provider.
pub(super) struct GateForecaster(Vec<LoadedModel>);

impl GateForecaster {
    pub(super) async fn load(pool: &PgPool, models: &[Uuid]) -> db::Result<Self> {
        let mut champions = Vec::new();
        for &model in models {
            // Whoever borrows knows too little of the device to judge what it measures.
            let stored = stored_models::get(pool, model).await?;
            if let Some(stored) = stored.filter(|it| !it.borrows) {
                champions.push(LoadedModel::new(model, stored));
            }
        }
        Ok(Self(champions))
    }

    /// The counters that each takes.
    pub(super) fn counters(&self) -> Vec<ChampionCounters> {
        let takes = |it: &LoadedModel| ChampionCounters {
            provider: it.stored.key.provider.clone(),
            counters: it.counters().cloned().collect(),
        };
        self.0.iter().map(takes).collect()
    }

    /// The forecasts of a sample with these counters (`PROVIDER:NAME`), by each champion that misses none of them and
    /// has intervals: one of a few kernels, which can't say how far off it is, judges nobody.
    pub(super) fn forecast(&self, counters: &SampleCounters) -> Vec<ChampionForecast> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let mut by_provider = CounterSet::default();
        for (name, &value) in counters {
            if let Some((provider, name)) = name.split_once(':') {
                let named = by_provider.entry(provider.to_owned()).or_default();
                named.insert(name.to_owned(), value);
            }
        }
        let set = PostedSet::from_counters(by_provider);
        let champions = self.0.iter();
        champions.filter_map(|it| forecast(it, &set)).collect()
    }
}

fn forecast(champion: &LoadedModel, set: &PostedSet) -> Option<ChampionForecast> {
    let provider = &champion.stored.key.provider;
    set.counters.get(provider)?;
    let answer = champion.answer(set).ok()?;
    let factor = answer.reach?;
    (answer.missing.is_empty() && answer.value > 0.0).then(|| ChampionForecast {
        provider: provider.clone(),
        time_s: answer.value,
        factor: Some(factor),
    })
}
