//! Tokens between requests, so that most requests need not ask the database who sends them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use kerncast_wire::Event;
use sqlx::PgPool;
use tokio::sync::broadcast::{Receiver, error::TryRecvError};

use super::Bearer;
use crate::{
    db::{self, access::tokens::Hash},
    events::Events,
};

/// The database tells of changes at once. Should it ever fail to, a token lives no longer than this.
const LONGEST_LIFE: Duration = Duration::from_secs(5);

/// Tokens that the database has vouched for since they last changed.
pub(crate) struct TokenCache {
    pool: PgPool,
    state: Mutex<State>,
}

struct State {
    /// None: nobody tells of changes any more, so nothing is cached.
    changes: Option<Receiver<Event>>,
    /// What was read before a change is not cached after it.
    changes_seen: u64,
    bearers: HashMap<Hash, (Instant, Arc<Bearer>)>,
}

impl TokenCache {
    pub(super) fn new(events: &Events, pool: PgPool) -> Self {
        Self {
            pool,
            state: Mutex::new(State {
                changes: events.watch(),
                changes_seen: 0,
                bearers: HashMap::new(),
            }),
        }
    }

    /// Who bears the token of this hash, where the cache knows it.
    pub(super) fn get(&self, hash: &Hash) -> Option<Arc<Bearer>> {
        let mut state = self.state();
        let (read_at, bearer) = state.bearers.get(hash)?;
        if read_at.elapsed() < LONGEST_LIFE {
            return Some(Arc::clone(bearer));
        }
        state.bearers.remove(hash);
        None
    }

    /// Asks the database who bears the token of this hash; nobody where it is not valid (any more).
    pub(super) async fn look_up(&self, hash: &Hash) -> db::Result<Option<Arc<Bearer>>> {
        let changes_seen = self.state().changes_seen;
        let read_at = Instant::now();
        let Some(token) = db::access::tokens::find(&self.pool, hash).await? else {
            return Ok(None);
        };
        // A disk that is full keeps nobody from reading.
        if let Err(error) = db::access::tokens::note_use(&self.pool, token.id).await {
            tracing::warn!("that token {} was used can't be noted: {error}", token.id);
        }
        let bearer = Arc::new(Bearer::new(token));
        let mut state = self.state();
        if state.changes.is_some() && state.changes_seen == changes_seen {
            state.bearers.insert(*hash, (read_at, Arc::clone(&bearer)));
        }
        Ok(Some(bearer))
    }

    /// Forgets all, before the database has told of a change that this server itself has made.
    pub(crate) fn clear(&self) {
        let mut state = self.state();
        state.changes_seen += 1;
        state.bearers.clear();
    }

    /// The state, up to date with all changes that were told meanwhile.
    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(changes) = &mut state.changes {
            match changes.try_recv() {
                Ok(Event::Access | Event::Missed) | Err(TryRecvError::Lagged(_)) => {}
                Ok(_) => continue,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Closed) => state.changes = None,
            }
            state.changes_seen += 1;
            state.bearers.clear();
        }
        state
    }
}
