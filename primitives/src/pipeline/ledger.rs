//! What the threads of a trip know of each other: one lock, and one condition to wait for.

use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use kerncast_opencl::{Event, Pinned, Transfer};

use super::{Busy, Piece};
use crate::{
    StreamError,
    array::{Origin, Target},
};

/// Shared by the threads of one trip.
pub(super) struct Ledger<'a> {
    book: Mutex<Book<'a>>,
    changed: Condvar,
}

/// What there is, and what is under way.
#[derive(Default)]
pub(super) struct Book<'a> {
    /// To be brought to the device, in order.
    pub(super) to_fill: VecDeque<(Piece, Origin<'a>)>,
    /// Under way to the device, in order; whether it is staging memory, and not the user's.
    pub(super) flying: VecDeque<(Transfer, bool)>,
    /// Threads that may add to `flying`.
    pub(super) fillers: usize,
    /// Back from the device, to be copied to where it belongs.
    pub(super) arrived: VecDeque<(Target<'a>, usize, Pinned)>,
    /// Whether nothing more will arrive.
    pub(super) all_arrived: bool,
    /// Staging memory that nobody uses.
    pub(super) free_in: Vec<Pinned>,
    /// The same for what comes back.
    pub(super) free_out: Vec<Pinned>,
    /// By chunk.
    pub(super) chunks: Vec<Chunk>,
    pub(super) busy: Busy,
    pub(super) failed: Option<StreamError>,
    pub(super) stopped: bool,
}

/// How far a chunk is. Events are of commands that were enqueued and flushed.
#[derive(Default)]
pub(super) struct Chunk {
    /// Pieces that are not yet enqueued towards the device.
    pub(super) to_fill: usize,
    pub(super) filled: Vec<Event>,
    /// Whether it is launched.
    pub(super) launched: bool,
    /// The last launch, where there is one.
    pub(super) computed: Vec<Event>,
    /// Pieces that are not yet enqueued from the device.
    pub(super) to_read: usize,
    pub(super) read: Vec<Event>,
}

/// Ends the trip where its thread panics: nobody waits for a thread that is gone.
pub(super) struct Watch<'l, 'a>(pub(super) &'l Ledger<'a>);

impl<'a> Ledger<'a> {
    pub(super) fn new(book: Book<'a>) -> Self {
        Self {
            book: Mutex::new(book),
            changed: Condvar::new(),
        }
    }

    /// Waits until `find` finds something; none where the trip has failed.
    pub(super) fn wait<T>(&self, mut find: impl FnMut(&mut Book<'a>) -> Option<T>) -> Option<T> {
        let mut book = self.lock();
        loop {
            if book.stopped {
                return None;
            }
            if let Some(found) = find(&mut book) {
                return Some(found);
            }
            let waited = self.changed.wait(book);
            book = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Enters something, and wakes who waits.
    pub(super) fn enter<T>(&self, change: impl FnOnce(&mut Book<'a>) -> T) -> T {
        let result = change(&mut self.lock());
        self.changed.notify_all();
        result
    }

    /// Ends the trip; the first reason counts.
    pub(super) fn fail(&self, why: StreamError) {
        self.enter(|book| {
            book.stopped = true;
            book.failed.get_or_insert(why);
        });
    }

    /// At the end: why it failed, and the book.
    pub(super) fn close(self) -> (Option<StreamError>, Book<'a>) {
        let book = self.book.into_inner();
        let mut book = book.unwrap_or_else(PoisonError::into_inner);
        (book.failed.take(), book)
    }

    fn lock(&self) -> MutexGuard<'_, Book<'a>> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watch<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.enter(|book| book.stopped = true);
        }
    }
}
