//! The ledger: state that the threads of a trip share, behind one lock, with a condition variable for each kind of news. One
//! variable for all would wake every thread for every piece.

use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, atomic::AtomicU64},
    thread,
};

use kerncast_opencl::{Event, Pinned, Transfer};

use super::{Busy, Piece};
use crate::{
    StreamError,
    array::{SinkPart, SourcePart},
};

/// The state that the threads of one trip share.
pub(super) struct Ledger<'a> {
    /// Bytes that moved or are moving, in all trips.
    pub(super) moved_bytes: Arc<AtomicU64>,
    book: Mutex<Book<'a>>,
    conditions: [Condvar; 6],
}

/// The events that threads wait for.
#[derive(Clone, Copy)]
pub(super) enum News {
    /// Staging memory is free for a filler, or none will be.
    FreeIn,
    /// A piece is under way to the device, or no more will be.
    Flying,
    /// A chunk was taken, its pieces are all enqueued, it was launched, or its results are all enqueued; or no chunk is left.
    Progress,
    /// There may be results to read: a chunk was taken or launched, or staging memory is free; or no chunk is left.
    Readable,
    /// A result is to be copied from staging memory, or no more will be.
    Arrived,
    /// There may be a piece to bring to the device: a chunk has ended, so that another one may be taken, or one was taken.
    Fillable,
}

/// The chunks and pieces of a trip, and how far they are.
#[derive(Default)]
pub(super) struct Book<'a> {
    /// Pieces to bring to the device, in order.
    pub(super) to_fill: VecDeque<(Piece, SourcePart<'a>)>,
    /// Pieces under way to the device, in order.
    pub(super) flying: VecDeque<FlyingPiece>,
    /// Threads that may add to `flying`.
    pub(super) fillers: usize,
    /// Results in staging memory, to be copied to their sinks: with their bytes.
    pub(super) arrived: VecDeque<(SinkPart<'a>, usize, Pinned)>,
    /// Whether nothing more will arrive.
    pub(super) all_arrived: bool,
    /// Free staging memory for pieces to the device.
    pub(super) free_in: Vec<Pinned>,
    /// Free staging memory for pieces from the device.
    pub(super) free_out: Vec<Pinned>,
    /// Chunks that were taken from the supply.
    pub(super) chunks: Vec<Chunk<'a>>,
    /// How many of them have ended.
    pub(super) ended: usize,
    /// Whether the supply has no more chunks.
    pub(super) no_more_chunks: bool,
    pub(super) busy: Busy,
    pub(super) failure: Option<StreamError>,
    pub(super) stopped: bool,
}

/// A piece under way to the device.
pub(super) struct FlyingPiece {
    pub(super) transfer: Transfer,
    pub(super) chunk: usize,
    /// Whether its memory is staging memory, and not the caller's.
    pub(super) is_staged: bool,
}

/// A chunk and how far it is. The events are of commands that were enqueued and flushed.
#[derive(Default)]
pub(super) struct Chunk<'a> {
    /// The place of the chunk in the trip.
    pub(super) index: usize,
    /// Pieces that are not yet enqueued towards the device.
    pub(super) to_fill: usize,
    pub(super) fill_events: Vec<Event>,
    pub(super) is_launched: bool,
    /// The event of the last launch; none where the step launches nothing.
    pub(super) last_launch: Option<Event>,
    /// Pieces to bring back, until the reader takes them.
    pub(super) outputs: Vec<(Piece, SinkPart<'a>)>,
    /// Pieces that are not yet enqueued from the device.
    pub(super) to_read: usize,
    pub(super) read_events: Vec<Event>,
    /// Pieces in both directions that have not ended.
    pub(super) to_end: usize,
}

impl Book<'_> {
    /// Notes that a piece of a chunk has ended. Returns whether the chunk has.
    pub(super) fn end_piece(&mut self, chunk: usize) -> bool {
        let chunk = &mut self.chunks[chunk];
        chunk.to_end -= 1;
        let ends = chunk.to_end == 0;
        self.ended += usize::from(ends);
        ends
    }
}

/// Ends the trip where its thread panics: nobody waits for a thread that is gone.
pub(super) struct StopOnPanic<'l, 'a>(pub(super) &'l Ledger<'a>);

impl<'a> Ledger<'a> {
    pub(super) fn new(book: Book<'a>, moved_bytes: Arc<AtomicU64>) -> Self {
        Self {
            moved_bytes,
            book: Mutex::new(book),
            conditions: Default::default(),
        }
    }

    /// Waits until `find` returns something, which may change at `news`; none where the trip was stopped.
    pub(super) fn wait<T>(
        &self,
        news: News,
        mut find: impl FnMut(&mut Book<'a>) -> Option<T>,
    ) -> Option<T> {
        let mut book = self.lock();
        loop {
            if book.stopped {
                return None;
            }
            if let Some(result) = find(&mut book) {
                return Some(result);
            }
            let waited = self.conditions[news as usize].wait(book);
            book = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Changes the book.
    pub(super) fn enter<T>(&self, change: impl FnOnce(&mut Book<'a>) -> T) -> T {
        change(&mut self.lock())
    }

    /// Wakes one thread that waits for this news: there is work for one.
    pub(super) fn wake_one(&self, news: News) {
        self.conditions[news as usize].notify_one();
    }

    /// Wakes all threads that wait for this news.
    pub(super) fn wake_all(&self, news: News) {
        self.conditions[news as usize].notify_all();
    }

    /// Stops the trip. The first failure is reported.
    pub(super) fn fail(&self, why: StreamError) {
        self.enter(|book| {
            book.failure.get_or_insert(why);
        });
        self.stop();
    }

    fn stop(&self) {
        self.enter(|book| book.stopped = true);
        for condition in &self.conditions {
            condition.notify_all();
        }
    }

    /// Closes the ledger. Returns the trip's failure and its book.
    pub(super) fn close(self) -> (Option<StreamError>, Book<'a>) {
        let book = self.book.into_inner();
        let mut book = book.unwrap_or_else(PoisonError::into_inner);
        (book.failure.take(), book)
    }

    fn lock(&self) -> MutexGuard<'_, Book<'a>> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
