//! How many names there may be: every fit and many listings go through them.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::{BuildHasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
};

use kerncast_wire::{FieldProblem, Reading};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Judged;
use crate::{
    db::names::{self, ByProvider, Count},
    problem::{escaped, field},
};

/// Names of counters that a provider may have in all samples together; ncu and rocprofiler-compute have some
/// thousands.
const MOST_NAMES: usize = 10_000;
/// Providers in all samples together.
const MOST_PROVIDERS: usize = 100;

/// The names that this server has seen stored: an upload that brings no others asks the database nothing.
#[derive(Default)]
pub(crate) struct Names {
    hasher: RandomState,
    /// Hashes of names, by provider.
    seen: Mutex<HashMap<String, HashSet<u64>>>,
}

impl Names {
    /// Rejects samples whose counters' names would be too many, and adds the names of those that are new, by `agent`
    /// or, where it is absent, an admin. Returns names that are stored once the transaction is.
    ///
    /// # Errors
    /// Where the database fails.
    pub(super) async fn admit(
        &self,
        connection: &mut PgConnection,
        batch: &mut [Judged],
        agent: Option<&str>,
    ) -> sqlx::Result<ByProvider> {
        let unseen = self.unseen(batch);
        if unseen.is_empty() {
            return Ok(ByProvider::new());
        }
        // Before everything else that this transaction waits for, so that no two wait for each other.
        names::lock(connection).await?;
        let mut stored = names::stored(connection, &unseen).await?;
        let mut new = unseen;
        for (provider, stored) in &stored {
            if let Some(new) = new.get_mut(provider) {
                new.retain(|name| !stored.contains(name));
            }
        }
        new.retain(|_, names| !names.is_empty());
        if new.is_empty() {
            return Ok(stored);
        }
        let of_providers: Vec<String> = new.keys().cloned().collect();
        let mut counts = Counts {
            agent,
            new,
            providers: names::count_providers(connection, agent).await?,
            names: names::count(connection, &of_providers, agent).await?,
            added: ByProvider::new(),
        };
        let ids = batch
            .iter()
            .flat_map(|it| &it.sample)
            .map(|it| it.sample.id);
        let ids: Vec<Uuid> = ids.collect();
        // Of samples of the same id one is stored, the first.
        let mut taken = names::of_samples(connection, &ids).await?;
        for Judged { index, sample, .. } in batch {
            let Ok(arrival) = sample else { continue };
            if !taken.insert(arrival.sample.id) {
                // It is told by its hash alone whether it repeats what is there.
                arrival.sample.readings.clear();
                continue;
            }
            if let Err(problem) = counts.add(*index, &arrival.sample.readings) {
                taken.remove(&arrival.sample.id);
                *sample = Err(vec![problem]);
            }
        }
        names::add(connection, &counts.added, agent).await?;
        for (provider, names) in counts.added {
            stored.entry(provider).or_default().extend(names);
        }
        Ok(stored)
    }

    /// Those of a batch that this server has not seen stored.
    fn unseen(&self, batch: &[Judged]) -> ByProvider {
        let seen = self.seen();
        let mut unseen = ByProvider::new();
        let arrivals = batch.iter().flat_map(|it| &it.sample);
        for (provider, reading) in arrivals.flat_map(|it| &it.sample.readings) {
            let seen = seen.get(provider);
            for name in reading.counters.keys() {
                if seen.is_none_or(|seen| !seen.contains(&self.hasher.hash_one(name))) {
                    let of_provider = unseen.entry(provider.clone()).or_default();
                    of_provider.insert(name.clone());
                }
            }
        }
        unseen
    }

    /// These are stored.
    pub(super) fn see(&self, stored: ByProvider) {
        let mut seen = self.seen();
        for (provider, names) in stored {
            let hashes = names.into_iter().map(|name| self.hasher.hash_one(name));
            seen.entry(provider).or_default().extend(hashes);
        }
    }

    fn seen(&self) -> MutexGuard<'_, HashMap<String, HashSet<u64>>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What there is, and what a batch adds to it.
struct Counts<'a> {
    /// Whose token it is; absent: an admin's.
    agent: Option<&'a str>,
    /// Names of the batch that nobody has stored.
    new: ByProvider,
    providers: Count,
    names: BTreeMap<String, Count>,
    /// Those of `new` that samples have which are stored.
    added: ByProvider,
}

impl Counts<'_> {
    /// Adds the names of the sample at this place of the batch, or none of them.
    fn add(
        &mut self,
        index: usize,
        readings: &BTreeMap<String, Reading>,
    ) -> Result<(), FieldProblem> {
        let mut added = ByProvider::new();
        let mut new_providers = 0;
        for (provider, Reading { counters, .. }) in readings {
            let Some(new) = self.new.get(provider) else {
                continue;
            };
            let there = self.added.get(provider);
            let names = counters.keys().filter(|&name| {
                new.contains(name) && there.is_none_or(|there| !there.contains(name))
            });
            let names: Vec<String> = names.cloned().collect();
            if names.is_empty() {
                continue;
            }
            let at = || format!("/samples/{index}/readings/{}", escaped(provider));
            let count = self.names.get(provider);
            let left = self.left(MOST_NAMES, count.copied().unwrap_or_default());
            if names.len() > left {
                let found = format!("{} new names", names.len());
                let expected = self.expected(left, MOST_NAMES, "names of its counters");
                return Err(field(at(), found, expected));
            }
            new_providers += usize::from(count.is_none());
            let left = self.left(MOST_PROVIDERS, self.providers);
            if new_providers > left {
                let expected = self.expected(left, MOST_PROVIDERS, "providers");
                return Err(field(at(), "a new provider", expected));
            }
            added.entry(provider.clone()).or_default().extend(names);
        }
        let is_agents = self.agent.is_some();
        self.providers.grow(new_providers, is_agents);
        for (provider, names) in added {
            let count = self.names.entry(provider.clone()).or_default();
            count.grow(names.len(), is_agents);
            self.added.entry(provider).or_default().extend(names);
        }
        Ok(())
    }

    /// How many more there may be. One agent brings as many as it leaves free to others, so that it is never the one
    /// that has used them up.
    fn left(&self, most: usize, Count { all, own }: Count) -> usize {
        let free = most.saturating_sub(all);
        match self.agent {
            Some(_) => free.saturating_sub(own) / 2,
            None => free,
        }
    }

    fn expected(&self, left: usize, most: usize, what: &str) -> String {
        let among = format!("all samples together have {most} at most");
        match self.agent {
            Some(agent) => format!(
                "at most {left} new {what}: {among}, and {agent} brings as many as it leaves to others; an admin's token may bring more"
            ),
            None => format!("at most {left} new {what}: {among}"),
        }
    }
}

impl Count {
    fn grow(&mut self, n: usize, own: bool) {
        self.all += n;
        self.own += if own { n } else { 0 };
    }
}
