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
}

/// What a connection does, and since when.
pub(super) struct Connection {
    phase: Mutex<(Phase, Instant)>,
    close: Notify,
}

impl Connection {
    pub(super) fn new() -> Self {
        Self {
            phase: Mutex::new((Phase::Idle, Instant::now())),
            close: Notify::new(),
        }
    }

    pub(super) fn enter(&self, phase: Phase) {
        *self.phase() = (phase, Instant::now());
    }

    /// For what it waits and since when, what can best be begun anew first; none where somebody waits for it.
    pub(super) fn waiting(&self) -> Option<(Phase, Instant)> {
        Some(*self.phase()).filter(|(phase, _)| *phase != Phase::Answering)
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

    fn phase(&self) -> MutexGuard<'_, (Phase, Instant)> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
