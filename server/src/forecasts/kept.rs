//! Models and fits under way between requests: a forecast asks the database only after these have changed, and where that
//! takes long, it is answered with what was there.

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

use super::{answer::Answering, candidates::Candidates, known_speedups::Known};
use crate::{
    coalesce::Coalesced,
    db::{
        self,
        fitting::{highest_rates, jobs},
        forecasts::{
            forecasters,
            machines::{self, Machine},
        },
    },
    events::Events,
};

/// What forecasts are of.
pub(super) const TIME: &str = "time";

/// Most bytes of fits that are kept; a forest may have megabytes.
const MOST_BYTES: u64 = 256 << 20;
/// About as many fits.
const FITS: usize = 256;

/// Where what has changed can't be read anew in this time, an answer is made of what was there: while many upload, each
/// changes something, and the database is slow.
const PATIENCE: Duration = Duration::from_millis(10);

/// Candidates and fits of earlier requests.
pub(crate) struct Kept {
    state: Mutex<State>,
    /// By model. Models never change, but are superseded: then hardly anybody asks for them any more.
    fits: Cache<Uuid, Arc<Answering>, Bytes>,
    /// By the model and the one that gives a second opinion.
    speedups: Cache<(Uuid, Option<Uuid>), Arc<Known>>,
    /// So long after a change what was read before it may still answer.
    good_for: Duration,
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Uuid, Arc<Answering>> for Bytes {
    fn weight(&self, _: &Uuid, fit: &Arc<Answering>) -> u64 {
        // A small one takes some too.
        u64::try_from(fit.forecaster.bytes)
            .unwrap_or(u64::MAX)
            .max(1 << 10)
    }
}

struct State {
    /// None: nobody tells of changes any more, so nothing is kept.
    changes: Option<Receiver<Event>>,
    candidates: Read<Arc<Candidates>>,
    jobs: Read<Arc<[FittingJob]>>,
    /// Devices with a ceiling that a workload exceeds.
    beaten: Read<Arc<BTreeSet<i64>>>,
    machines: Read<Arc<BTreeMap<i64, Machine>>>,
}

impl State {
    fn forget(&mut self) {
        self.candidates.forget();
        self.jobs.forget();
        self.beaten.forget();
        self.machines.forget();
    }
}

/// What was read.
struct Read<T> {
    kept: Option<T>,
    /// Since when it may be otherwise.
    changed_at: Option<Instant>,
    /// Counts changes.
    changes: u64,
    /// Counts those after which nothing from before is good.
    forgotten: u64,
    reading: Arc<Coalesced<T>>,
}

impl<T> Default for Read<T> {
    fn default() -> Self {
        Self {
            kept: None,
            changed_at: None,
            changes: 0,
            forgotten: 0,
            reading: Arc::default(),
        }
    }
}

impl<T> Read<T> {
    /// It may be otherwise from now on.
    fn change(&mut self) {
        self.changes += 1;
        self.changed_at.get_or_insert_with(Instant::now);
    }

    /// For how long it has been otherwise is not known.
    fn forget(&mut self) {
        self.forgotten += 1;
        self.change();
        self.kept = None;
    }

    /// Keeps what was read from `start` on, when there had been so many changes.
    fn keep(&mut self, found: T, start: Instant, (changes, forgotten): (u64, u64)) {
        if self.forgotten == forgotten {
            self.kept = Some(found);
            self.changed_at = (self.changes != changes).then_some(start);
        }
    }
}

impl Kept {
    pub(crate) fn new(events: &Events, good_for: Duration) -> Self {
        Self::following(events.watch(), good_for)
    }

    fn following(changes: Option<Receiver<Event>>, good_for: Duration) -> Self {
        let state = State {
            changes,
            candidates: Read::default(),
            jobs: Read::default(),
            beaten: Read::default(),
            machines: Read::default(),
        };
        Self {
            state: Mutex::new(state),
            fits: Cache::with_weighter(FITS, MOST_BYTES, Bytes),
            speedups: Cache::new(FITS),
            good_for,
        }
    }

    /// As [`forecasters::candidates`].
    pub(super) async fn candidates(self: &Arc<Self>, pool: &PgPool) -> db::Result<Arc<Candidates>> {
        let read = async |pool: PgPool| {
            let models = forecasters::candidates(&pool, TIME).await?;
            Ok(Arc::new(Candidates::new(models)))
        };
        self.read(pool, |state| &mut state.candidates, read).await
    }

    /// As [`jobs::list`], without those that were given up.
    pub(super) async fn jobs(self: &Arc<Self>, pool: &PgPool) -> db::Result<Arc<[FittingJob]>> {
        let read = async |pool: PgPool| {
            let jobs = jobs::list(&pool).await?.items.into_iter();
            Ok(jobs.filter(|job| !job.given_up).collect())
        };
        self.read(pool, |state| &mut state.jobs, read).await
    }

    /// Devices with a ceiling that a workload exceeds.
    pub(super) async fn beaten(self: &Arc<Self>, pool: &PgPool) -> db::Result<Arc<BTreeSet<i64>>> {
        let read = async |pool: PgPool| {
            let beaten = highest_rates::beaten(&pool).await?.into_iter();
            Ok(Arc::new(beaten.map(|it| it.device).collect()))
        };
        self.read(pool, |state| &mut state.beaten, read).await
    }

    /// As [`machines::machines`].
    pub(super) async fn machines(
        self: &Arc<Self>,
        pool: &PgPool,
    ) -> db::Result<Arc<BTreeMap<i64, Machine>>> {
        let read = async |pool: PgPool| Ok(Arc::new(machines::machines(&pool).await?));
        self.read(pool, |state| &mut state.machines, read).await
    }

    /// What is kept, or else is read now.
    async fn read<T, F>(
        self: &Arc<Self>,
        pool: &PgPool,
        of: fn(&mut State) -> &mut Read<T>,
        read: impl FnOnce(PgPool) -> F + Send + 'static,
    ) -> db::Result<T>
    where
        T: Clone + Send + Sync + 'static,
        F: Future<Output = db::Result<T>> + Send + 'static,
    {
        let (old, reading) = {
            let mut state = self.state();
            let there = of(&mut state);
            match (&there.kept, there.changed_at) {
                (Some(kept), None) => return Ok(kept.clone()),
                (Some(kept), Some(at)) if at.elapsed() < self.good_for => {
                    (Some(kept.clone()), Arc::clone(&there.reading))
                }
                _ => (None, Arc::clone(&there.reading)),
            }
        };
        let (kept, pool) = (Arc::clone(self), pool.clone());
        let make = async move || {
            let (start, before) = (Instant::now(), {
                let mut state = kept.state();
                let there = of(&mut state);
                (there.changes, there.forgotten)
            });
            let found = read(pool).await?;
            let mut state = kept.state();
            if state.changes.is_some() {
                of(&mut state).keep(found.clone(), start, before);
            }
            Ok::<_, db::Error>(found)
        };
        // Where the database is away each is told so, not one after the other.
        let Some(old) = old else {
            return make().await;
        };
        // A task, as it goes on where nobody waits for it any longer.
        let found = tokio::spawn(async move { reading.get(make).await });
        let Ok(found) = timeout(PATIENCE, found).await else {
            return Ok(old);
        };
        let found = found.map_err(db::Error::from)??;
        Ok(T::clone(&found))
    }

    /// The model of this id, superseded or not.
    pub(super) async fn fit(
        &self,
        pool: &PgPool,
        model: Uuid,
    ) -> db::Result<Option<Arc<Answering>>> {
        if let Some(kept) = self.fits.get(&model) {
            return Ok(Some(kept));
        }
        let Some(read) = forecasters::get(pool, model).await? else {
            return Ok(None);
        };
        let read = Arc::new(Answering::new(model, read));
        self.fits.insert(model, Arc::clone(&read));
        Ok(Some(read))
    }

    /// What is known of the speedups that a model forecasts.
    pub(super) async fn speedups(
        &self,
        pool: &PgPool,
        model: Uuid,
        second: Option<Uuid>,
    ) -> db::Result<Arc<Known>> {
        let key = (model, second);
        // What has changed is forgotten.
        let follows = self.state().changes.is_some();
        if let Some(kept) = self.speedups.get(&key) {
            return Ok(kept);
        }
        let read = Arc::new(Known::read(pool, model, second).await?);
        if follows {
            self.speedups.insert(key, Arc::clone(&read));
        }
        Ok(read)
    }

    /// After what has changed meanwhile.
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
                    state.beaten.change();
                }
                Ok(Event::Ceilings { .. }) => {
                    state.beaten.change();
                    state.machines.change();
                }
                // They may know more of their device.
                Ok(Event::Samples { .. }) => state.machines.change(),
                Ok(Event::Missed) | Err(TryRecvError::Lagged(_)) => {
                    state.forget();
                    self.fits.clear();
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
            let answer = state.candidates.kept.iter().flat_map(|it| it.models());
            let answer: BTreeSet<Uuid> = answer.map(|it| it.model).collect();
            self.fits.retain(|model, fit| {
                !fitted.contains(&fit.forecaster.device) || answer.contains(model)
            });
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast;

    use super::*;
    use crate::db::forecasts::forecasters::Forecaster;

    fn fit(device: i64) -> Arc<Answering> {
        let forecaster = Forecaster {
            device,
            counted_on: None,
            provider: "oclgrind".to_owned(),
            method: "ols".to_owned(),
            response: TIME.to_owned(),
            leave_one_kernel_out_mean_ape: None,
            counters: Vec::new(),
            fit: Err("too few samples".to_owned()),
            calibration: None,
            borrows: false,
            bytes: 0,
        };
        Arc::new(Answering::new(Uuid::now_v7(), forecaster))
    }

    #[test]
    fn superseded_fits_are_kept_no_longer() {
        let (sender, changes) = broadcast::channel(4);
        let kept = Kept::following(Some(changes), Duration::ZERO);
        let keep = |device| {
            kept.fits.insert(Uuid::now_v7(), fit(device));
        };
        let of_devices = || {
            drop(kept.state());
            let devices = kept.fits.iter().map(|(_, fit)| fit.forecaster.device);
            let mut devices = Vec::from_iter(devices);
            devices.sort_unstable();
            devices
        };
        (0..100).for_each(|_| keep(1));
        keep(2);
        assert_eq!(of_devices().len(), 101);
        let model = |device| Event::Model {
            device,
            provider: "oclgrind".to_owned(),
            model: Uuid::now_v7(),
        };
        sender.send(model(1)).unwrap();
        assert_eq!(of_devices(), [2]);
        keep(1);
        assert_eq!(of_devices(), [1, 2]);
        // Where it is not known whose they were, none stay.
        (0..5).for_each(|_| drop(sender.send(model(3))));
        assert!(of_devices().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_there_answers_for_a_while_where_it_takes_long_to_read_anew() {
        let (sender, changes) = broadcast::channel(16);
        let good_for = Duration::from_secs(1);
        let kept = Arc::new(Kept::following(Some(changes), good_for));
        let nowhere = PgPool::connect_lazy("postgres://nowhere").unwrap();
        let ask = |new: i64, takes_ms| {
            let read = async move |_| {
                tokio::time::sleep(Duration::from_millis(takes_ms)).await;
                Ok(Arc::new(BTreeSet::from([new])))
            };
            let found = kept.read(&nowhere, |state| &mut state.beaten, read);
            async { found.await.unwrap().first().copied().unwrap() }
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
        drop(kept.state());
        tokio::time::sleep(Duration::from_millis(1100)).await;
        assert_eq!(ask(9, 5000).await, 9);
        // Where changes may have been missed, nothing is.
        change();
        sender.send(Event::Missed).unwrap();
        assert_eq!(ask(10, 100).await, 10);
    }
}
