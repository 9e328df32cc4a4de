//! Sorting, stably, by radix on the device.
//!
//! What fits the device is sorted there. More takes two trips: runs are sorted and come back; then they are cut
//! exactly ([select]) so that what lies between two cuts fills a chunk, whatever the keys are, and each chunk
//! is sorted again on the device: as the sort is stable and runs arrive in order, that merges them.

mod kernels;
mod scratch;
mod select;

use std::{io, ops::Range, time::Instant};

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
    /// Sorts an array in place; floats as `total_cmp` orders them. Where it does not fit the device, it needs a
    /// second array on the host: `scratch` of the same length, or what is allocated for the call.
    ///
    /// On an error the array is as it was, or has the same elements in another order; of a file that fits the device, and
    /// to which writing back fails, a part may be sorted and the rest as it was; so it is
    /// of an array in memory that fits the device, where the device fails twice to give it back. A file that
    /// takes two trips, and to which neither the second one nor its runs can be written, is lost where `scratch` is not the
    /// caller's.
    ///
    /// # Errors
    /// Arrays have different lengths or types, a tile does not fit the device's memory, or the device or a
    /// file fails.
    pub fn sort(
        &mut self,
        data: Sink<'_>,
        scratch: Option<Sink<'_>>,
    ) -> Result<Report, StreamError> {
        let arrays = Arrays {
            from: None,
            to: vec![data],
        };
        self.sort_columns("sort", arrays, scratch.map(|it| vec![it]))
    }

    /// Sorts one array into another, as [`sort`](Self::sort) does in place. The input stays as it is; on an error some
    /// of the output may have been written.
    ///
    /// # Errors
    /// As [`sort`](Self::sort).
    pub fn sort_to(
        &mut self,
        input: Source<'_>,
        output: Sink<'_>,
        scratch: Option<Sink<'_>>,
    ) -> Result<Report, StreamError> {
        output.check(input.element, input.length)?;
        let arrays = Arrays {
            from: Some(vec![input]),
            to: vec![output],
        };
        self.sort_columns("sort", arrays, scratch.map(|it| vec![it]))
    }

    /// Sorts `keys` as [`sort`](Self::sort) does, and `values` with them.
    ///
    /// # Errors
    /// As [`sort`](Self::sort).
    pub fn sort_by_key(
        &mut self,
        keys: Sink<'_>,
        values: Sink<'_>,
        scratch: Option<[Sink<'_>; 2]>,
    ) -> Result<Report, StreamError> {
        let arrays = Arrays {
            from: None,
            to: vec![keys, values],
        };
        self.sort_columns("sort_by_key", arrays, scratch.map(Vec::from))
    }

    fn sort_columns(
        &mut self,
        primitive: &'static str,
        mut arrays: Arrays<'_>,
        scratch: Option<Vec<Sink<'_>>>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let data = &arrays.to;
        let length = data[0].length;
        let types: Vec<Type> = data.iter().map(|it| it.element).collect();
        let others = data[1..].iter().chain(scratch.iter().flatten());
        for (other, &element) in others.zip(types[1..].iter().chain(&types)) {
            other.check(element, length)?;
        }
        // Bits are sorted: a device without `double` can.
        let mut kernels = Kernels::new(self, &types)?;
        let whole = match length {
            0 => None,
            _ => self.hold_whole(&kernels, &types, length)?,
        };
        let trips = match whole {
            _ if length == 0 => Vec::new(),
            Some(held) => self.sort_whole(&mut kernels, held, &mut arrays)?,
            None => {
                let mut own = Vec::new();
                let mut scratch = match scratch {
                    Some(given) => given,
                    None => {
                        for &element in &types {
                            own.push(Scratch::new(element, length)?);
                        }
                        own.iter_mut().map(Scratch::sink).collect()
                    }
                };
                self.sort_runs(&mut kernels, &mut arrays, &mut scratch)?
            }
        };
        Ok(Report::new(primitive, types[0], length, start, trips))
    }
}

/// What is sorted.
struct Arrays<'a> {
    /// From where, if not in place.
    from: Option<Vec<Source<'a>>>,
    to: Vec<Sink<'a>>,
}

impl Arrays<'_> {
    fn legs_from(&mut self, segments: &[Segment]) -> Vec<Leg<Source<'_>>> {
        let Some(from) = &mut self.from else {
            return legs_in(&mut self.to, segments);
        };
        let again = from.iter_mut().map(Source::again);
        again.map(|it| Leg::new(it, segments)).collect()
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
    fn hold_whole(
        &self,
        kernels: &Kernels,
        types: &[Type],
        length: u64,
    ) -> Result<Option<Held>, StreamError> {
        if length > LONGEST_RUN {
            return Ok(None);
        }
        match self.hold(kernels, types, length, 1) {
            Ok(held) => Ok(Some(held)),
            Err(StreamError::Memory { .. }) => Ok(None),
            Err(StreamError::Device(why)) if why.is_out_of_memory() => Ok(None),
            Err(why) => Err(why),
        }
    }

    fn hold(
        &self,
        kernels: &Kernels,
        types: &[Type],
        chunk: u64,
        slots: usize,
    ) -> Result<Held, StreamError> {
        let (slots, leases) = self.slots("a sort", slots, chunk, types, None)?;
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
        held: Held,
        arrays: &mut Arrays<'_>,
    ) -> Result<Vec<TripReport>, StreamError> {
        let (length, chunk) = (arrays.to[0].length, held.chunk);
        let types: Vec<Type> = arrays.to.iter().map(|it| it.element).collect();
        let segments = in_order(length, chunk);
        let bits = 8 * types[0].bytes() as u64;
        let legs = arrays.legs_from(&segments);
        let there = self.trip(
            task(&types, chunk, 1, length),
            &held.slots,
            legs,
            Vec::new(),
            true,
            |_, slot, launches| {
                kernels.launch(&slot.buffers_in, &held.room, length, bits, launches)
            },
        )?;
        // Where that fails in the middle, some of the array is overwritten, and the device alone has all of it.
        let back = match self.bring_back(&held, arrays) {
            Err(StreamError::Device(_)) => self.bring_back(&held, arrays)?,
            back => back?,
        };
        Ok(vec![there, back])
    }

    /// What a device holds of the only chunk.
    fn bring_back(
        &mut self,
        held: &Held,
        arrays: &mut Arrays<'_>,
    ) -> Result<TripReport, StreamError> {
        let segments = in_order(arrays.to[0].length, held.chunk);
        let legs = legs_out(&mut arrays.to, &segments);
        let nothing = |_: usize, _: &Slot, _: &mut Launches<'_>| Ok(());
        let task = Task::moving(held.chunk);
        self.trip(task, &held.slots, Vec::new(), legs, true, nothing)
    }

    /// In two trips: sorted runs to `scratch`, and these merged.
    fn sort_runs(
        &mut self,
        kernels: &mut Kernels,
        arrays: &mut Arrays<'_>,
        scratch: &mut [Sink<'_>],
    ) -> Result<Vec<TripReport>, StreamError> {
        let length = arrays.to[0].length;
        let types: Vec<Type> = arrays.to.iter().map(|it| it.element).collect();
        let (chunk, held) = self.fit(needs::run(length, types[0]), |chunk| {
            self.hold(kernels, &types, chunk, self.options.slots)
        })?;
        let runs = in_order(length, chunk);
        // By so many bits of each chunk's keys.
        let mut sort = |bits: &[u64], index: usize, slot: &Slot, launches: &mut Launches<'_>| {
            let run: &Range<u64> = &runs[index].host;
            let (columns, length) = (&slot.buffers_in, run.end - run.start);
            kernels.launch(columns, &held.room, length, bits[index], launches)
        };

        let task = || task(&types, chunk, runs.len(), length);
        let first = arrays.legs_from(&runs);
        let back = legs_out(scratch, &runs);
        let all = vec![8 * types[0].bytes() as u64; runs.len()];
        let compute = |index: usize, slot: &Slot, launches: &mut Launches<'_>| {
            sort(&all, index, slot, launches)
        };
        let sorted = self.trip(task(), &held.slots, first, back, true, compute)?;

        let merges = merges(&scratch[0], &runs, chunk)?;
        let second = legs_in(scratch, &merges.segments);
        let back = legs_out(&mut arrays.to, &runs);
        let compute = |index: usize, slot: &Slot, launches: &mut Launches<'_>| {
            sort(&merges.bits, index, slot, launches)
        };
        let merged = self.trip(task(), &held.slots, second, back, true, compute);
        match merged {
            Ok(merged) => Ok(vec![sorted, merged]),
            Err(why) if arrays.from.is_some() => Err(why),
            Err(why) => {
                // Some of the array is overwritten, but the runs have all of it. Where they cannot be written to it either,
                // what failed first says more.
                for (data, scratch) in arrays.to.iter_mut().zip(scratch) {
                    if data.restore(scratch).is_err() {
                        break;
                    }
                }
                Err(why)
            }
        }
    }
}

fn task(types: &[Type], chunk: u64, chunks: usize, elements: u64) -> Task {
    Task {
        chunk,
        chunks,
        launched: Some(Launched {
            work: Work::Sort,
            element: types[0],
            key: format!("sort {types:?}"),
            elements,
        }),
    }
}

fn legs_in<'s>(arrays: &'s mut [Sink<'_>], segments: &[Segment]) -> Vec<Leg<Source<'s>>> {
    let sources = arrays.iter_mut().map(Sink::source);
    sources.map(|it| Leg::new(it, segments)).collect()
}

fn legs_out<'s>(arrays: &'s mut [Sink<'_>], segments: &[Segment]) -> Vec<Leg<Sink<'s>>> {
    let again = arrays.iter_mut().map(Sink::again);
    again.map(|it| Leg::new(it, segments)).collect()
}

/// Chunks of the second trip.
struct Merges {
    /// What of each sorted run goes to which chunk, in the order of the runs.
    segments: Vec<Segment>,
    /// By chunk: how many bits of its keys are not the same in all of them, and those below.
    bits: Vec<u64>,
}

fn merges(keys: &Sink<'_>, runs: &[Segment], chunk: u64) -> Result<Merges, StreamError> {
    let ranges: Vec<Range<u64>> = runs.iter().map(|run| run.host.clone()).collect();
    let most = u64::MAX >> (64 - 8 * keys.element.bytes());
    let order_at = |place| keys.order_at(place);
    let cuts = (1..runs.len())
        .into_par_iter()
        .map(|index| select(&ranges, index as u64 * chunk, most, order_at));
    let ends = |place: fn(&Range<u64>) -> u64| ranges.iter().map(move |it| order_at(place(it)));
    let found = (|| {
        let least = ends(|it| it.start).collect::<io::Result<Vec<u64>>>()?;
        let most = ends(|it| it.end - 1).collect::<io::Result<Vec<u64>>>()?;
        Ok((cuts.collect::<io::Result<Vec<_>>>()?, least, most))
    })();
    let (mut cuts, least, most) = found.map_err(|why| StreamError::File {
        what: "reading sorted runs".to_owned(),
        why,
    })?;
    let last = ranges.iter().map(|range| range.end).collect();
    cuts.push((most.into_iter().max().unwrap_or(0), last));
    let mut starts: Vec<u64> = ranges.iter().map(|range| range.start).collect();
    let mut from = least.into_iter().min().unwrap_or(0);
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
    Ok(Merges { segments, bits })
}
