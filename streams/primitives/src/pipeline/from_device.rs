//! Moves pieces from the device.

use std::{collections::VecDeque, mem, sync::atomic::Ordering::Relaxed};

use kerncast_opencl::{Event, Pinned, Queue, Transfer};

use super::{
    Piece, Slot,
    ledger::{Book, Ledger, News},
    seconds, time,
};
use crate::{StreamError, array::SinkPart};

/// A piece under way from the device.
struct FlyingPiece<'a> {
    transfer: Transfer,
    chunk: usize,
    /// Where to copy it from staging memory, and its bytes; none where the device writes its sink.
    sink: Option<(SinkPart<'a>, usize)>,
}

/// Enqueues reading the pieces of launched chunks, waits for them, and hands them to the drainers.
pub(super) fn read<'a>(ledger: &Ledger<'a>, queue: &Queue, slots: &[Slot]) {
    if let Err(why) = read_all(ledger, queue, slots) {
        ledger.fail(why);
    }
    ledger.enter(|book| book.all_arrived = true);
    ledger.wake_all(News::Arrived);
}

fn read_all<'a>(ledger: &Ledger<'a>, queue: &Queue, slots: &[Slot]) -> Result<(), StreamError> {
    let mut flying: VecDeque<FlyingPiece<'a>> = VecDeque::new();
    for chunk in 0.. {
        let outputs = find(ledger, &mut flying, |book| {
            match book.chunks.get_mut(chunk) {
                Some(chunk) => Some(Some(mem::take(&mut chunk.outputs))),
                None => book.no_more_chunks.then_some(None),
            }
        })?;
        let Some(Some(outputs)) = outputs else { break };
        for (piece, sink) in outputs {
            let is_staged = !matches!(sink, SinkPart::Pinned(_));
            let may_read = |book: &mut Book<'_>| may_read(book, &piece, is_staged);
            let Some((after, free)) = find(ledger, &mut flying, may_read)? else {
                return Ok(());
            };
            let (pinned, sink) = match (sink, free) {
                (SinkPart::Pinned(part), _) => (part, None),
                (sink, Some(free)) => (free, Some((sink, piece.buffer_bytes.len()))),
                (_, None) => unreachable!("staging memory was found"),
            };
            let buffer = &slots[chunk % slots.len()].buffers_out[piece.buffer];
            let after: Vec<&Event> = after.iter().collect();
            let bytes = piece.buffer_bytes.len() as u64;
            let transfer = queue.read_pinned(buffer, piece.buffer_bytes, pinned, &after)?;
            queue.flush()?;
            ledger.moved_bytes.fetch_add(bytes, Relaxed);
            let event = transfer.event().clone();
            let all_enqueued = ledger.enter(|book| {
                let chunk = &mut book.chunks[chunk];
                chunk.read_events.push(event);
                chunk.to_read -= 1;
                chunk.to_read == 0
            });
            if all_enqueued {
                ledger.wake_all(News::Progress);
            }
            flying.push_back(FlyingPiece {
                transfer,
                chunk,
                sink,
            });
        }
    }
    for next in flying {
        arrive(ledger, next)?;
    }
    Ok(())
}

/// Looks for the next work until there is some. Before it sleeps it waits for pieces that are under way. None if the
/// trip was stopped.
fn find<'a, T>(
    ledger: &Ledger<'a>,
    flying: &mut VecDeque<FlyingPiece<'a>>,
    mut look: impl FnMut(&mut Book<'a>) -> Option<T>,
) -> Result<Option<T>, StreamError> {
    loop {
        if let Some(work) = ledger.enter(&mut look) {
            return Ok(Some(work));
        }
        match flying.pop_front() {
            Some(next) => arrive(ledger, next)?,
            None => return Ok(ledger.wait(News::Readable, look)),
        }
    }
}

/// The launch that a piece waits for, and staging memory if it needs some; none if either is missing.
fn may_read(
    book: &mut Book<'_>,
    piece: &Piece,
    is_staged: bool,
) -> Option<(Option<Event>, Option<Pinned>)> {
    let chunk = &book.chunks[piece.chunk];
    if !chunk.is_launched {
        return None;
    }
    let after = chunk.last_launch.clone();
    if !is_staged {
        return Some((after, None));
    }
    Some((after, Some(book.free_out.pop()?)))
}

/// Waits until a piece has arrived.
fn arrive<'a>(ledger: &Ledger<'a>, piece: FlyingPiece<'a>) -> Result<(), StreamError> {
    let event = piece.transfer.event().clone();
    let pinned = piece.transfer.wait()?;
    let copy_s = seconds(&event)?;
    let ends = ledger.enter(|book| {
        book.busy.from_device += copy_s;
        if let Some((sink, bytes)) = piece.sink {
            book.arrived.push_back((sink, bytes, pinned));
        }
        book.end_piece(piece.chunk)
    });
    ledger.wake_one(News::Arrived);
    if ends {
        ledger.wake_all(News::Fillable);
    }
    Ok(())
}

/// Copies results from staging memory to their sinks, until no more arrive.
pub(super) fn drain(ledger: &Ledger<'_>) {
    loop {
        let next = ledger.wait(News::Arrived, |book| match book.arrived.pop_front() {
            Some(result) => Some(Some(result)),
            None => book.all_arrived.then_some(None),
        });
        let Some(Some((mut sink, bytes, pinned))) = next else {
            return;
        };
        let (copied, unstaging_s) = time(|| sink.unstage(&pinned, bytes));
        if let Err(why) = copied {
            let what = format!("writing {bytes} bytes");
            return ledger.fail(StreamError::File { what, why });
        }
        ledger.enter(|book| {
            book.busy.unstaging += unstaging_s;
            book.free_out.push(pinned);
        });
        ledger.wake_one(News::Readable);
    }
}
