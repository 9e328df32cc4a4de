//! Models and fits under way between requests. A forecast asks the database only after these have changed; where the
//! database is slow, it is made of what was known before.

mod entry;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kerncast_wire::{Event, FittingJob};
use quick_cache::{Weighter, sync::Cache};
use sqlx::PgPool;
use tokio::{
    sync::broadcast::{Receiver, error::TryRecvError},
    time::{Instant, timeout},
};
use uuid::Uuid;

use self::entry::Entry;
use super::{candidates::Candidates, left_out_speedups::LeftOutSpeedups, model::LoadedModel};
use crate::db::{
    self,
    fitting::{highest_rates, jobs},
    forecasts::{
        devices::{self, KnownDevice},
        stored_models,
    },
};

/// The response of models that forecast times.
pub(super) const TIME_RESPONSE: &str = "time";

/// Most bytes of models; a forest may have megabytes.
const MOST_BYTES: u64 = 256 << 20;
/// About so many models at most.
const MOST_MODELS: usize = 256;

/// Longest wait for what is loaded anew; then what was known before answers, and loading goes on: while many agents
/// upload, each changes something, and the database is slow.
const LOADING_PATIENCE: Duration = Duration::from_millis(10);

/// Candidates, models and what else forecasts need, of earlier requests.
pub(crate) struct ForecastCache {
    pool: PgPool,
    state: Mutex<State>,
    /// Models never change, but are superseded: then hardly anybody asks for them any more.
    models: Cache<Uuid, Arc<LoadedModel>, ModelBytes>,
    /// Speedups by the model and the one that gives a second opinion.
    speedups: Cache<(Uuid, Option<Uuid>), Arc<LeftOutSpeedups>>,
    /// For so long after a change what was known before may still answer.
    good_for: Duration,
}

#[derive(Clone)]
struct ModelBytes;

impl Weighter<Uuid, Arc<LoadedModel>> for ModelBytes {
    fn weight(&self, _: &Uuid, model: &Arc<LoadedModel>) -> u64 {
        // A small one takes some too.
        u64::try_from(model.stored.bytes)
            .unwrap_or(u64::MAX)
            .max(1 << 10)
    }
}

#[derive(Default)]
struct State {
    /// None: nobody tells of changes any more, so nothing is cached.
    changes: Option<Receiver<Event>>,
    candidates: Entry<Arc<Candidates>>,
    jobs: Entry<Arc<[FittingJob]>>,
    /// Devices with a ceiling that a workload exceeds.
    exceeded_ceilings: Entry<Arc<BTreeSet<i64>>>,
    known_devices: Entry<Arc<BTreeMap<i64, KnownDevice>>>,
}

impl State {
    fn forget(&mut self) {
        self.candidates.forget();
        self.jobs.forget();
        self.exceeded_ceilings.forget();
        self.known_devices.forget();
    }
}

impl ForecastCache {
    /// `changes`: what tells of them.
    pub(crate) fn new(pool: PgPool, changes: Option<Receiver<Event>>, good_for: Duration) -> Self {
        Self {
            pool,
            state: Mutex::new(State {
                changes,
                ..State::default()
            }),
            models: Cache::with_weighter(MOST_MODELS, MOST_BYTES, ModelBytes),
            speedups: Cache::new(MOST_MODELS),
            good_for,
        }
    }

    /// All devices' models that may answer.
    pub(super) async fn candidates(self: &Arc<Self>) -> db::Result<Arc<Candidates>> {
        let load = async |pool: PgPool| {
            let models = stored_models::ranked_models(&pool, TIME_RESPONSE).await?;
            Ok(Arc::new(Candidates::new(models)))
        };
        self.get(|state| &mut state.candidates, load).await
    }

    /// The jobs that are not done, without those that were given up.
    pub(super) async fn jobs(self: &Arc<Self>) -> db::Result<Arc<[FittingJob]>> {
        let load = async |pool: PgPool| {
            let jobs = jobs::list(&pool).await?.items.into_iter();
            Ok(jobs.filter(|job| !job.given_up).collect())
        };
        self.get(|state| &mut state.jobs, load).await
    }

    /// Devices with a ceiling that a workload exceeds.
    pub(super) async fn exceeded_ceilings(self: &Arc<Self>) -> db::Result<Arc<BTreeSet<i64>>> {
        let load = async |pool: PgPool| {
            let rates = highest_rates::exceeded_ceilings(&pool).await?.into_iter();
            Ok(Arc::new(rates.map(|it| it.device).collect()))
        };
        self.get(|state| &mut state.exceeded_ceilings, load).await
    }

    /// All devices by their ids.
    pub(super) async fn known_devices(
        self: &Arc<Self>,
    ) -> db::Result<Arc<BTreeMap<i64, KnownDevice>>> {
        let load = async |pool: PgPool| Ok(Arc::new(devices::known_devices(&pool).await?));
        self.get(|state| &mut state.known_devices, load).await
    }

    /// What is cached, or else is loaded now.
    async fn get<T, F>(
        self: &Arc<Self>,
        entry_of: fn(&mut State) -> &mut Entry<T>,
        load: impl FnOnce(PgPool) -> F + Send + 'static,
    ) -> db::Result<T>
    where
        T: Clone + Send + Sync + 'static,
        F: Future<Output = db::Result<T>> + Send + 'static,
    {
        let (stale, loading) = {
            let mut state = self.state();
            let entry = entry_of(&mut state);
            match (&entry.value, entry.changed_at) {
                (Some(value), None) => return Ok(value.clone()),
                (Some(value), Some(at)) if at.elapsed() < self.good_for => {
                    (Some(value.clone()), Arc::clone(&entry.loading))
                }
                _ => (None, Arc::clone(&entry.loading)),
            }
        };
        let (cache, pool) = (Arc::clone(self), self.pool.clone());
        let load = async move || {
            let start = Instant::now();
            let generation = entry_of(&mut cache.state()).generation;
            let value = load(pool).await?;
            let mut state = cache.state();
            if state.changes.is_some() {
                entry_of(&mut state).store(value.clone(), start, generation);
            }
            Ok::<_, db::Error>(value)
        };
        // Where the database is away each is told so, not one after the other.
        let Some(stale) = stale else {
            return load().await;
        };
        // A task, as it goes on where nobody waits for it any longer.
        let task = tokio::spawn(async move { loading.get(load).await });
        let Ok(joined) = timeout(LOADING_PATIENCE, task).await else {
            return Ok(stale);
        };
        let loaded = joined.map_err(db::Error::from)??;
        Ok(T::clone(&loaded))
    }

    /// The model of this id, superseded or not.
    pub(super) async fn model(&self, id: Uuid) -> db::Result<Option<Arc<LoadedModel>>> {
        if let Some(cached) = self.models.get(&id) {
            return Ok(Some(cached));
        }
        let Some(stored) = stored_models::get(&self.pool, id).await? else {
            return Ok(None);
        };
        let model = Arc::new(LoadedModel::new(id, stored));
        self.models.insert(id, Arc::clone(&model));
        Ok(Some(model))
    }

    /// How a model's speedups turned out. `second`: the model that gives a second opinion.
    pub(super) async fn speedups(
        &self,
        model: Uuid,
        second: Option<Uuid>,
    ) -> db::Result<Arc<LeftOutSpeedups>> {
        let key = (model, second);
        // What has changed is forgotten.
        let follows = self.state().changes.is_some();
        if let Some(cached) = self.speedups.get(&key) {
            return Ok(cached);
        }
        let speedups = Arc::new(LeftOutSpeedups::load(&self.pool, model, second).await?);
        if follows {
            self.speedups.insert(key, Arc::clone(&speedups));
        }
        Ok(speedups)
    }

    /// The state after all changes up to now.
    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fitted = BTreeSet::new();
        while let Some(changes) = &mut state.changes {
            match changes.try_recv() {
                Ok(Event::Model { device, .. }) => {
                    self.speedups.clear();
                    state.candidates.change();
                    fitted.insert(device);
                }
                // Whoever rejects samples requests fits.
                Ok(Event::Job { .. }) => {
                    self.speedups.clear();
                    state.jobs.change();
                    state.exceeded_ceilings.change();
                }
                Ok(Event::Ceilings { .. }) => {
                    state.exceeded_ceilings.change();
                    state.known_devices.change();
                }
                // They may know more of their device.
                Ok(Event::Samples { .. }) => state.known_devices.change(),
                Ok(Event::Missed) | Err(TryRecvError::Lagged(_)) => {
                    state.forget();
                    self.models.clear();
                    self.speedups.clear();
                }
                Ok(_) => {}
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Closed) => {
                    state.changes = None;
                    state.forget();
                    self.speedups.clear();
                }
            }
        }
        if !fitted.is_empty() {
            // Those that answered last may do so until others are known.
            let candidates = state.candidates.value.iter().flat_map(|it| it.models());
            let candidates: BTreeSet<Uuid> = candidates.map(|it| it.id).collect();
            self.models.retain(|id, model| {
                !fitted.contains(&model.stored.key.device) || candidates.contains(id)
            });
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast;

    use super::*;
    use crate::db::forecasts::stored_models::{ModelKey, StoredModel};

    fn model(device: i64) -> Arc<LoadedModel> {
        let stored = StoredModel {
            key: ModelKey {
                device,
                counted_on: None,
                provider: "oclgrind".to_owned(),
            },
            method: "ols".to_owned(),
            response: TIME_RESPONSE.to_owned(),
            leave_one_kernel_out_mean_ape: None,
            counters: Vec::new(),
            fit: Err("too few samples".to_owned()),
            calibration: None,
            borrows: false,
            bytes: 0,
        };
        Arc::new(LoadedModel::new(Uuid::now_v7(), stored))
    }

    fn nowhere() -> PgPool {
        PgPool::connect_lazy("postgres://nowhere").unwrap()
    }

    #[tokio::test]
    async fn superseded_fits_are_kept_no_longer() {
        let (sender, changes) = broadcast::channel(4);
        let cache = ForecastCache::new(nowhere(), Some(changes), Duration::ZERO);
        let keep = |device| {
            cache.models.insert(Uuid::now_v7(), model(device));
        };
        let of_devices = || {
            drop(cache.state());
            let devices = cache.models.iter().map(|(_, it)| it.stored.key.device);
            let mut devices = Vec::from_iter(devices);
            devices.sort_unstable();
            devices
        };
        (0..100).for_each(|_| keep(1));
        keep(2);
        assert_eq!(of_devices().len(), 101);
        let fitted = |device| Event::Model {
            device,
            provider: "oclgrind".to_owned(),
            model: Uuid::now_v7(),
        };
        sender.send(fitted(1)).unwrap();
        assert_eq!(of_devices(), [2]);
        keep(1);
        assert_eq!(of_devices(), [1, 2]);
        // Where it is not known whose they were, none stay.
        (0..5).for_each(|_| drop(sender.send(fitted(3))));
        assert!(of_devices().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_there_answers_for_a_while_where_it_takes_long_to_read_anew() {
        let (sender, changes) = broadcast::channel(16);
        let good_for = Duration::from_secs(1);
        let cache = Arc::new(ForecastCache::new(nowhere(), Some(changes), good_for));
        let ask = |new: i64, takes_ms| {
            let load = async move |_| {
                tokio::time::sleep(Duration::from_millis(takes_ms)).await;
                Ok(Arc::new(BTreeSet::from([new])))
            };
            let devices = cache.get(|state| &mut state.exceeded_ceilings, load);
            async { devices.await.unwrap().first().copied().unwrap() }
        };
        let change = || {
            let job = Event::Job {
                device: 1,
                provider: "oclgrind".to_owned(),
            };
            sender.send(job).unwrap();
        };
        assert_eq!(ask(1, 5000).await, 1, "there is nothing else");
        assert_eq!(ask(2, 0).await, 1, "nothing has changed");
        change();
        assert_eq!(ask(2, 5).await, 2);
        change();
        assert_eq!(ask(3, 400).await, 2);
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(ask(4, 0).await, 3, "it was read on");
        // What changes while it is read is read again.
        change();
        assert_eq!(ask(5, 400).await, 3);
        change();
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(ask(6, 400).await, 5);
        tokio::time::sleep(Duration::from_millis(500)).await;
        change();
        // Longer than a second nothing is good after a change.
        assert_eq!(ask(7, 5000).await, 6);
        tokio::time::sleep(Duration::from_millis(1100)).await;
        assert_eq!(ask(8, 5000).await, 8);
        change();
        drop(cache.state());
        tokio::time::sleep(Duration::from_millis(1100)).await;
        assert_eq!(ask(9, 5000).await, 9);
        // Where changes may have been missed, nothing is.
        change();
        sender.send(Event::Missed).unwrap();
        assert_eq!(ask(10, 100).await, 10);
    }
}
