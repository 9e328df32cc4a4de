//! The pipeline of a trip: arrays go through the device chunk by chunk, several chunks at once.
//!
//! A chunk is what a launch works on; it has a slot, which is a set of buffers on the device. A piece is what moves at
//! once: small enough to stay in the host's cache from being staged until the device fetches it. Three queues of the
//! device (in, compute, out) are ordered by events. On the host
//!
//! - *fillers* copy pieces of pageable memory into pinned memory and enqueue them. Pieces of pinned memory
//!   are enqueued as they are;
//! - one thread waits for them, in order, and frees the pinned memory;
//! - the caller enqueues launches, when a chunk's pieces are all enqueued;
//! - one thread enqueues and awaits what comes back, and *drainers* copy it to where it belongs.
//!
//! Thus only two threads ever wait for the device, however many copy. This matters because drivers wait by spinning.
//! Idle threads wait for a change of the [ledger].

mod cut;
mod from_device;
mod ledger;
mod mapped;
mod supply;
mod to_device;

use std::{
    sync::{Arc, atomic::AtomicU64},
    thread,
    time::Instant,
};

use kerncast_opencl::{Buffer, Event, Function, OpenClError, Pinned, Queue};
use serde::Serialize;

pub(crate) use cut::{Piece, Segment, Slice, in_order, pieces};
use ledger::{Book, Ledger, News, StopOnPanic};
pub use supply::Cancel;
pub(crate) use supply::Supply;
use to_device::Destination;

use crate::{StreamError, memory::Lease};

/// Enqueues the launches of a chunk, by its index.
pub(crate) type Compute<'m> =
    &'m mut dyn FnMut(usize, &Slot, &mut Launches<'_>) -> Result<(), OpenClError>;

/// A trip: its queues, its memory and threads, and what it computes.
pub(crate) struct Trip<'m> {
    /// The queues for copies in, for launches, and for copies out.
    pub(crate) queues: &'m [Queue; 3],
    /// Staging memory for pieces to the device, and from it.
    pub(crate) staging: &'m mut [Vec<Pinned>; 2],
    /// Threads that copy: to the device, and from it.
    pub(crate) threads: [usize; 2],
    /// The most bytes of a piece that is staged.
    pub(crate) piece_bytes: usize,
    /// The counter of all bytes that move.
    pub(crate) moved_bytes: Arc<AtomicU64>,
    /// The slots of chunks, used in turn. Without slots the device works on the host's memory.
    pub(crate) slots: &'m [Slot],
    /// Whether the results lie in the buffers of the inputs.
    pub(crate) in_place: bool,
    pub(crate) compute: Compute<'m>,
}

/// A chunk's buffers.
pub(crate) struct Slot {
    pub(crate) buffers_in: Vec<Arc<Buffer>>,
    pub(crate) buffers_out: Vec<Arc<Buffer>>,
    /// The leases of these buffers; none if they are the host's memory, or leased elsewhere.
    pub(crate) _leases: Vec<Lease>,
}

/// The launches of a chunk.
pub(crate) struct Launches<'q> {
    queue: &'q Queue,
    after: Vec<Event>,
    events: &'q mut Vec<Event>,
}

/// How long the parts of the machine were busy, seconds.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Busy {
    /// Copying to pinned memory, or reading files: all threads together.
    pub staging: f64,
    /// Copying to the device, by its events.
    pub to_device: f64,
    /// Launches, by their events.
    pub device: f64,
    /// Copying from the device, by its events.
    pub from_device: f64,
    /// Copying from pinned memory, or writing files: all threads together.
    pub unstaging: f64,
}

impl Launches<'_> {
    /// Enqueues a launch of `groups` work-groups of `local` work-items after the command before it.
    pub(crate) fn launch(
        &mut self,
        function: &Function,
        groups: usize,
        local: usize,
    ) -> Result<(), OpenClError> {
        self.enqueue(|queue, after| queue.launch(function, &[groups * local], &[local], after))
    }

    /// Copies the first `bytes` of a buffer over those of another.
    pub(crate) fn copy(
        &mut self,
        bytes: usize,
        from: &Buffer,
        to: &Buffer,
    ) -> Result<(), OpenClError> {
        self.enqueue(|queue, after| queue.copy_first(bytes, from, to, after))
    }

    /// Sets every byte of a buffer to 0.
    pub(crate) fn zero(&mut self, buffer: &Buffer) -> Result<(), OpenClError> {
        self.enqueue(|queue, after| queue.fill(buffer, 0, after))
    }

    fn enqueue(
        &mut self,
        command: impl FnOnce(&Queue, &[&Event]) -> Result<Event, OpenClError>,
    ) -> Result<(), OpenClError> {
        let after: Vec<&Event> = self.after.iter().collect();
        let event = command(self.queue, &after)?;
        self.after.clear();
        self.events.push(event);
        Ok(())
    }
}

/// Runs a trip until no chunk is left, the call is cancelled, or something fails. Results that came out before stay.
pub(crate) fn run(supply: &Supply<'_>, trip: Trip<'_>) -> Result<Busy, StreamError> {
    let busy = if trip.slots.is_empty() {
        mapped::map(supply, trip)?
    } else {
        stream(supply, trip)?
    };
    // A cancelled trip leaves chunks in the supply.
    if supply.has_chunks() {
        return Err(StreamError::Cancelled);
    }
    Ok(busy)
}

/// Runs a trip with slots.
fn stream(supply: &Supply<'_>, trip: Trip<'_>) -> Result<Busy, StreamError> {
    let [staging_in, staging_out] = trip.staging;
    let book = Book {
        fillers: trip.threads[0],
        free_in: std::mem::take(staging_in),
        free_out: std::mem::take(staging_out),
        ..Book::default()
    };
    let ledger = Ledger::new(book, trip.moved_bytes);
    let destination = Destination {
        slots: trip.slots,
        in_place: trip.in_place,
        piece_bytes: trip.piece_bytes,
    };
    let (queues, threads) = (trip.queues, trip.threads);
    let launches = run_threads(&ledger, supply, queues, threads, destination, trip.compute);
    // Commands that were enqueued end before their buffers are used again, even after a failure.
    let finished = queues[1].finish();
    let (failure, mut book) = ledger.close();
    *staging_in = book.free_in;
    *staging_out = book.free_out;
    if let Some(why) = failure {
        return Err(why);
    }
    finished?;
    for launch in &launches {
        book.busy.device += seconds(launch)?;
    }
    Ok(book.busy)
}

/// Runs the threads of a trip until it ends. The calling thread enqueues the launches, whose events are returned.
fn run_threads<'a>(
    ledger: &Ledger<'a>,
    supply: &Supply<'a>,
    [queue_in, queue, queue_out]: &[Queue; 3],
    [threads_in, threads_out]: [usize; 2],
    destination: Destination<'_>,
    compute: Compute<'_>,
) -> Vec<Event> {
    let slots = destination.slots;
    thread::scope(|scope| {
        for _ in 0..threads_in {
            scope.spawn(move || {
                let _guard = StopOnPanic(ledger);
                to_device::fill(ledger, supply, queue_in, destination);
            });
        }
        scope.spawn(move || {
            let _guard = StopOnPanic(ledger);
            to_device::retire(ledger);
        });
        scope.spawn(move || {
            let _guard = StopOnPanic(ledger);
            from_device::read(ledger, queue_out, slots);
        });
        for _ in 0..threads_out {
            scope.spawn(move || {
                let _guard = StopOnPanic(ledger);
                from_device::drain(ledger);
            });
        }
        let _guard = StopOnPanic(ledger);
        launch_chunks(ledger, slots, queue, compute)
    })
}

/// Enqueues the launches of each chunk once its pieces are enqueued, until no chunk is left. Returns their events.
fn launch_chunks(
    ledger: &Ledger<'_>,
    slots: &[Slot],
    queue: &Queue,
    compute: Compute<'_>,
) -> Vec<Event> {
    let mut events = Vec::new();
    for chunk in 0.. {
        let next = ledger.wait(News::Progress, |book| next_launch(book, chunk, slots.len()));
        let Some(Some((index, after))) = next else {
            break;
        };
        let earlier = events.len();
        let mut launches = Launches {
            queue,
            after,
            events: &mut events,
        };
        let slot = &slots[chunk % slots.len()];
        if let Err(why) = compute(index, slot, &mut launches).and_then(|()| queue.flush()) {
            ledger.fail(why.into());
            continue;
        }
        ledger.enter(|book| {
            let chunk = &mut book.chunks[chunk];
            chunk.is_launched = true;
            chunk.last_launch = events[earlier..].last().cloned();
        });
        ledger.wake_all(News::Progress);
        ledger.wake_one(News::Readable);
    }
    events
}

/// The index of a chunk in the trip, and the events that its launches wait for, once its pieces and the former results of
/// its slot are enqueued. Inner none: there is no such chunk. Outer none: not yet.
fn next_launch(
    book: &mut Book<'_>,
    chunk: usize,
    slots: usize,
) -> Option<Option<(usize, Vec<Event>)>> {
    if chunk == book.chunks.len() {
        return book.no_more_chunks.then_some(None);
    }
    let before = chunk.checked_sub(slots);
    let is_slot_free = before.is_none_or(|before| book.chunks[before].to_read == 0);
    let filled = &mut book.chunks[chunk];
    if filled.to_fill > 0 || !is_slot_free {
        return None;
    }
    let (index, mut after) = (filled.index, std::mem::take(&mut filled.fill_events));
    if let Some(before) = before {
        after.append(&mut book.chunks[before].read_events);
    }
    Some(Some((index, after)))
}

/// How long a command took that has ended.
fn seconds(event: &Event) -> Result<f64, OpenClError> {
    let (start, end) = event.start_and_end()?;
    Ok(end.saturating_sub(start) as f64 * 1e-9)
}

/// The result of a copy, and its seconds.
fn time<T>(copy: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = copy();
    (result, start.elapsed().as_secs_f64())
}
