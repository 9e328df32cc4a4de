//! Chunks of a trip that are not under way yet.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use super::Piece;
use crate::array::{Origin, Target};

/// In their order.
pub(crate) struct Supply<'a> {
    chunks: Mutex<VecDeque<Supplied<'a>>>,
    cancel: Cancel,
}

/// Ends calls from another thread, as a handler of signals: those of streamers that were
/// [told of it](crate::Streamer::cancel_with). Chunks that are under way are done to their end, and no more are begun. Clones
/// are the same.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Once and for all.
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether somebody has.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// What there is of a chunk: a piece for each segment of each array.
pub(super) struct Supplied<'a> {
    /// Which.
    pub(super) index: usize,
    pub(super) inputs: Vec<(Piece, Origin<'a>)>,
    pub(super) outputs: Vec<(Piece, Target<'a>)>,
}

impl<'a> Supply<'a> {
    pub(crate) fn new(
        chunks: usize,
        inputs: Vec<(Piece, Origin<'a>)>,
        outputs: Vec<(Piece, Target<'a>)>,
        cancel: Cancel,
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
            cancel,
        }
    }

    /// The next one; none where all are taken, or the call is to end.
    pub(super) fn take(&self) -> Option<Supplied<'a>> {
        if self.cancel.is_cancelled() {
            return None;
        }
        let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        chunks.pop_front()
    }

    /// Whether there are chunks that nobody has taken.
    pub(super) fn is_left(&self) -> bool {
        let chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        !chunks.is_empty()
    }
}
