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
mod to_device;

use std::{
    sync::{Arc, atomic::AtomicU64},
    thread,
    time::Instant,
};

use kerncast_opencl::{Buffer, Event, Function, OpenClError, Pinned, Queue};
use serde::Serialize;

pub(crate) use cut::{Piece, Segment, in_order, pieces_of, pieces_to};
use ledger::{Book, Chunk, Ledger, News, Watch};
pub(crate) use mapped::map;

use crate::{
    StreamError,
    array::{Origin, Target},
};

/// One way of arrays through the device.
pub(crate) struct Trip<'a> {
    pub(crate) chunks: usize,
    /// By chunk.
    pub(crate) pieces_in: Vec<(Piece, Origin<'a>)>,
    /// By chunk.
    pub(crate) pieces_out: Vec<(Piece, Target<'a>)>,
    /// Used in turn.
    pub(crate) slots: &'a [Slot],
    /// Whether what comes back lies in the buffers of what came.
    pub(crate) in_place: bool,
}

/// A chunk's buffers.
pub(crate) struct Slot {
    pub(crate) buffers_in: Vec<Arc<Buffer>>,
    pub(crate) buffers_out: Vec<Arc<Buffer>>,
}

/// What a trip takes of its device.
pub(crate) struct Means<'m> {
    pub(crate) queues: &'m [Queue; 3],
    /// Staging memory: of pieces to the device, and from it.
    pub(crate) staging: &'m mut [Vec<Pinned>; 2],
    /// Threads that copy: to the device, and from it.
    pub(crate) lanes: [usize; 2],
    /// Told of every byte that is moved.
    pub(crate) moved: &'m AtomicU64,
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
        let after: Vec<&Event> = self.after.iter().collect();
        let event = self
            .queue
            .launch(function, &[groups * local], &[local], &after)?;
        self.after.clear();
        self.done.push(event);
        Ok(())
    }

    /// Copies the first `bytes` of a buffer over those of another.
    pub(crate) fn copy(
        &mut self,
        bytes: usize,
        from: &Buffer,
        to: &Buffer,
    ) -> Result<(), OpenClError> {
        let after: Vec<&Event> = self.after.iter().collect();
        let event = self.queue.copy_first(bytes, from, to, &after)?;
        self.after.clear();
        self.done.push(event);
        Ok(())
    }

    /// Sets every byte of a buffer to 0.
    pub(crate) fn zero(&mut self, buffer: &Buffer) -> Result<(), OpenClError> {
        let after: Vec<&Event> = self.after.iter().collect();
        let event = self.queue.fill(buffer, 0, &after)?;
        self.after.clear();
        self.done.push(event);
        Ok(())
    }
}

/// Does a trip; `compute` enqueues the launches of a chunk, by its index. What came out before a
/// failure stays.
pub(crate) fn run(
    trip: Trip<'_>,
    means: Means<'_>,
    mut compute: impl FnMut(usize, &Slot, &mut Launches<'_>) -> Result<(), OpenClError>,
) -> Result<Busy, StreamError> {
    let Means {
        queues,
        staging,
        lanes,
        moved,
    } = means;
    let [queue_in, queue, queue_out] = queues;
    let mut chunks: Vec<Chunk> = (0..trip.chunks).map(|_| Chunk::default()).collect();
    for (piece, _) in &trip.pieces_in {
        chunks[piece.chunk].to_fill += 1;
    }
    for (piece, _) in &trip.pieces_out {
        chunks[piece.chunk].to_read += 1;
    }
    // Who only enqueues needs no company.
    let [lanes_in, lanes_out] = lanes;
    let fillers = match trip
        .pieces_in
        .iter()
        .all(|it| matches!(it.1, Origin::Pinned(_)))
    {
        true => 1,
        false => lanes_in,
    };
    let drainers = match trip
        .pieces_out
        .iter()
        .all(|it| matches!(it.1, Target::Pinned(_)))
    {
        true => 1,
        false => lanes_out,
    };
    let [staging_in, staging_out] = staging;
    let book = Book {
        to_fill: trip.pieces_in.into(),
        fillers,
        free_in: std::mem::take(staging_in),
        free_out: std::mem::take(staging_out),
        chunks,
        ..Book::default()
    };
    let ledger = Ledger::new(book, moved);
    let (slots, pieces_out) = (trip.slots, trip.pieces_out);
    let mut launches = Vec::new();
    thread::scope(|scope| {
        let (ledger, in_place) = (&ledger, trip.in_place);
        for _ in 0..fillers {
            scope.spawn(move || {
                let _watch = Watch(ledger);
                to_device::fill(ledger, queue_in, slots, in_place);
            });
        }
        scope.spawn(move || {
            let _watch = Watch(ledger);
            to_device::retire(ledger);
        });
        scope.spawn(move || {
            let _watch = Watch(ledger);
            from_device::read(ledger, queue_out, slots, pieces_out);
        });
        for _ in 0..drainers {
            scope.spawn(move || {
                let _watch = Watch(ledger);
                from_device::drain(ledger);
            });
        }
        let _watch = Watch(ledger);
        for chunk in 0..trip.chunks {
            let Some(after) = ledger.wait(News::Progress, |book| ready(book, chunk, slots.len()))
            else {
                break;
            };
            let slot = &slots[chunk % slots.len()];
            let before = launches.len();
            let mut its = Launches {
                queue,
                after,
                done: &mut launches,
            };
            let computed = compute(chunk, slot, &mut its).and_then(|()| queue.flush());
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

/// What a chunk's launches come after, once its pieces are enqueued and its slot's former results too.
fn ready(book: &mut Book<'_>, chunk: usize, slots: usize) -> Option<Vec<Event>> {
    let before = chunk.checked_sub(slots);
    let leaves = before.is_none_or(|before| book.chunks[before].to_read == 0);
    if book.chunks[chunk].to_fill > 0 || !leaves {
        return None;
    }
    let mut after = std::mem::take(&mut book.chunks[chunk].filled);
    if let Some(before) = before {
        after.append(&mut book.chunks[before].read);
    }
    Some(after)
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
