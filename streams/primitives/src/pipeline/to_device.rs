//! Pieces on their way to the device.

use std::sync::atomic::Ordering::Relaxed;

use kerncast_opencl::{Event, Queue};

use super::{
    Piece, Slot,
    cut::{split_origin, split_target},
    ledger::{Book, Chunk, Ledger, News},
    seconds,
    supply::{Supplied, Supply},
    timed,
};
use crate::{StreamError, array::Origin};

/// Chunks that a device takes beyond its slots: their pieces are staged meanwhile.
const AHEAD: usize = 2;

/// What pieces go to.
#[derive(Clone, Copy)]
pub(super) struct Filled<'m> {
    pub(super) slots: &'m [Slot],
    /// Whether what comes back lies in the buffers of what came.
    pub(super) in_place: bool,
    /// The most of a piece.
    pub(super) piece_bytes: usize,
}

/// Stages and enqueues pieces as long as there are any.
pub(super) fn fill<'a>(ledger: &Ledger<'a>, supply: &Supply<'a>, queue: &Queue, into: Filled<'_>) {
    if let Err(why) = fill_all(ledger, supply, queue, into) {
        ledger.fail(why);
    }
    ledger.enter(|book| book.fillers -= 1);
    ledger.tell(News::Flying);
}

fn fill_all<'a>(
    ledger: &Ledger<'a>,
    supply: &Supply<'a>,
    queue: &Queue,
    into: Filled<'_>,
) -> Result<(), StreamError> {
    while let Some((piece, origin)) = next(ledger, supply, into.slots.len(), into.piece_bytes) {
        let (pinned, staged, took) = match origin {
            Origin::Pinned(part) => (part, false, 0.0),
            pageable => {
                let Some(mut pinned) = ledger.wait(News::FreeIn, |book| book.free_in.pop()) else {
                    break;
                };
                let (copied, took) = timed(|| pageable.stage(&mut pinned[..piece.device.len()]));
                let what = || format!("reading {} bytes", piece.device.len());
                copied.map_err(|why| StreamError::File { what: what(), why })?;
                (pinned, true, took)
            }
        };
        // What the slot held is no longer needed once its launch, or its reading, has ended.
        let leaves = piece.chunk.checked_sub(into.slots.len());
        let after = ledger.wait(News::Progress, |book| {
            match leaves.map(|before| &book.chunks[before]) {
                None => Some(Vec::new()),
                Some(before) if into.in_place => (before.to_read == 0).then(|| before.read.clone()),
                Some(before) => before.launched.then(|| before.computed.clone()),
            }
        });
        let Some(after) = after else { break };
        let after: Vec<&Event> = after.iter().collect();
        let buffer = &into.slots[piece.chunk % into.slots.len()].buffers_in[piece.buffer];
        let bytes = piece.device.len() as u64;
        let transfer = queue.write_pinned(pinned, buffer, piece.device, &after)?;
        let event = transfer.event().clone();
        queue.flush()?;
        ledger.moved.fetch_add(bytes, Relaxed);
        let filled = ledger.enter(|book| {
            book.busy.staging += took;
            book.flying.push_back((transfer, piece.chunk, staged));
            let chunk = &mut book.chunks[piece.chunk];
            chunk.filled.push(event);
            chunk.to_fill -= 1;
            chunk.to_fill == 0
        });
        ledger.tell(News::Flying);
        if filled {
            ledger.tell_all(News::Progress);
        }
    }
    Ok(())
}

/// The next piece, of the next chunk where this device has none left and may take one; none where all are taken.
fn next<'a>(
    ledger: &Ledger<'a>,
    supply: &Supply<'a>,
    slots: usize,
    piece_bytes: usize,
) -> Option<(Piece, Origin<'a>)> {
    loop {
        let found = ledger.wait(News::Fillable, |book| {
            if let Some(piece) = book.to_fill.pop_front() {
                return Some(Next::Piece(piece));
            }
            if book.all_taken {
                return Some(Next::Nothing);
            }
            if book.chunks.len() - book.ended >= slots + AHEAD {
                return None;
            }
            let Some(taken) = supply.take() else {
                book.all_taken = true;
                return Some(Next::Changed);
            };
            take(book, taken, piece_bytes);
            Some(Next::Changed)
        })?;
        match found {
            Next::Piece(piece) => return Some(piece),
            Next::Nothing => return None,
            Next::Changed => {
                for news in [News::Progress, News::Readable, News::Fillable] {
                    ledger.tell_all(news);
                }
            }
        }
    }
}

/// What a filler finds.
enum Next<'a> {
    Piece((Piece, Origin<'a>)),
    /// A chunk is taken, or there is none.
    Changed,
    Nothing,
}

/// Enters a chunk that is taken.
fn take<'a>(book: &mut Book<'a>, taken: Supplied<'a>, piece_bytes: usize) {
    let chunk = book.chunks.len();
    let inputs = taken.inputs.into_iter();
    let mut inputs: Vec<_> = inputs
        .flat_map(|it| split_origin(it, piece_bytes))
        .collect();
    let outputs = taken.outputs.into_iter();
    let mut outputs: Vec<_> = outputs
        .flat_map(|it| split_target(it, piece_bytes))
        .collect();
    inputs.iter_mut().for_each(|it| it.0.chunk = chunk);
    outputs.iter_mut().for_each(|it| it.0.chunk = chunk);
    let (to_fill, to_read) = (inputs.len(), outputs.len());
    book.to_fill.extend(inputs);
    book.chunks.push(Chunk {
        index: taken.index,
        to_fill,
        outputs,
        to_read,
        to_end: to_fill + to_read,
        ..Chunk::default()
    });
    book.ended += usize::from(to_fill + to_read == 0);
}

/// Awaits pieces and frees their pinned memory, until there are no more.
pub(super) fn retire(ledger: &Ledger<'_>) {
    loop {
        let next = ledger.wait(News::Flying, |book| match book.flying.pop_front() {
            Some(flying) => Some(Some(flying)),
            None => (book.fillers == 0).then_some(None),
        });
        let Some(Some((transfer, chunk, staged))) = next else {
            return;
        };
        let event = transfer.event().clone();
        match transfer
            .wait()
            .and_then(|pinned| Ok((pinned, seconds(&event)?)))
        {
            Ok((pinned, took)) => {
                let ends = ledger.enter(|book| {
                    book.busy.to_device += took;
                    if staged {
                        book.free_in.push(pinned);
                    }
                    book.ends(chunk)
                });
                ledger.tell(News::FreeIn);
                if ends {
                    ledger.tell_all(News::Fillable);
                }
            }
            Err(why) => return ledger.fail(why.into()),
        }
    }
}
