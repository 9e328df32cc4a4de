//! Moves pieces to the device.

use std::sync::atomic::Ordering::Relaxed;

use kerncast_opencl::{Event, Pinned, Queue};

use super::{
    Piece, Slot,
    cut::split,
    ledger::{Book, Chunk, FlyingPiece, Ledger, News},
    seconds,
    supply::{Supply, WaitingChunk},
    time,
};
use crate::{StreamError, array::SourcePart};

/// How many chunks are taken beyond the number of slots, so that their pieces are staged early.
const CHUNKS_AHEAD: usize = 2;

/// The device buffers that pieces go to.
#[derive(Clone, Copy)]
pub(super) struct Destination<'m> {
    pub(super) slots: &'m [Slot],
    /// Whether the results lie in the buffers of the inputs.
    pub(super) in_place: bool,
    /// The most bytes of a piece.
    pub(super) piece_bytes: usize,
}

/// Stages and enqueues pieces until none are left.
pub(super) fn fill<'a>(
    ledger: &Ledger<'a>,
    supply: &Supply<'a>,
    queue: &Queue,
    into: Destination<'_>,
) {
    if let Err(why) = fill_all(ledger, supply, queue, into) {
        ledger.fail(why);
    }
    ledger.enter(|book| book.fillers -= 1);
    ledger.wake_one(News::Flying);
}

fn fill_all<'a>(
    ledger: &Ledger<'a>,
    supply: &Supply<'a>,
    queue: &Queue,
    into: Destination<'_>,
) -> Result<(), StreamError> {
    while let Some((piece, source)) = next(ledger, supply, into.slots.len(), into.piece_bytes) {
        let is_staged = !matches!(source, SourcePart::Pinned(_));
        let Some((pinned, staging_s)) = stage(ledger, source, piece.buffer_bytes.len())? else {
            break;
        };
        // The slot is free once the former chunk's launch has ended, or its reading where results lie in the inputs.
        let former = piece.chunk.checked_sub(into.slots.len());
        let after = ledger.wait(News::Progress, |book| {
            match former.map(|former| &book.chunks[former]) {
                None => Some(Vec::new()),
                Some(former) if into.in_place => {
                    (former.to_read == 0).then(|| former.read_events.clone())
                }
                Some(former) => former
                    .is_launched
                    .then(|| former.last_launch.iter().cloned().collect()),
            }
        });
        let Some(after) = after else { break };
        let after: Vec<&Event> = after.iter().collect();
        let buffer = &into.slots[piece.chunk % into.slots.len()].buffers_in[piece.buffer];
        let bytes = piece.buffer_bytes.len() as u64;
        let transfer = queue.write_pinned(pinned, buffer, piece.buffer_bytes, &after)?;
        let event = transfer.event().clone();
        queue.flush()?;
        ledger.moved_bytes.fetch_add(bytes, Relaxed);
        let is_filled = ledger.enter(|book| {
            book.busy.staging += staging_s;
            book.flying.push_back(FlyingPiece {
                transfer,
                chunk: piece.chunk,
                is_staged,
            });
            let chunk = &mut book.chunks[piece.chunk];
            chunk.fill_events.push(event);
            chunk.to_fill -= 1;
            chunk.to_fill == 0
        });
        ledger.wake_one(News::Flying);
        if is_filled {
            ledger.wake_all(News::Progress);
        }
    }
    Ok(())
}

/// The pinned memory with a piece of `bytes` bytes, and the seconds of copying the piece there. None if the trip was stopped.
fn stage(
    ledger: &Ledger<'_>,
    source: SourcePart<'_>,
    bytes: usize,
) -> Result<Option<(Pinned, f64)>, StreamError> {
    if let SourcePart::Pinned(part) = source {
        return Ok(Some((part, 0.0)));
    }
    let Some(mut pinned) = ledger.wait(News::FreeIn, |book| book.free_in.pop()) else {
        return Ok(None);
    };
    let (copied, staging_s) = time(|| source.stage(&mut pinned[..bytes]));
    copied.map_err(|why| StreamError::File {
        what: format!("reading {bytes} bytes"),
        why,
    })?;
    Ok(Some((pinned, staging_s)))
}

/// The next piece, from the next chunk of the supply if necessary; none where no chunk is left.
fn next<'a>(
    ledger: &Ledger<'a>,
    supply: &Supply<'a>,
    slots: usize,
    piece_bytes: usize,
) -> Option<(Piece, SourcePart<'a>)> {
    loop {
        let next = ledger.wait(News::Fillable, |book| {
            if let Some(piece) = book.to_fill.pop_front() {
                return Some(Next::Piece(piece));
            }
            if book.no_more_chunks {
                return Some(Next::Nothing);
            }
            if book.chunks.len() - book.ended >= slots + CHUNKS_AHEAD {
                return None;
            }
            let Some(chunk) = supply.take() else {
                book.no_more_chunks = true;
                return Some(Next::Changed);
            };
            add_chunk(book, chunk, piece_bytes);
            Some(Next::Changed)
        })?;
        match next {
            Next::Piece(piece) => return Some(piece),
            Next::Nothing => return None,
            Next::Changed => {
                for news in [News::Progress, News::Readable, News::Fillable] {
                    ledger.wake_all(news);
                }
            }
        }
    }
}

/// The next action of a filler.
enum Next<'a> {
    Piece((Piece, SourcePart<'a>)),
    /// Wake the other fillers: a chunk was taken, or none is left.
    Changed,
    Nothing,
}

/// Adds a chunk of the supply to the book.
fn add_chunk<'a>(book: &mut Book<'a>, waiting: WaitingChunk<'a>, piece_bytes: usize) {
    let chunk = book.chunks.len();
    let inputs = waiting.inputs.into_iter();
    let mut inputs: Vec<_> = inputs.flat_map(|it| split(it, piece_bytes)).collect();
    let outputs = waiting.outputs.into_iter();
    let mut outputs: Vec<_> = outputs.flat_map(|it| split(it, piece_bytes)).collect();
    inputs.iter_mut().for_each(|it| it.0.chunk = chunk);
    outputs.iter_mut().for_each(|it| it.0.chunk = chunk);
    let (to_fill, to_read) = (inputs.len(), outputs.len());
    book.to_fill.extend(inputs);
    book.chunks.push(Chunk {
        index: waiting.index,
        to_fill,
        outputs,
        to_read,
        to_end: to_fill + to_read,
        ..Chunk::default()
    });
    book.ended += usize::from(to_fill + to_read == 0);
}

/// Waits for pieces to arrive on the device and frees their staging memory, until no more come.
pub(super) fn retire(ledger: &Ledger<'_>) {
    loop {
        let next = ledger.wait(News::Flying, |book| match book.flying.pop_front() {
            Some(piece) => Some(Some(piece)),
            None => (book.fillers == 0).then_some(None),
        });
        let Some(Some(piece)) = next else {
            return;
        };
        let event = piece.transfer.event().clone();
        match piece
            .transfer
            .wait()
            .and_then(|pinned| Ok((pinned, seconds(&event)?)))
        {
            Ok((pinned, copy_s)) => {
                let ends = ledger.enter(|book| {
                    book.busy.to_device += copy_s;
                    if piece.is_staged {
                        book.free_in.push(pinned);
                    }
                    book.end_piece(piece.chunk)
                });
                ledger.wake_one(News::FreeIn);
                if ends {
                    ledger.wake_all(News::Fillable);
                }
            }
            Err(why) => return ledger.fail(why.into()),
        }
    }
}
