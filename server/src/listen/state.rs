use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::{sync::Notify, time::Instant};

/// What a connection does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// It waits for a request.
    Idle,
    /// It waits for events, without an end.
    Watching,
    /// It waits for more of a request's body.
    Receiving,
    /// Its request is here; the answer is not sent yet.
    Answering,
    /// The same, and the client is slow to take it. Last, since what was sent already is lost.
    Sending,
}

/// What a connection does, and since when.
pub(super) struct Connection {
    phase: Mutex<(Phase, Instant)>,
    /// Since when nothing can be written; absent where there is nothing to write, or it goes.
    blocked: Mutex<Option<Instant>>,
    close: Notify,
}

impl Connection {
    pub(super) fn new() -> Self {
        Self {
            phase: Mutex::new((Phase::Idle, Instant::now())),
            blocked: Mutex::default(),
            close: Notify::new(),
        }
    }

    pub(super) fn enter(&self, phase: Phase) {
        *self.phase() = (phase, Instant::now());
    }

    /// What was to be written must wait for the client.
    pub(super) fn waits_to_write(&self) {
        *self.blocked() = Some(Instant::now());
    }

    pub(super) fn writes(&self) {
        *self.blocked() = None;
    }

    /// For what it waits and since when, what can best be begun anew first; none where somebody waits for it.
    pub(super) fn waiting(&self) -> Option<(Phase, Instant)> {
        match (*self.phase(), *self.blocked()) {
            ((Phase::Answering, _), None) => None,
            ((Phase::Answering, _), Some(since)) => Some((Phase::Sending, since)),
            (other, _) => Some(other),
        }
    }

    pub(super) fn close(&self) {
        self.close.notify_one();
    }

    pub(super) async fn asked_to_close(&self) {
        self.close.notified().await;
    }

    /// When the last byte came.
    pub(super) fn since(&self) -> Instant {
        self.phase().1
    }

    fn blocked(&self) -> MutexGuard<'_, Option<Instant>> {
        self.blocked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn phase(&self) -> MutexGuard<'_, (Phase, Instant)> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
