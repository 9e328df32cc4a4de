//! How many names there may be: every fit and many listings go through them.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::{BuildHasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
};

use kerncast_wire::Reading;
use sqlx::PgPool;
use tokio::sync::OnceCell;

use crate::db::catalogue;

/// Names of counters that a provider may have in all samples together; ncu and rocprofiler-compute have some
/// thousands.
pub(crate) const MOST_NAMES: usize = 10_000;
/// Providers in all samples together.
const MOST_PROVIDERS: usize = 100;

/// Hashes of names, by provider.
type Known = HashMap<String, HashSet<u64>>;

/// The names that samples have had so far, as this server knows them.
#[derive(Default)]
pub(crate) struct Names {
    hasher: RandomState,
    known: OnceCell<Mutex<Known>>,
}

/// Why a reading's names are too many.
pub(super) struct TooMany<'a> {
    pub(super) provider: &'a str,
    pub(super) found: String,
    pub(super) expected: String,
}

impl Names {
    /// What there is, from the database where nobody has asked it yet.
    pub(super) async fn known(&self, pool: &PgPool) -> sqlx::Result<MutexGuard<'_, Known>> {
        let ask = async || {
            let mut known = Known::new();
            for (provider, name) in catalogue::first_names(pool, MOST_NAMES).await? {
                let names = known.entry(provider).or_default();
                names.insert(self.hasher.hash_one(name));
            }
            Ok::<_, sqlx::Error>(Mutex::new(known))
        };
        let known = self.known.get_or_try_init(ask).await?;
        Ok(known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds a sample's names, unless there would be too many; then none of them.
    pub(super) fn add<'a>(
        &self,
        known: &mut Known,
        readings: &'a BTreeMap<String, Reading>,
    ) -> Result<(), TooMany<'a>> {
        let mut added: Vec<(&str, Vec<u64>)> = Vec::new();
        let mut providers = known.len();
        for (provider, Reading { counters, .. }) in readings {
            let names = known.get(provider);
            let hashes = counters.keys().map(|name| self.hasher.hash_one(name));
            let new = hashes.filter(|hash| names.is_none_or(|names| !names.contains(hash)));
            let new: Vec<u64> = new.collect();
            if new.is_empty() {
                continue;
            }
            let there = names.map_or(0, HashSet::len);
            if there + new.len() > MOST_NAMES {
                return Err(TooMany {
                    provider,
                    found: format!("{} new names beside {there}", new.len()),
                    expected: format!(
                        "at most {MOST_NAMES} names of counters in all samples together"
                    ),
                });
            }
            providers += usize::from(names.is_none());
            if providers > MOST_PROVIDERS {
                return Err(TooMany {
                    provider,
                    found: "a new provider".to_owned(),
                    expected: format!("at most {MOST_PROVIDERS} providers in all samples together"),
                });
            }
            added.push((provider, new));
        }
        for (provider, new) in added {
            known.entry(provider.to_owned()).or_default().extend(new);
        }
        Ok(())
    }
}
