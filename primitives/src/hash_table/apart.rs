//! Keys taken apart by the upper bits of their hashes, with what goes along.

use std::ops::Range;

use super::table::{Kernels, WHAT};
use crate::{
    Source, StreamError, Streamer, TripReport, Type,
    pipeline::{Segment, in_order},
    sort::{self, Scratch},
    streamer::{Leg, Task, WIDTH, groups, set},
    windows::cuts,
};

/// By so many bits.
const BITS: u32 = 8;
pub(super) const PARTS: usize = 1 << BITS;

/// Chunk by chunk in the order of their parts.
pub(super) struct Apart {
    /// In place of keys.
    pub(super) hashes: Scratch,
    pub(super) others: Scratch,
    pub(super) chunk: u64,
    /// By chunk: where each part begins, and where the last one ends.
    cuts: Vec<Vec<u64>>,
}

impl Apart {
    /// Keys of an unsigned type, with values, or else with their places in their chunk; chunks are of at most `most` elements.
    /// One trip, there and back.
    pub(super) fn new(
        streamer: &mut Streamer,
        kernels: &mut Kernels,
        keys: Source<'_>,
        values: Option<Source<'_>>,
        most: u64,
    ) -> Result<(Self, TripReport), StreamError> {
        let (length, has_values) = (keys.length, values.is_some());
        let other = values.as_ref().map(|it| it.element);
        let columns = [keys.element, other.unwrap_or(Type::U32.into())];
        let mut sort = sort::Kernels::new(streamer, &columns)?;
        let widest = columns.iter().map(|it| it.bytes()).max();
        let wish = streamer.wish(length, widest.unwrap_or(1)).min(most);
        let (chunk, (slots, _leases, room)) = streamer.fit(wish, |chunk| {
            let count = streamer.options.slots;
            let (slots, leases) = streamer.slots(WHAT, count, chunk, &columns, None)?;
            Ok((slots, leases, sort.room(streamer, chunk)?))
        })?;
        let [mut hashes, mut others] = [
            Scratch::new(columns[0], length)?,
            Scratch::new(columns[1], length)?,
        ];
        let segments = in_order(length, chunk);
        let key = format!("hash {columns:?}");
        let task = Task::of((chunk, segments.len()), columns[0], key, length);
        let there = [Some(keys), values].into_iter().flatten();
        let there = there.map(|array| Leg::new(array, &segments)).collect();
        let back = [hashes.sink(), others.sink()].map(|array| Leg::new(array, &segments));
        let bits = 8 * u32::try_from(columns[0].bytes()).expect("a few");
        let shift = bits - BITS;
        let Kernels {
            hash, places, seed, ..
        } = kernels;
        let trip = streamer.trip(
            task,
            &slots,
            there,
            back.into(),
            true,
            |index, slot, launches| {
                let part: &Range<u64> = &segments[index].host;
                let (columns, n) = (&slot.buffers_in, part.end - part.start);
                set(hash, &[&columns[0]], &[n, *seed])?;
                launches.launch(hash, groups(n, WIDTH as u64), WIDTH)?;
                if !has_values {
                    set(places, &[&columns[1]], &[n])?;
                    launches.launch(places, groups(n, WIDTH as u64), WIDTH)?;
                }
                sort.by_digit(columns, &room, n, shift.into(), launches)
            },
        )?;
        let cuts = match streamer.planning {
            // Nobody knows: hashes lie anywhere.
            true => segments.iter().map(evenly).collect(),
            false => cuts(&hashes.sink(), &segments, PARTS as u64, shift)?,
        };
        let apart = Self {
            hashes,
            others,
            chunk,
            cuts,
        };
        Ok((apart, trip))
    }

    /// Elements of each part.
    pub(super) fn lengths(&self) -> Vec<u64> {
        let length = |it: Range<u64>| it.end - it.start;
        let of = |part| self.ranges(&(part..part + 1)).into_iter().map(length).sum();
        (0..PARTS).map(of).collect()
    }

    /// Where some parts lie, chunk by chunk.
    pub(super) fn ranges(&self, parts: &Range<usize>) -> Vec<Range<u64>> {
        let of = |cuts: &Vec<u64>| cuts[parts.start]..cuts[parts.end];
        self.cuts.iter().map(of).collect()
    }
}

fn evenly(chunk: &Segment) -> Vec<u64> {
    let (start, length) = (chunk.host.start, chunk.host.end - chunk.host.start);
    let parts = PARTS as u64;
    (0..=parts)
        .map(|part| start + length * part / parts)
        .collect()
}
