//! Models and fits under way between requests: a forecast asks the database only after these have changed.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kerncast_wire::{Event, FittingJob};
use quick_cache::{Weighter, sync::Cache};
use sqlx::PgPool;
use tokio::sync::broadcast::{Receiver, error::TryRecvError};
use uuid::Uuid;

use super::{answer::Answering, candidates::Candidates};
use crate::{
    db::{
        forecasters, jobs,
        machines::{self, Machine},
        rates,
    },
    events::Events,
};

/// What forecasts are of.
pub(super) const TIME: &str = "time";

/// Most bytes of fits that are kept; a forest may have megabytes.
const MOST_BYTES: u64 = 256 << 20;
/// About as many fits.
const FITS: usize = 256;

/// Candidates and fits of earlier requests.
pub(crate) struct Kept {
    state: Mutex<State>,
    /// By model and level. Models never change, but are superseded: then hardly anybody asks for them any more.
    fits: Cache<(Uuid, u64), Arc<Answering>, Bytes>,
}

#[derive(Clone)]
struct Bytes;

impl Weighter<(Uuid, u64), Arc<Answering>> for Bytes {
    fn weight(&self, _: &(Uuid, u64), fit: &Arc<Answering>) -> u64 {
        // A small one takes some too.
        u64::try_from(fit.forecaster.bytes)
            .unwrap_or(u64::MAX)
            .max(1 << 10)
    }
}

struct State {
    /// None: nobody tells of changes any more, so no candidates are kept.
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

/// What was read, until it changes.
struct Read<T> {
    /// Counts changes: what was read before one is not kept after it.
    changed: u64,
    kept: Option<T>,
}

impl<T> Default for Read<T> {
    fn default() -> Self {
        Self {
            changed: 0,
            kept: None,
        }
    }
}

impl<T> Read<T> {
    fn forget(&mut self) {
        self.changed += 1;
        self.kept = None;
    }
}

impl Kept {
    pub(crate) fn new(events: &Events) -> Self {
        Self::following(events.watch())
    }

    fn following(changes: Option<Receiver<Event>>) -> Self {
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
        }
    }

    /// As [`forecasters::candidates`].
    pub(super) async fn candidates(&self, pool: &PgPool) -> sqlx::Result<Arc<Candidates>> {
        let read = async || {
            Ok(Arc::new(Candidates::new(
                forecasters::candidates(pool, TIME).await?,
            )))
        };
        self.read(|state| &mut state.candidates, read).await
    }

    /// As [`jobs::list`], without those that were given up.
    pub(super) async fn jobs(&self, pool: &PgPool) -> sqlx::Result<Arc<[FittingJob]>> {
        let read = async || {
            let jobs = jobs::list(pool).await?.items.into_iter();
            Ok(jobs.filter(|job| !job.given_up).collect())
        };
        self.read(|state| &mut state.jobs, read).await
    }

    /// Devices with a ceiling that a workload exceeds.
    pub(super) async fn beaten(&self, pool: &PgPool) -> sqlx::Result<Arc<BTreeSet<i64>>> {
        let read = async || {
            let beaten = rates::beaten(pool).await?.into_iter();
            Ok(Arc::new(beaten.map(|it| it.device).collect()))
        };
        self.read(|state| &mut state.beaten, read).await
    }

    /// As [`machines::machines`].
    pub(super) async fn machines(
        &self,
        pool: &PgPool,
    ) -> sqlx::Result<Arc<BTreeMap<i64, Machine>>> {
        let read = async || Ok(Arc::new(machines::machines(pool).await?));
        self.read(|state| &mut state.machines, read).await
    }

    /// What is kept, or else is read now.
    async fn read<T: Clone>(
        &self,
        of: impl Fn(&mut State) -> &mut Read<T>,
        read: impl AsyncFnOnce() -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        let changed = {
            let mut state = self.state();
            let Read { kept, changed } = of(&mut state);
            if let Some(kept) = kept {
                return Ok(kept.clone());
            }
            *changed
        };
        let found = read().await?;
        let mut state = self.state();
        let is_told = state.changes.is_some();
        let there = of(&mut state);
        if is_told && there.changed == changed {
            there.kept = Some(found.clone());
        }
        Ok(found)
    }

    /// The model of this id, superseded or not, with intervals of this level.
    pub(super) async fn fit(
        &self,
        pool: &PgPool,
        model: Uuid,
        level: f64,
    ) -> sqlx::Result<Option<Arc<Answering>>> {
        let key = (model, level.to_bits());
        if let Some(kept) = self.fits.get(&key) {
            return Ok(Some(kept));
        }
        let Some(read) = forecasters::get(pool, model).await? else {
            return Ok(None);
        };
        let read = Arc::new(Answering::new(model, read, level));
        self.fits.insert(key, Arc::clone(&read));
        Ok(Some(read))
    }

    /// After what has changed meanwhile.
    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fitted = BTreeSet::new();
        while let Some(changes) = &mut state.changes {
            match changes.try_recv() {
                Ok(Event::Model { device, .. }) => {
                    state.candidates.forget();
                    fitted.insert(device);
                }
                Ok(Event::Job { .. }) => {
                    state.jobs.forget();
                    state.beaten.forget();
                }
                Ok(Event::Ceilings { .. }) => {
                    state.beaten.forget();
                    state.machines.forget();
                }
                // They may know more of their device.
                Ok(Event::Samples { .. }) => state.machines.forget(),
                Ok(Event::Missed) | Err(TryRecvError::Lagged(_)) => {
                    state.forget();
                    self.fits.clear();
                }
                Ok(_) => {}
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Closed) => {
                    state.changes = None;
                    state.forget();
                }
            }
        }
        if !fitted.is_empty() {
            let stays = |_: &_, fit: &Arc<Answering>| !fitted.contains(&fit.forecaster.device);
            self.fits.retain(stays);
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast;

    use super::*;
    use crate::db::forecasters::Forecaster;

    fn fit(device: i64) -> Arc<Answering> {
        let forecaster = Forecaster {
            device,
            counted_on: None,
            provider: "oclgrind".to_owned(),
            method: "ols".to_owned(),
            response: TIME.to_owned(),
            leave_one_kernel_out_mean_ape: None,
            leave_one_kernel_out_factor: None,
            signs: None,
            counters: Vec::new(),
            fit: Err("too few samples".to_owned()),
            calibration: None,
            foreseen: None,
            bytes: 0,
        };
        Arc::new(Answering::new(Uuid::now_v7(), forecaster, 0.9))
    }

    #[test]
    fn superseded_fits_are_kept_no_longer() {
        let (sender, changes) = broadcast::channel(4);
        let kept = Kept::following(Some(changes));
        let keep = |device| {
            kept.fits.insert((Uuid::now_v7(), 0), fit(device));
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
}
