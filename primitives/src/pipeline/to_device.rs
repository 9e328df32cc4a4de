//! Pieces on their way to the device.

use std::sync::atomic::Ordering::Relaxed;

use kerncast_opencl::{Event, Queue};

use super::{
    Slot,
    ledger::{Ledger, News},
    seconds, timed,
};
use crate::{StreamError, array::Origin};

/// Stages and enqueues pieces as long as there are any.
pub(super) fn fill(ledger: &Ledger<'_>, queue: &Queue, slots: &[Slot], in_place: bool) {
    if let Err(why) = fill_all(ledger, queue, slots, in_place) {
        ledger.fail(why);
    }
    ledger.enter(|book| book.fillers -= 1);
    ledger.tell(News::Flying);
}

fn fill_all(
    ledger: &Ledger<'_>,
    queue: &Queue,
    slots: &[Slot],
    in_place: bool,
) -> Result<(), StreamError> {
    while let Some((piece, origin)) = ledger.enter(|book| book.to_fill.pop_front()) {
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
        let leaves = piece.chunk.checked_sub(slots.len());
        let after = ledger.wait(News::Progress, |book| {
            match leaves.map(|before| &book.chunks[before]) {
                None => Some(Vec::new()),
                Some(before) if in_place => (before.to_read == 0).then(|| before.read.clone()),
                Some(before) => before.launched.then(|| before.computed.clone()),
            }
        });
        let Some(after) = after else { break };
        let after: Vec<&Event> = after.iter().collect();
        let buffer = &slots[piece.chunk % slots.len()].buffers_in[piece.buffer];
        let bytes = piece.device.len() as u64;
        let transfer = queue.write_pinned(pinned, buffer, piece.device, &after)?;
        let event = transfer.event().clone();
        queue.flush()?;
        ledger.moved.fetch_add(bytes, Relaxed);
        let filled = ledger.enter(|book| {
            book.busy.staging += took;
            book.flying.push_back((transfer, staged));
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

/// Awaits pieces and frees their pinned memory, until there are no more.
pub(super) fn retire(ledger: &Ledger<'_>) {
    loop {
        let next = ledger.wait(News::Flying, |book| match book.flying.pop_front() {
            Some(flying) => Some(Some(flying)),
            None => (book.fillers == 0).then_some(None),
        });
        let Some(Some((transfer, staged))) = next else {
            return;
        };
        let event = transfer.event().clone();
        match transfer
            .wait()
            .and_then(|pinned| Ok((pinned, seconds(&event)?)))
        {
            Ok((pinned, took)) => {
                ledger.enter(|book| {
                    book.busy.to_device += took;
                    if staged {
                        book.free_in.push(pinned);
                    }
                });
                ledger.tell(News::FreeIn);
            }
            Err(why) => return ledger.fail(why.into()),
        }
    }
}
