//! Pieces on their way from the device.

use std::{collections::VecDeque, mem, sync::atomic::Ordering::Relaxed};

use kerncast_opencl::{Event, Pinned, Queue, Transfer};

use super::{
    Piece, Slot,
    ledger::{Book, Ledger, News},
    seconds, timed,
};
use crate::{StreamError, array::Target};

/// What is under way, of which chunk, and where it belongs: none where it is there already.
type Flying<'a> = VecDeque<(Transfer, usize, Option<(Target<'a>, usize)>)>;

/// Enqueues pieces as their chunks are launched, awaits them, and hands them to who copies them.
pub(super) fn read<'a>(ledger: &Ledger<'a>, queue: &Queue, slots: &[Slot]) {
    if let Err(why) = read_all(ledger, queue, slots) {
        ledger.fail(why);
    }
    ledger.enter(|book| book.all_arrived = true);
    ledger.tell_all(News::Arrived);
}

fn read_all<'a>(ledger: &Ledger<'a>, queue: &Queue, slots: &[Slot]) -> Result<(), StreamError> {
    let mut flying: Flying<'a> = VecDeque::new();
    for chunk in 0.. {
        let outputs = find(ledger, &mut flying, |book| {
            match book.chunks.get_mut(chunk) {
                Some(taken) => Some(Some(mem::take(&mut taken.outputs))),
                None => book.all_taken.then_some(None),
            }
        })?;
        let Some(Some(outputs)) = outputs else { break };
        for (piece, target) in outputs {
            let staged = !matches!(target, Target::Pinned(_));
            let may = |book: &mut Book<'_>| may_read(book, &piece, staged);
            let Some((computed, free)) = find(ledger, &mut flying, may)? else {
                return Ok(());
            };
            let (pinned, belongs) = match (target, free) {
                (Target::Pinned(part), _) => (part, None),
                (target, Some(free)) => (free, Some((target, piece.device.len()))),
                (_, None) => unreachable!("staging memory was found"),
            };
            let buffer = &slots[chunk % slots.len()].buffers_out[piece.buffer];
            let after: Vec<&Event> = computed.iter().collect();
            let bytes = piece.device.len() as u64;
            let transfer = queue.read_pinned(buffer, piece.device, pinned, &after)?;
            queue.flush()?;
            ledger.moved.fetch_add(bytes, Relaxed);
            let event = transfer.event().clone();
            let leaves = ledger.enter(|book| {
                let here = &mut book.chunks[chunk];
                here.read.push(event);
                here.to_read -= 1;
                here.to_read == 0
            });
            if leaves {
                ledger.tell_all(News::Progress);
            }
            flying.push_back((transfer, chunk, belongs));
        }
    }
    for next in flying {
        arrive(ledger, next)?;
    }
    Ok(())
}

/// What is to be done next. Rather than waiting for it, what is under way is awaited. None where the trip has failed.
fn find<'a, T>(
    ledger: &Ledger<'a>,
    flying: &mut Flying<'a>,
    mut look: impl FnMut(&mut Book<'a>) -> Option<T>,
) -> Result<Option<T>, StreamError> {
    loop {
        if let Some(found) = ledger.enter(&mut look) {
            return Ok(Some(found));
        }
        match flying.pop_front() {
            Some(next) => arrive(ledger, next)?,
            None => return Ok(ledger.wait(News::Readable, look)),
        }
    }
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
    (transfer, chunk, belongs): (Transfer, usize, Option<(Target<'a>, usize)>),
) -> Result<(), StreamError> {
    let event = transfer.event().clone();
    let pinned = transfer.wait()?;
    let took = seconds(&event)?;
    let ends = ledger.enter(|book| {
        book.busy.from_device += took;
        if let Some((target, bytes)) = belongs {
            book.arrived.push_back((target, bytes, pinned));
        }
        book.ends(chunk)
    });
    ledger.tell(News::Arrived);
    if ends {
        ledger.tell_all(News::Fillable);
    }
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
        let (copied, took) = timed(|| target.unstage(&pinned, bytes));
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
