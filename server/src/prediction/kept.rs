//! Models between requests: a forecast asks the database only after models have changed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kerncast_wire::Event;
use quick_cache::{Weighter, sync::Cache};
use sqlx::PgPool;
use tokio::sync::broadcast::{Receiver, error::TryRecvError};
use uuid::Uuid;

use super::{answer::Answering, candidates::Candidates};
use crate::{db::forecasters, events::Events};

/// What forecasts are of.
pub(super) const TIME: &str = "time";

/// Most bytes of fits that are kept; a forest may have megabytes.
const MOST_BYTES: u64 = 256 << 20;
/// About as many fits.
const FITS: usize = 256;

/// Candidates and fits of earlier requests.
pub(crate) struct Kept {
    state: Mutex<State>,
    /// By model and level. Models never change.
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
    /// Counts changes: what was read before one is not kept after it.
    changed: u64,
    candidates: Option<Arc<Candidates>>,
}

impl Kept {
    pub(crate) fn new(events: &Events) -> Self {
        let state = State {
            changes: events.watch(),
            changed: 0,
            candidates: None,
        };
        Self {
            state: Mutex::new(state),
            fits: Cache::with_weighter(FITS, MOST_BYTES, Bytes),
        }
    }

    /// As [`forecasters::candidates`].
    pub(super) async fn candidates(&self, pool: &PgPool) -> sqlx::Result<Arc<Candidates>> {
        let changed = {
            let state = self.state();
            if let Some(kept) = &state.candidates {
                return Ok(Arc::clone(kept));
            }
            state.changed
        };
        let read = Arc::new(Candidates::new(forecasters::candidates(pool, TIME).await?));
        let mut state = self.state();
        if state.changes.is_some() && state.changed == changed {
            state.candidates = Some(Arc::clone(&read));
        }
        Ok(read)
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
        while let Some(changes) = &mut state.changes {
            match changes.try_recv() {
                Ok(Event::Model { .. } | Event::Missed) | Err(TryRecvError::Lagged(_)) => {}
                Ok(_) => continue,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Closed) => state.changes = None,
            }
            state.changed += 1;
            state.candidates = None;
        }
        state
    }
}
