//! What the threads of a device's part of a trip know of each other: one lock, and a condition for each kind of news.
//!
//! One condition for all would wake every thread for every piece.

use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, atomic::AtomicU64},
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
    /// Bytes that are under way or there, of all trips.
    pub(super) moved: Arc<AtomicU64>,
    book: Mutex<Book<'a>>,
    changed: [Condvar; 6],
}

/// What somebody waits for.
#[derive(Clone, Copy)]
pub(super) enum News {
    /// Staging memory is free for a filler, or none will be.
    FreeIn,
    /// A piece is under way to the device, or no more will be.
    Flying,
    /// A chunk is taken, its pieces are all enqueued, it is launched, or its results are all enqueued; or no more are taken.
    Progress,
    /// There may be something to read: a chunk is taken or launched, or staging memory is free; or no more are taken.
    Readable,
    /// Something is to be copied where it belongs, or nothing more will be.
    Arrived,
    /// There may be something to bring to the device: a chunk has ended, so that another one may be taken, or is taken.
    Fillable,
}

/// What there is, and what is under way.
#[derive(Default)]
pub(super) struct Book<'a> {
    /// To be brought to the device, in order.
    pub(super) to_fill: VecDeque<(Piece, Origin<'a>)>,
    /// Under way to the device, in order; of which chunk, and whether it is staging memory, and not the user's.
    pub(super) flying: VecDeque<(Transfer, usize, bool)>,
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
    /// Those that this device has taken.
    pub(super) chunks: Vec<Chunk<'a>>,
    /// How many of them have ended.
    pub(super) ended: usize,
    /// Whether it will take no more.
    pub(super) all_taken: bool,
    pub(super) busy: Busy,
    pub(super) failed: Option<StreamError>,
    pub(super) stopped: bool,
}

/// How far a chunk is. Events are of commands that were enqueued and flushed.
#[derive(Default)]
pub(super) struct Chunk<'a> {
    /// Which of the trip's.
    pub(super) index: usize,
    /// Pieces that are not yet enqueued towards the device.
    pub(super) to_fill: usize,
    pub(super) filled: Vec<Event>,
    /// Whether it is launched.
    pub(super) launched: bool,
    /// The last launch, where there is one.
    pub(super) computed: Vec<Event>,
    /// What is to come back, until its reader takes it.
    pub(super) outputs: Vec<(Piece, Target<'a>)>,
    /// Pieces that are not yet enqueued from the device.
    pub(super) to_read: usize,
    pub(super) read: Vec<Event>,
    /// Pieces of both ways that have not ended.
    pub(super) to_end: usize,
}

impl Book<'_> {
    /// A piece of a chunk has ended; whether the chunk has.
    pub(super) fn ends(&mut self, chunk: usize) -> bool {
        let here = &mut self.chunks[chunk];
        here.to_end -= 1;
        let ends = here.to_end == 0;
        self.ended += usize::from(ends);
        ends
    }
}

/// Ends the trip where its thread panics: nobody waits for a thread that is gone.
pub(super) struct Watch<'l, 'a>(pub(super) &'l Ledger<'a>);

impl<'a> Ledger<'a> {
    pub(super) fn new(book: Book<'a>, moved: Arc<AtomicU64>) -> Self {
        Self {
            moved,
            book: Mutex::new(book),
            changed: Default::default(),
        }
    }

    /// Waits until `find` finds something; none where the trip has failed.
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
            if let Some(found) = find(&mut book) {
                return Some(found);
            }
            let waited = self.changed[news as usize].wait(book);
            book = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Enters something.
    pub(super) fn enter<T>(&self, change: impl FnOnce(&mut Book<'a>) -> T) -> T {
        change(&mut self.lock())
    }

    /// Wakes one who waits for it: of what was entered there is enough for one.
    pub(super) fn tell(&self, news: News) {
        self.changed[news as usize].notify_one();
    }

    /// Wakes all who wait for it.
    pub(super) fn tell_all(&self, news: News) {
        self.changed[news as usize].notify_all();
    }

    /// Ends the trip; the first reason counts.
    pub(super) fn fail(&self, why: StreamError) {
        self.enter(|book| {
            book.failed.get_or_insert(why);
        });
        self.stop();
    }

    fn stop(&self) {
        self.enter(|book| book.stopped = true);
        for changed in &self.changed {
            changed.notify_all();
        }
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
            self.0.stop();
        }
    }
}
