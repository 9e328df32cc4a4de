//! Chunks of a trip that nobody has taken yet: devices take them as they become free.

use std::{
    collections::VecDeque,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use super::Piece;
use crate::array::{Origin, Target};

/// In their order.
pub(crate) struct Supply<'a> {
    chunks: Mutex<VecDeque<Supplied<'a>>>,
    stopped: AtomicBool,
}

/// What there is of a chunk: a piece for each segment of each array.
pub(super) struct Supplied<'a> {
    /// Which.
    pub(super) index: usize,
    pub(super) inputs: Vec<(Piece, Origin<'a>)>,
    pub(super) outputs: Vec<(Piece, Target<'a>)>,
}

/// Stops a supply whose device panics: others may wait for its chunks.
pub(super) struct Stop<'s, 'a>(pub(super) &'s Supply<'a>);

impl<'a> Supply<'a> {
    pub(crate) fn new(
        chunks: usize,
        inputs: Vec<(Piece, Origin<'a>)>,
        outputs: Vec<(Piece, Target<'a>)>,
    ) -> Self {
        let none = |index| Supplied {
            index,
            inputs: Vec::new(),
            outputs: Vec::new(),
        };
        let mut all: VecDeque<_> = (0..chunks).map(none).collect();
        for (piece, origin) in inputs {
            all[piece.chunk].inputs.push((piece, origin));
        }
        for (piece, target) in outputs {
            all[piece.chunk].outputs.push((piece, target));
        }
        Self {
            chunks: Mutex::new(all),
            stopped: AtomicBool::new(false),
        }
    }

    /// The next one; none where all are taken, or nobody is to take more.
    pub(super) fn take(&self) -> Option<Supplied<'a>> {
        if self.stopped.load(Relaxed) {
            return None;
        }
        let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        chunks.pop_front()
    }

    /// Nobody takes more.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Set when the trip has failed: what others have taken may never be done.
    pub(super) fn stopped(&self) -> &AtomicBool {
        &self.stopped
    }
}

impl Drop for Stop<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
