//! Each segment sorted by itself.

mod pack;

use std::{mem, ops::Range, time::Instant};

use kerncast_offload::needs;

use crate::{
    Kind, Report, Sink, Source, StreamError, Streamer, TripReport, Type,
    sort::{Kernels, Room},
    streamer::{Leg, Task, WIDTH, bytes, groups, set},
};
use pack::{Packed, SHARE, check, pack, segments};

impl Streamer {
    /// Sorts `input[offsets[i]..offsets[i + 1]]` for each i, as [`sort`](Self::sort) does, to the same places of the output.
    ///
    /// Whole segments fill chunks, which are sorted by key and then, as that is stable, by segment. A segment that is longer
    /// than a chunk is sorted by itself. On an error some of the output may have been written.
    ///
    /// # Errors
    /// Types or lengths differ, offsets do not go from 0 to the input's length or do not ascend (the output is then as it
    /// was), or the device or a file fails.
    pub fn segmented_sort(
        &mut self,
        mut input: Source<'_>,
        offsets: &[u64],
        mut output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (element, length) = (input.element, input.length);
        output.check(element, length)?;
        check(offsets, length)?;
        let number = element.number("the input")?;
        if self.is_left_further(&[element]) {
            if length > 0 && !self.planning {
                by_type!(
                    number,
                    self.segments_by_cores::<T>(&input, offsets, &mut output)?
                );
            }
            let name = "segmented_sort";
            return Ok(Report::of_cores(name, element, length, start, None));
        }
        let mut trips = Vec::new();
        if length > 0 {
            let long = self.short_segments(&mut input, offsets, &mut output, &mut trips)?;
            // It is the device's as a whole, whoever does sorts.
            let left = mem::take(&mut self.left_to_cores);
            let sorted = self.long_segments(&mut input, &long, &mut output);
            self.left_to_cores = left;
            trips.extend(sorted?);
        }
        Ok(Report::new("segmented_sort", element, length, start, trips))
    }

    fn long_segments(
        &mut self,
        input: &mut Source<'_>,
        long: &[Range<u64>],
        output: &mut Sink<'_>,
    ) -> Result<Vec<TripReport>, StreamError> {
        let mut trips = Vec::new();
        for segment in long {
            let sorted = input.with_part(segment, |from| {
                output.with_part(segment, |to| self.sort_to(from, to, None))
            });
            trips.extend(sorted?.trips);
        }
        Ok(trips)
    }

    /// Sorts those that fit a chunk, and tells which do not.
    fn short_segments(
        &mut self,
        input: &mut Source<'_>,
        offsets: &[u64],
        output: &mut Sink<'_>,
        trips: &mut Vec<TripReport>,
    ) -> Result<Vec<Range<u64>>, StreamError> {
        let (element, length) = (input.element, input.length);
        let what = "a segmented sort";
        // As if segments had the longest names; most chunks have few.
        let number = Kind::from(Type::U32);
        let widest = [element, number];
        let wish = needs::run(length, element.number("the input")?);
        let (chunk, (slots, _leases, room, names)) = self.fit(wish, |chunk| {
            let inputs = [(element, 1), (number, SHARE)];
            let slots = self.options.slots;
            let (slots, leases) = self.slots_of(what, slots, chunk, &inputs, None)?;
            let room = Room::new(self, &widest, chunk)?;
            let names = self.memory.take(what, bytes(chunk, number))?;
            Ok((slots, leases, room, names))
        })?;
        let Packed {
            chunks,
            starts,
            starts_of,
            long,
        } = pack(offsets, chunk);
        if chunks.is_empty() {
            return Ok(long);
        }
        let most = starts_of.iter().map(|it| it.end - it.start).max();
        let name = match most.unwrap_or(0) {
            0..=0x100 => Type::U8,
            0x101..=0x1_0000 => Type::U16,
            _ => Type::U32,
        };
        let mut by_key = Kernels::new(self, &[element, name.into()])?;
        let mut by_segment = Kernels::new(self, &[name.into(), element])?;
        let source = format!(
            "#define ID {}\n#line 1 \"stream_segmented_sort.cl\"\n{}",
            name.opencl(),
            include_str!("../../kernels/stream_segmented_sort/stream_segmented_sort.cl")
        );
        let mut function = self.program(source)?.function("stream_segments")?;
        let inputs = vec![
            Leg::new(input.again(), &segments(&chunks)),
            Leg::new(Source::slice(&starts), &segments(&starts_of)),
        ];
        let outputs = vec![Leg::new(output.again(), &segments(&chunks))];
        let task = Task::of(
            (chunk, chunks.len()),
            element,
            format!("segments {element:?} {name:?}"),
            chunks.iter().map(|it| it.end - it.start).sum(),
        );
        let (names, swapped) = (names.share(), room.swapped());
        let bits = |it: Kind| 8 * it.bytes() as u64;
        trips.push(self.trip(
            task,
            &slots,
            inputs,
            outputs,
            true,
            |index, slot, launches| {
                let n = chunks[index].end - chunks[index].start;
                let many = starts_of[index].end - starts_of[index].start;
                let [data, starts] = &slot.buffers_in[..] else {
                    unreachable!("two inputs")
                };
                set(&mut function, &[starts, &names], &[n, many])?;
                launches.launch(&function, groups(n, WIDTH as u64), WIDTH)?;
                let columns = [data.clone(), names.clone()];
                by_key.launch(&columns, &room, n, bits(element), launches)?;
                if many > 1 {
                    let columns = [names.clone(), data.clone()];
                    by_segment.launch(&columns, &swapped, n, bits(name.into()), launches)?;
                }
                Ok(())
            },
        )?);
        Ok(long)
    }
}
