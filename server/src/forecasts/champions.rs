//! What champions say of samples that have arrived, for the gate.

use std::collections::BTreeSet;

use kerncast_training::gate::{Counted, Said};
use kerncast_wire::CounterSet;
use sqlx::PgPool;
use uuid::Uuid;

use super::{
    answer::{Answer, Answering},
    asked::Set,
};
use crate::db::{self, fitting::history::Takes, forecasts::forecasters};

/// The models that answer for a device's own counters, one a provider.
pub(crate) struct Champions(Vec<Answering>);

impl Champions {
    /// # Errors
    /// Where the database fails.
    pub(crate) async fn read(pool: &PgPool, models: &[Uuid]) -> db::Result<Self> {
        let mut champions = Vec::new();
        for &model in models {
            // Whoever borrows knows too little of the device to judge what it measures.
            let forecaster = forecasters::get(pool, model).await?;
            if let Some(forecaster) = forecaster.filter(|it| !it.borrows) {
                champions.push(Answering::new(model, forecaster));
            }
        }
        Ok(Self(champions))
    }

    /// What each takes.
    pub(crate) fn take(&self) -> Vec<Takes> {
        let takes = |it: &Answering| Takes {
            provider: it.forecaster.provider.clone(),
            counters: it.takes().cloned().collect(),
        };
        self.0.iter().map(takes).collect()
    }

    /// The forecasts of a sample with these counters (`PROVIDER:NAME`), by each champion that misses none of them and
    /// has intervals: one of a few kernels, which can't say how far off it is, judges nobody.
    pub(crate) fn say(&self, counters: &Counted) -> Vec<Said> {
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
        let set = Set {
            measured_on: None,
            name: None,
            measured: None,
            counted_on_time_s: None,
            counters: by_provider,
            providers: BTreeSet::new(),
            at: String::new(),
        };
        self.0.iter().filter_map(|it| said(it, &set)).collect()
    }
}

fn said(champion: &Answering, set: &Set) -> Option<Said> {
    let provider = &champion.forecaster.provider;
    set.counters.get(provider)?;
    let answer = champion.answer(set).ok()?;
    let factor = champion.reach(&answer)?;
    let Answer { value, missing, .. } = answer;
    (missing.is_empty() && value > 0.0).then(|| Said {
        provider: provider.clone(),
        time_s: value,
        factor: Some(factor),
    })
}
