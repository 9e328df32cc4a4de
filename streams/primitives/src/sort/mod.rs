//! Sorting, stably, by radix on the device.
//!
//! What fits the device is sorted there. More takes two trips: runs are sorted and come back; then they are cut
//! exactly ([select]) so that what lies between two cuts fills a chunk, whatever the keys are, and each chunk
//! is sorted again on the device: as the sort is stable and runs arrive in order, that merges them.

mod kernels;
mod scratch;
mod select;

use std::{ops::Range, time::Instant};

use kerncast_offload::needs::{self, LONGEST_RUN};
use rayon::prelude::*;

use crate::{
    Report, Sink, Source, StreamError, Streamer, TripReport, Type, Work,
    memory::Lease,
    pipeline::{Launches, Segment, Slot, in_order},
    streamer::{Launched, Leg, Task},
};
use kernels::{Kernels, Room};
use scratch::Scratch;
use select::select;

impl Streamer {
    /// Sorts one array into another; floats as `total_cmp` orders them. Where it does not fit the device, a second array on
    /// the host is allocated for the call. The input stays as it is; on an error some of the output may have been written.
    ///
    /// # Errors
    /// Arrays have different lengths or types, a tile does not fit the device's memory, or the device or a
    /// file fails.
    pub fn sort(&mut self, input: Source<'_>, output: Sink<'_>) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (key, length) = (input.element, input.length);
        output.check(key, length)?;
        // Bits are sorted: a device without `double` can.
        let mut kernels = Kernels::new(self, key)?;
        let whole = match length {
            0 => None,
            _ => self.hold_whole(&kernels, length)?,
        };
        let trips = match whole {
            _ if length == 0 => Vec::new(),
            Some(held) => self.sort_whole(&mut kernels, &held, input, output)?,
            None => self.sort_runs(&mut kernels, input, output)?,
        };
        Ok(Report::new("sort", key, length, start, trips))
    }
}

/// Device memory of a sort.
struct Held {
    /// Elements of a slot.
    chunk: u64,
    slots: Vec<Slot>,
    _leases: Vec<Lease>,
    room: Room,
}

impl Streamer {
    /// Device memory for all elements at once; none where there is not as much.
    fn hold_whole(&self, kernels: &Kernels, length: u64) -> Result<Option<Held>, StreamError> {
        if length > LONGEST_RUN {
            return Ok(None);
        }
        match self.hold(kernels, length, 1) {
            Ok(held) => Ok(Some(held)),
            Err(StreamError::Memory { .. }) => Ok(None),
            Err(StreamError::Device(why)) if why.is_out_of_memory() => Ok(None),
            Err(why) => Err(why),
        }
    }

    fn hold(&self, kernels: &Kernels, chunk: u64, slots: usize) -> Result<Held, StreamError> {
        let (slots, leases) = self.slots("a sort", slots, chunk, &[kernels.key], None)?;
        let room = kernels.room(self, chunk)?;
        Ok(Held {
            chunk,
            slots,
            _leases: leases,
            room,
        })
    }

    /// In one chunk: there and, once it is sorted, back.
    fn sort_whole(
        &mut self,
        kernels: &mut Kernels,
        held: &Held,
        input: Source<'_>,
        output: Sink<'_>,
    ) -> Result<Vec<TripReport>, StreamError> {
        let (key, length, chunk) = (input.element, input.length, held.chunk);
        let segments = in_order(length, chunk);
        let bits = 8 * key.bytes() as u64;
        let there = self.trip(
            task(key, chunk, 1, length),
            &held.slots,
            vec![Leg::new(input, &segments)],
            Vec::new(),
            true,
            |_, slot, launches| {
                kernels.launch(&slot.buffers_in[0], &held.room, length, bits, launches)
            },
        )?;
        let back = vec![Leg::new(output, &segments)];
        let nothing = |_: usize, _: &Slot, _: &mut Launches<'_>| Ok(());
        let task = Task::moving(chunk);
        let back = self.trip(task, &held.slots, Vec::new(), back, true, nothing)?;
        Ok(vec![there, back])
    }

    /// In two trips: sorted runs to memory of the call, and these merged.
    fn sort_runs(
        &mut self,
        kernels: &mut Kernels,
        input: Source<'_>,
        output: Sink<'_>,
    ) -> Result<Vec<TripReport>, StreamError> {
        let (key, length) = (input.element, input.length);
        let mut scratch = Scratch::new(key, length)?;
        let (chunk, held) = self.fit(needs::run(length, key), |chunk| {
            self.hold(kernels, chunk, self.options.slots)
        })?;
        let runs = in_order(length, chunk);
        // By so many bits of each chunk's keys.
        let mut sort = |bits: &[u64], index: usize, slot: &Slot, launches: &mut Launches<'_>| {
            let run: &Range<u64> = &runs[index].host;
            let (keys, length) = (&slot.buffers_in[0], run.end - run.start);
            kernels.launch(keys, &held.room, length, bits[index], launches)
        };

        let task = || task(key, chunk, runs.len(), length);
        let first = vec![Leg::new(input, &runs)];
        let back = vec![Leg::new(scratch.sink(), &runs)];
        let all = vec![8 * key.bytes() as u64; runs.len()];
        let compute = |index: usize, slot: &Slot, launches: &mut Launches<'_>| {
            sort(&all, index, slot, launches)
        };
        let sorted = self.trip(task(), &held.slots, first, back, true, compute)?;

        let merges = merges(&scratch, &runs, chunk);
        let second = vec![Leg::new(scratch.source(), &merges.segments)];
        let back = vec![Leg::new(output, &runs)];
        let compute = |index: usize, slot: &Slot, launches: &mut Launches<'_>| {
            sort(&merges.bits, index, slot, launches)
        };
        let merged = self.trip(task(), &held.slots, second, back, true, compute)?;
        Ok(vec![sorted, merged])
    }
}

fn task(key: Type, chunk: u64, chunks: usize, elements: u64) -> Task {
    Task {
        chunk,
        chunks,
        launched: Some(Launched {
            work: Work::Sort,
            element: key,
            key: format!("sort {key:?}"),
            elements,
        }),
    }
}

/// Chunks of the second trip.
struct Merges {
    /// What of each sorted run goes to which chunk, in the order of the runs.
    segments: Vec<Segment>,
    /// By chunk: how many bits of its keys are not the same in all of them, and those below.
    bits: Vec<u64>,
}

fn merges(keys: &Scratch, runs: &[Segment], chunk: u64) -> Merges {
    let ranges: Vec<Range<u64>> = runs.iter().map(|run| run.host.clone()).collect();
    let order_at = |place| keys.order_at(place);
    let cuts = (1..runs.len())
        .into_par_iter()
        .map(|index| select(&ranges, index as u64 * chunk, keys.most(), order_at));
    let mut cuts: Vec<(u64, Vec<u64>)> = cuts.collect();
    let ends = |place: fn(&Range<u64>) -> u64| ranges.iter().map(move |it| order_at(place(it)));
    let least = ends(|it| it.start).min();
    let most = ends(|it| it.end - 1).max();
    let last = ranges.iter().map(|range| range.end).collect();
    cuts.push((most.unwrap_or(0), last));
    let mut starts: Vec<u64> = ranges.iter().map(|range| range.start).collect();
    let mut from = least.unwrap_or(0);
    let (mut segments, mut bits) = (Vec::new(), Vec::new());
    for (chunk, (to, ends)) in cuts.into_iter().enumerate() {
        let mut device = 0;
        for (&start, &end) in starts.iter().zip(&ends) {
            if start < end {
                segments.push(Segment {
                    chunk,
                    host: start..end,
                    device,
                });
                device += end - start;
            }
        }
        bits.push(u64::from(u64::BITS - (from ^ to).leading_zeros()));
        (starts, from) = (ends, to);
    }
    Merges { segments, bits }
}
