//! The chunks of a trip that wait for their turn.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use super::Piece;
use crate::array::{SinkPart, SourcePart};

/// The waiting chunks, in order.
pub(crate) struct Supply<'a> {
    chunks: Mutex<VecDeque<WaitingChunk<'a>>>,
    cancel: Cancel,
}

/// A cancellation, for instance by a signal handler, that ends calls from another thread. Give it to streamers by
/// [`cancel_with`](crate::Streamer::cancel_with). Chunks under way are finished; no other chunk is started. All clones
/// act as one.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Cancels the calls; this can't be undone.
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether somebody called [`cancel`](Self::cancel).
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// A chunk that waits: a piece for each segment of each array.
pub(super) struct WaitingChunk<'a> {
    /// The place of the chunk in the trip.
    pub(super) index: usize,
    pub(super) inputs: Vec<(Piece, SourcePart<'a>)>,
    pub(super) outputs: Vec<(Piece, SinkPart<'a>)>,
}

impl<'a> Supply<'a> {
    pub(crate) fn new(
        chunks: usize,
        inputs: Vec<(Piece, SourcePart<'a>)>,
        outputs: Vec<(Piece, SinkPart<'a>)>,
        cancel: Cancel,
    ) -> Self {
        let empty = |index| WaitingChunk {
            index,
            inputs: Vec::new(),
            outputs: Vec::new(),
        };
        let mut all: VecDeque<_> = (0..chunks).map(empty).collect();
        for (piece, source) in inputs {
            all[piece.chunk].inputs.push((piece, source));
        }
        for (piece, sink) in outputs {
            all[piece.chunk].outputs.push((piece, sink));
        }
        Self {
            chunks: Mutex::new(all),
            cancel,
        }
    }

    /// The next chunk; none where no chunk is left, or the call was cancelled.
    pub(super) fn take(&self) -> Option<WaitingChunk<'a>> {
        if self.cancel.is_cancelled() {
            return None;
        }
        let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        chunks.pop_front()
    }

    /// Whether chunks are left.
    pub(super) fn has_chunks(&self) -> bool {
        let chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        !chunks.is_empty()
    }
}
