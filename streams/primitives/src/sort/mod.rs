//! Sorting, stably, by radix on the device.
//!
//! An array that fits into the device's memory is sorted there in one piece. A longer one takes two trips. The first sorts
//! runs and brings them back. Then the runs are cut exactly (`select`), so that the parts between two cuts fill a chunk
//! whatever the keys are, and the second trip sorts each chunk: as the sort is stable and the parts arrive in the order of
//! the runs, that merges them.

mod kernels;
mod scratch;
mod select;

use std::{ops::Range, time::Instant};

use kerncast_offload::memory::{LONGEST_RUN, run_length};
use rayon::prelude::*;

use crate::{
    ElementType, Report, Sink, Source, StreamError, StreamWork, Streamer, TripReport,
    pipeline::{Launches, Segment, Slot, in_order},
    streamer::{Computation, Leg, Task},
};
use kernels::{Kernels, SortMemory};
use scratch::Scratch;
use select::select;

impl Streamer {
    /// Sorts one array into another; floats are ordered as by `total_cmp`. Where the array does not fit into the device's
    /// memory, the call allocates a second array on the host. The input does not change; on an error some of the output may
    /// have been written.
    ///
    /// # Errors
    /// Arrays have different lengths or types, a work-group's elements do not fit the device's memory, or the device or a
    /// file fails.
    pub fn sort(&mut self, input: Source<'_>, output: Sink<'_>) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (key, length) = (input.element, input.length);
        output.check(key, length)?;
        // Keys are sorted as bits, so a device without `double` can sort them.
        let mut kernels = Kernels::new(self, key)?;
        let trips = if length == 0 {
            Vec::new()
        } else if let Some(whole) = self.allocate_whole(&kernels, length)? {
            self.sort_whole(&mut kernels, &whole, input, output)?
        } else {
            self.sort_runs(&mut kernels, input, output)?
        };
        Ok(Report::new("sort", key, length, start, trips))
    }
}

/// The slots of a sort, and its further device memory.
struct Allocation {
    /// Elements of a slot.
    chunk: u64,
    slots: Vec<Slot>,
    memory: SortMemory,
}

impl Streamer {
    /// Device memory for all elements at once; none where they do not fit.
    fn allocate_whole(
        &self,
        kernels: &Kernels,
        length: u64,
    ) -> Result<Option<Allocation>, StreamError> {
        if length > LONGEST_RUN {
            return Ok(None);
        }
        match self.allocate(kernels, length, 1) {
            Ok(allocation) => Ok(Some(allocation)),
            Err(StreamError::Memory { .. }) => Ok(None),
            Err(StreamError::Device(why)) if why.is_out_of_memory() => Ok(None),
            Err(why) => Err(why),
        }
    }

    fn allocate(
        &self,
        kernels: &Kernels,
        chunk: u64,
        slots: usize,
    ) -> Result<Allocation, StreamError> {
        Ok(Allocation {
            chunk,
            slots: self.allocate_slots("a sort", slots, chunk, &[kernels.key], None)?,
            memory: kernels.allocate(self, chunk)?,
        })
    }

    /// Sorts in one chunk: one trip to the device, where it is sorted, and one back.
    fn sort_whole(
        &mut self,
        kernels: &mut Kernels,
        allocation: &Allocation,
        input: Source<'_>,
        output: Sink<'_>,
    ) -> Result<Vec<TripReport>, StreamError> {
        let (key, length, chunk) = (input.element, input.length, allocation.chunk);
        let segments = in_order(length, chunk);
        let bits = 8 * key.bytes() as u64;
        let there = self.trip(
            task(key, chunk, 1, length),
            &allocation.slots,
            vec![Leg::new(input, &segments)],
            Vec::new(),
            true,
            &mut |_, slot, launches| {
                kernels.launch(
                    &slot.buffers_in[0],
                    &allocation.memory,
                    length,
                    bits,
                    launches,
                )
            },
        )?;
        let back = vec![Leg::new(output, &segments)];
        let back = self.move_arrays((chunk, 1), &allocation.slots, Vec::new(), back, true)?;
        Ok(vec![there, back])
    }

    /// Sorts in two trips: one sorts runs into scratch memory on the host, one merges them.
    fn sort_runs(
        &mut self,
        kernels: &mut Kernels,
        input: Source<'_>,
        output: Sink<'_>,
    ) -> Result<Vec<TripReport>, StreamError> {
        let (key, length) = (input.element, input.length);
        let mut scratch = Scratch::new(key, length)?;
        let (chunk, allocation) = self.fit_chunk(run_length(length, key), |chunk| {
            self.allocate(kernels, chunk, self.options.slots)
        })?;
        let runs = in_order(length, chunk);
        // `bits`: by how many bits of its keys each chunk is sorted.
        let mut sort = |bits: &[u64], index: usize, slot: &Slot, launches: &mut Launches<'_>| {
            let run: &Range<u64> = &runs[index].elements;
            let (keys, length) = (&slot.buffers_in[0], run.end - run.start);
            kernels.launch(keys, &allocation.memory, length, bits[index], launches)
        };

        let task = || task(key, chunk, runs.len(), length);
        let first = vec![Leg::new(input, &runs)];
        let back = vec![Leg::new(scratch.sink(), &runs)];
        let all = vec![8 * key.bytes() as u64; runs.len()];
        let mut compute = |index: usize, slot: &Slot, launches: &mut Launches<'_>| {
            sort(&all, index, slot, launches)
        };
        let sorted = self.trip(task(), &allocation.slots, first, back, true, &mut compute)?;

        let merges = merges(&scratch, &runs, chunk);
        let second = vec![Leg::new(scratch.source(), &merges.segments)];
        let back = vec![Leg::new(output, &runs)];
        let mut compute = |index: usize, slot: &Slot, launches: &mut Launches<'_>| {
            sort(&merges.bits, index, slot, launches)
        };
        let merged = self.trip(task(), &allocation.slots, second, back, true, &mut compute)?;
        Ok(vec![sorted, merged])
    }
}

fn task(key: ElementType, chunk: u64, chunks: usize, elements: u64) -> Task {
    Task {
        chunk,
        chunks,
        computation: Some(Computation {
            work: StreamWork::Sort,
            element: key,
            key: format!("sort {key:?}"),
            elements,
        }),
    }
}

/// Chunks of the second trip.
struct Merges {
    /// Which part of each sorted run goes to which chunk, in the order of the runs.
    segments: Vec<Segment>,
    /// For each chunk: how many low bits differ between its keys.
    bits: Vec<u64>,
}

fn merges(keys: &Scratch, runs: &[Segment], chunk: u64) -> Merges {
    let ranges: Vec<Range<u64>> = runs.iter().map(|run| run.elements.clone()).collect();
    let order_at = |place| keys.order_at(place);
    let cuts = (1..runs.len()).into_par_iter().map(|index| {
        select(
            &ranges,
            index as u64 * chunk,
            keys.largest_order(),
            order_at,
        )
    });
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
        let mut at_in_chunk = 0;
        for (&start, &end) in starts.iter().zip(&ends) {
            if start < end {
                segments.push(Segment {
                    chunk,
                    elements: start..end,
                    at_in_chunk,
                });
                at_in_chunk += end - start;
            }
        }
        bits.push(u64::from(u64::BITS - (from ^ to).leading_zeros()));
        (starts, from) = (ends, to);
    }
    Merges { segments, bits }
}
