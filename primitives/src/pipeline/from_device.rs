//! Pieces on their way from the device.

use std::{collections::VecDeque, sync::atomic::Ordering::Relaxed};

use kerncast_opencl::{Event, Pinned, Queue, Transfer};

use super::{
    Piece, Slot,
    ledger::{Book, Ledger, News},
    seconds, timed,
};
use crate::{StreamError, array::Target};

/// What is under way, and where it belongs: none where it is there already.
type Flying<'a> = VecDeque<(Transfer, Option<(Target<'a>, usize)>)>;

/// Enqueues pieces as their chunks are launched, awaits them, and hands them to who copies them.
pub(super) fn read<'a>(
    ledger: &Ledger<'a>,
    queue: &Queue,
    slots: &[Slot],
    pieces: Vec<(Piece, Target<'a>)>,
) {
    if let Err(why) = read_all(ledger, queue, slots, pieces) {
        ledger.fail(why);
    }
    ledger.enter(|book| book.all_arrived = true);
    ledger.tell_all(News::Arrived);
}

fn read_all<'a>(
    ledger: &Ledger<'a>,
    queue: &Queue,
    slots: &[Slot],
    pieces: Vec<(Piece, Target<'a>)>,
) -> Result<(), StreamError> {
    let mut flying: Flying<'a> = VecDeque::new();
    for (piece, target) in pieces {
        let staged = !matches!(target, Target::Pinned(_));
        // Rather await the next one than nothing.
        let found = loop {
            if let Some(found) = ledger.enter(|book| may_read(book, &piece, staged)) {
                break found;
            }
            match flying.pop_front() {
                Some(next) => arrive(ledger, next)?,
                None => match ledger.wait(News::Readable, |book| may_read(book, &piece, staged)) {
                    Some(found) => break found,
                    None => return Ok(()),
                },
            }
        };
        let (computed, free) = found;
        let (pinned, belongs) = match (target, free) {
            (Target::Pinned(part), _) => (part, None),
            (target, Some(free)) => (free, Some((target, piece.device.len()))),
            (_, None) => unreachable!("staging memory was found"),
        };
        let buffer = &slots[piece.chunk % slots.len()].buffers_out[piece.buffer];
        let after: Vec<&Event> = computed.iter().collect();
        let bytes = piece.device.len() as u64;
        let transfer = queue.read_pinned(buffer, piece.device, pinned, &after)?;
        queue.flush()?;
        ledger.moved.fetch_add(bytes, Relaxed);
        let event = transfer.event().clone();
        let leaves = ledger.enter(|book| {
            let chunk = &mut book.chunks[piece.chunk];
            chunk.read.push(event);
            chunk.to_read -= 1;
            chunk.to_read == 0
        });
        if leaves {
            ledger.tell_all(News::Progress);
        }
        flying.push_back((transfer, belongs));
    }
    for next in flying {
        arrive(ledger, next)?;
    }
    Ok(())
}

/// The launch that a piece comes after, and staging memory where it needs some.
fn may_read(
    book: &mut Book<'_>,
    piece: &Piece,
    staged: bool,
) -> Option<(Vec<Event>, Option<Pinned>)> {
    let chunk = &book.chunks[piece.chunk];
    if !chunk.launched {
        return None;
    }
    let computed = chunk.computed.clone();
    if !staged {
        return Some((computed, None));
    }
    Some((computed, Some(book.free_out.pop()?)))
}

fn arrive<'a>(
    ledger: &Ledger<'a>,
    (transfer, belongs): (Transfer, Option<(Target<'a>, usize)>),
) -> Result<(), StreamError> {
    let event = transfer.event().clone();
    let pinned = transfer.wait()?;
    let took = seconds(&event)?;
    ledger.enter(|book| {
        book.busy.from_device += took;
        if let Some((target, bytes)) = belongs {
            book.arrived.push_back((target, bytes, pinned));
        }
    });
    ledger.tell(News::Arrived);
    Ok(())
}

/// Copies what has arrived, until nothing more will.
pub(super) fn drain(ledger: &Ledger<'_>) {
    loop {
        let next = ledger.wait(News::Arrived, |book| match book.arrived.pop_front() {
            Some(arrived) => Some(Some(arrived)),
            None => book.all_arrived.then_some(None),
        });
        let Some(Some((mut target, bytes, pinned))) = next else {
            return;
        };
        let (copied, took) = timed(|| target.unstage(&pinned[..bytes]));
        if let Err(why) = copied {
            let what = format!("writing {bytes} bytes");
            return ledger.fail(StreamError::File { what, why });
        }
        ledger.enter(|book| {
            book.busy.unstaging += took;
            book.free_out.push(pinned);
        });
        ledger.tell(News::Readable);
    }
}
