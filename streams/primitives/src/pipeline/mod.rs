//! A trip: arrays through the device, chunk by chunk, while other chunks are on their way.
//!
//! A chunk is what a launch sees, and has a slot: buffers on the device. A piece is what is moved at once,
//! small enough to stay in the host's cache between being staged and being fetched by the device. Three
//! queues of the device (in, compute, out) are ordered by events; on the host
//!
//! - *fillers* copy pieces of pageable memory into pinned memory and enqueue them. Pieces of pinned memory
//!   are enqueued as they are;
//! - one thread waits for them, in order, and frees the pinned memory;
//! - the caller enqueues launches, when a chunk's pieces are all enqueued;
//! - one thread enqueues and awaits what comes back, and *drainers* copy it to where it belongs.
//!
//! So only two threads ever wait for the device, however many copy: drivers wait by spinning. Who has
//! nothing to do waits for the [ledger](ledger) to change.

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

pub(crate) use cut::{Piece, Segment, in_order, pieces_of, pieces_to};
use ledger::{Book, Ledger, News, Watch};
pub use supply::Cancel;
pub(crate) use supply::Supply;
use to_device::Filled;

use crate::StreamError;

/// What a trip is done with.
pub(crate) struct Hand<'m, F> {
    pub(crate) means: Means<'m>,
    /// Used in turn. Without any the arrays are the device's for each chunk, where they lie.
    pub(crate) slots: &'m [Slot],
    /// Whether what comes back lies in the buffers of what came.
    pub(crate) in_place: bool,
    /// Enqueues the launches of a chunk, by its index.
    pub(crate) compute: F,
}

/// A chunk's buffers.
pub(crate) struct Slot {
    pub(crate) buffers_in: Vec<Arc<Buffer>>,
    pub(crate) buffers_out: Vec<Arc<Buffer>>,
}

/// What a trip takes of its device.
pub(crate) struct Means<'m> {
    /// In, compute, out.
    pub(crate) queues: &'m [Queue; 3],
    /// Staging memory: of pieces to the device, and from it.
    pub(crate) staging: &'m mut [Vec<Pinned>; 2],
    /// Threads that copy: to the device, and from it.
    pub(crate) lanes: [usize; 2],
    /// What is staged at once.
    pub(crate) piece_bytes: usize,
    /// Told of every byte that is moved.
    pub(crate) moved: Arc<AtomicU64>,
}

/// The launches of a chunk.
pub(crate) struct Launches<'q> {
    queue: &'q Queue,
    after: Vec<Event>,
    done: &'q mut Vec<Event>,
}

/// How long the parts of the machine were busy, in seconds.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Busy {
    /// Copying to pinned memory, or reading files: all threads together.
    pub staging: f64,
    /// The bus towards the device, by its events.
    pub to_device: f64,
    /// Launches, by their events.
    pub device: f64,
    /// The bus from the device, by its events.
    pub from_device: f64,
    /// Copying from pinned memory, or writing files: all threads together.
    pub unstaging: f64,
}

impl Launches<'_> {
    /// One launch in groups of `local`, after the one before it.
    pub(crate) fn launch(
        &mut self,
        function: &Function,
        groups: usize,
        local: usize,
    ) -> Result<(), OpenClError> {
        self.next(|queue, after| queue.launch(function, &[groups * local], &[local], after))
    }

    /// Copies the first `bytes` of a buffer over those of another.
    pub(crate) fn copy(
        &mut self,
        bytes: usize,
        from: &Buffer,
        to: &Buffer,
    ) -> Result<(), OpenClError> {
        self.next(|queue, after| queue.copy_first(bytes, from, to, after))
    }

    /// Sets every byte of a buffer to 0.
    pub(crate) fn zero(&mut self, buffer: &Buffer) -> Result<(), OpenClError> {
        self.next(|queue, after| queue.fill(buffer, 0, after))
    }

    fn next(
        &mut self,
        enqueue: impl FnOnce(&Queue, &[&Event]) -> Result<Event, OpenClError>,
    ) -> Result<(), OpenClError> {
        let after: Vec<&Event> = self.after.iter().collect();
        let event = enqueue(self.queue, &after)?;
        self.after.clear();
        self.done.push(event);
        Ok(())
    }
}

/// Does a trip, chunk by chunk, until there are none or the device fails. What came out before that stays.
pub(crate) fn run<F>(supply: &Supply<'_>, hand: Hand<'_, F>) -> Result<Busy, StreamError>
where
    F: FnMut(usize, &Slot, &mut Launches<'_>) -> Result<(), OpenClError>,
{
    let busy = match hand.slots.is_empty() {
        true => mapped::map(supply, hand)?,
        false => stream(supply, hand)?,
    };
    // Who is told to end takes no more.
    match supply.is_left() {
        true => Err(StreamError::Cancelled),
        false => Ok(busy),
    }
}

/// What has slots.
fn stream<F>(supply: &Supply<'_>, hand: Hand<'_, F>) -> Result<Busy, StreamError>
where
    F: FnMut(usize, &Slot, &mut Launches<'_>) -> Result<(), OpenClError>,
{
    let Hand {
        means,
        slots,
        in_place,
        mut compute,
    } = hand;
    let Means {
        queues: [queue_in, queue, queue_out],
        staging,
        lanes: [lanes_in, lanes_out],
        piece_bytes,
        moved,
    } = means;
    let [staging_in, staging_out] = staging;
    let book = Book {
        fillers: lanes_in,
        free_in: std::mem::take(staging_in),
        free_out: std::mem::take(staging_out),
        ..Book::default()
    };
    let ledger = Ledger::new(book, moved);
    let mut launches = Vec::new();
    thread::scope(|scope| {
        let ledger = &ledger;
        let filled = Filled {
            slots,
            in_place,
            piece_bytes,
        };
        for _ in 0..lanes_in {
            scope.spawn(move || {
                let _watch = Watch(ledger);
                to_device::fill(ledger, supply, queue_in, filled);
            });
        }
        scope.spawn(move || {
            let _watch = Watch(ledger);
            to_device::retire(ledger);
        });
        scope.spawn(move || {
            let _watch = Watch(ledger);
            from_device::read(ledger, queue_out, slots);
        });
        for _ in 0..lanes_out {
            scope.spawn(move || {
                let _watch = Watch(ledger);
                from_device::drain(ledger);
            });
        }
        let _watch = Watch(ledger);
        for chunk in 0.. {
            let next = ledger.wait(News::Progress, |book| ready(book, chunk, slots.len()));
            let Some(Some((index, after))) = next else {
                break;
            };
            let slot = &slots[chunk % slots.len()];
            let before = launches.len();
            let mut its = Launches {
                queue,
                after,
                done: &mut launches,
            };
            let computed = compute(index, slot, &mut its).and_then(|()| queue.flush());
            match computed {
                Ok(()) => {
                    ledger.enter(|book| {
                        let here = &mut book.chunks[chunk];
                        here.launched = true;
                        here.computed = launches[before..].last().cloned().into_iter().collect();
                    });
                    ledger.tell_all(News::Progress);
                    ledger.tell(News::Readable);
                }
                Err(why) => ledger.fail(why.into()),
            }
        }
    });
    // What was enqueued ends before its buffers are used again, whatever happened.
    let finished = queue.finish();
    let (failed, mut book) = ledger.close();
    *staging_in = book.free_in;
    *staging_out = book.free_out;
    match failed {
        Some(why) => return Err(why),
        None => finished?,
    }
    for launch in &launches {
        book.busy.device += seconds(launch)?;
    }
    Ok(book.busy)
}

/// Which of the trip's chunks this is, and what its launches come after: once its pieces are enqueued, and its slot's former
/// results too. None of a chunk that there is not.
fn ready(book: &mut Book<'_>, chunk: usize, slots: usize) -> Option<Option<(usize, Vec<Event>)>> {
    if chunk == book.chunks.len() {
        return book.all_taken.then_some(None);
    }
    let before = chunk.checked_sub(slots);
    let leaves = before.is_none_or(|before| book.chunks[before].to_read == 0);
    let here = &mut book.chunks[chunk];
    if here.to_fill > 0 || !leaves {
        return None;
    }
    let (index, mut after) = (here.index, std::mem::take(&mut here.filled));
    if let Some(before) = before {
        after.append(&mut book.chunks[before].read);
    }
    Some(Some((index, after)))
}

/// How long what has ended took.
fn seconds(event: &Event) -> Result<f64, OpenClError> {
    let (start, end) = event.start_and_end()?;
    Ok(end.saturating_sub(start) as f64 * 1e-9)
}

/// How long a copy takes.
fn timed<T>(copy: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = copy();
    (result, start.elapsed().as_secs_f64())
}
