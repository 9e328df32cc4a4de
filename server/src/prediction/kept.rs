//! Models between requests: a forecast asks the database only after models have changed.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kerncast_wire::Event;
use sqlx::PgPool;
use tokio::sync::broadcast::{Receiver, error::TryRecvError};
use uuid::Uuid;

use super::{answer::Answering, candidates::Candidates};
use crate::{db::forecasters, events::Events};

/// What forecasts are of.
pub(super) const TIME: &str = "time";

/// Most fits that are kept; a forest may have megabytes.
const MOST_FITS: usize = 64;

/// What answered before.
pub(crate) struct Kept(Mutex<State>);

struct State {
    /// None: nobody tells of changes any more, so no candidates are kept.
    changes: Option<Receiver<Event>>,
    /// Counts changes: what was read before one is not kept after it.
    changed: u64,
    candidates: Option<Arc<Candidates>>,
    /// By model and level. Models never change.
    fits: HashMap<(Uuid, u64), Arc<Answering>>,
}

impl Kept {
    pub(crate) fn new(events: &Events) -> Self {
        Self(Mutex::new(State {
            changes: events.watch(),
            changed: 0,
            candidates: None,
            fits: HashMap::new(),
        }))
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
        if let Some(kept) = self.state().fits.get(&key) {
            return Ok(Some(Arc::clone(kept)));
        }
        let Some(read) = forecasters::get(pool, model).await? else {
            return Ok(None);
        };
        let read = Arc::new(Answering::new(model, read, level));
        let mut state = self.state();
        if state.fits.len() >= MOST_FITS {
            state.fits.clear();
        }
        state.fits.insert(key, Arc::clone(&read));
        Ok(Some(read))
    }

    /// After what has changed meanwhile.
    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
