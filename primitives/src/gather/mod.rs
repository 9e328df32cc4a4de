//! Elements from the places that indices say.

use std::time::Instant;

use kerncast_opencl::Function;

use crate::{
    Report, Sink, Source, StreamError, Streamer, TripReport,
    lookup::Lookup,
    pipeline::in_order,
    streamer::{Leg, Task, WIDTH, groups, set},
};

impl Streamer {
    /// `output[i] = values[index[i]]`. Indices go to the device once before, to be checked.
    ///
    /// Values that three quarters of the device's memory have room for stay there while indices stream by. Of more, windows
    /// of the index stay with their part of the output, and all values stream by once a window. On an error of the device or
    /// of a file some of the output may have been written.
    ///
    /// # Errors
    /// The index is neither `u32` nor `u64`, lengths or types differ, an index is beyond the values (the output is then as
    /// it was), or the device or a file fails.
    pub fn gather(
        &mut self,
        mut index: Source<'_>,
        mut values: Source<'_>,
        mut output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (element, length) = (values.element, index.length);
        StreamError::unless_index(index.element)?;
        output.check(element, length)?;
        if self.is_left_further(&[element]) {
            if !self.planning {
                self.gather_by_cores(&index, &values, &mut output)?;
            }
            return Ok(Report::of_cores("gather", element, length, start, None));
        }
        let source = format!(
            "#define INDEX {}\n{}#line 1 \"stream_gather.cl\"\n{}",
            index.element.opencl(),
            element.moved_as("VALUE"),
            include_str!("../../kernels/stream_gather/stream_gather.cl")
        );
        let program = self.program(source.clone())?;
        let mut trips = Vec::new();
        if length > 0 {
            let check = program.function("stream_gather_check")?;
            trips.push(self.check_index(check, &source, &mut index, values.length)?);
            trips.extend(self.answer_each(Lookup {
                what: "a gather",
                queries: index.again(),
                table: values.again(),
                answers: output.again(),
                function: program.function("stream_gather")?,
                source,
            })?);
        }
        Ok(Report::new("gather", element, length, start, trips))
    }

    /// # Errors
    /// An index is `length` or more.
    fn check_index(
        &mut self,
        mut function: Function,
        source: &str,
        index: &mut Source<'_>,
        length: u64,
    ) -> Result<TripReport, StreamError> {
        let (element, indices) = (index.element, index.length);
        let what = "a gather";
        let wrong = self.memory.take(what, 8)?;
        self.queues[1].write(&wrong, &[0; 8])?;
        let count = self.slot_count(&[index], &Sink::slice::<u64>(&mut []));
        let (chunk, (slots, _leases)) = self.fit(self.wish(indices, element.bytes()), |chunk| {
            self.slots(what, count, chunk, &[element], Some(&[]))
        })?;
        let segments = in_order(indices, chunk);
        let inputs = vec![Leg::new(index.again(), &segments)];
        let task = Task::of(
            (chunk, segments.len()),
            element,
            format!("check {source}"),
            indices,
        );
        let noted = wrong.share();
        let trip = self.trip(
            task,
            &slots,
            inputs,
            Vec::new(),
            false,
            |chunk, slot, launches| {
                let part = &segments[chunk].host;
                let n = part.end - part.start;
                let buffers = [&slot.buffers_in[0], &noted];
                set(&mut function, &buffers, &[n, part.start, length])?;
                launches.launch(&function, groups(n, WIDTH as u64), WIDTH)
            },
        )?;
        let mut place = [0; 8];
        self.queues[1].read(&wrong, &mut place)?;
        match u64::from_ne_bytes(place).checked_sub(1) {
            Some(place) => Err(StreamError::Index {
                place,
                of: "values",
                length,
            }),
            None => Ok(trip),
        }
    }
}
