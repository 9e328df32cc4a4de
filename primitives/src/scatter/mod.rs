//! Elements to the places that indices say.

use std::time::Instant;

use kerncast_opencl::Function;

use crate::{
    Report, Sink, Source, StreamError, Streamer, TripReport, Type, Work,
    memory::Lease,
    pipeline::{Launches, Segment, Slot, in_order},
    streamer::{Launched, Leg, Task, WIDTH, bytes, groups, set},
};

/// What becomes of places that no index names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnamed {
    /// They keep what they hold. The output then goes to the device too.
    Keep,
    /// They become 0.
    Zero,
}

/// What does not change from window to window.
struct Scatter {
    function: Function,
    source: String,
    segments: Vec<Segment>,
    chunk: u64,
    slots: Vec<Slot>,
    _leases: Vec<Lease>,
    window: Lease,
    wrong: Lease,
}

impl Streamer {
    /// `output[index[i]] = values[i]`; of several `i` with the same index it is one of them.
    ///
    /// The output is done in windows of what the device has memory for, and the input is read once a window. On an error of
    /// the device or of a file the windows until then are done.
    ///
    /// # Errors
    /// The index is neither `u32` nor `u64`, lengths or types differ, an index is beyond the output (which is then as it
    /// was), or the device or a file fails.
    pub fn scatter(
        &mut self,
        mut index: Source<'_>,
        mut values: Source<'_>,
        mut output: Sink<'_>,
        unnamed: Unnamed,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (element, length) = (output.element, output.length);
        if !matches!(index.element, Type::U32 | Type::U64) {
            return Err(StreamError::types("the index", index.element, Type::U64));
        }
        if values.element != element {
            return Err(StreamError::types("the values", values.element, element));
        }
        if values.length != index.length {
            return Err(StreamError::length(
                "the values",
                values.length,
                index.length,
            ));
        }
        let (windows, mut scatter) = self.prepare(&index, element, length)?;
        self.queues[1].write(&scatter.wrong, &[0; 8])?;
        let mut trips = Vec::new();
        for window in in_order(length, windows) {
            let trip = self.window(
                &mut scatter,
                &window,
                (&mut index, &mut values),
                (&mut output, unnamed),
            )?;
            trips.extend(trip);
        }
        if length == 0 && index.length > 0 {
            return Err(StreamError::Index {
                place: 0,
                of: "output",
                length,
            });
        }
        Ok(Report::new("scatter", element, values.length, start, trips))
    }

    /// How many elements a window has, and what else there is on the device.
    fn prepare(
        &mut self,
        index: &Source<'_>,
        element: Type,
        length: u64,
    ) -> Result<(u64, Scatter), StreamError> {
        let source = format!(
            "#define INDEX {}\n#define VALUE {}\n#line 1 \"scatter.cl\"\n{}",
            index.element.opencl(),
            element.bits(),
            include_str!("scatter.cl")
        );
        let function = self.program(source.clone())?.function("stream_scatter")?;
        let what = "a scatter";
        let widest = index.element.bytes().max(element.bytes());
        let types = [index.element, element];
        // Windows have what chunks leave, which is the most of it: each costs a trip.
        let wish = self.wish(index.length, widest);
        let share = self.memory.budget
            / 4
            / self.options.slots as u64
            / (types[0].bytes() + types[1].bytes()) as u64;
        let (chunk, (slots, leases, wrong)) = self.fit(wish.min(share), |chunk| {
            let (slots, leases) = self.slots(what, self.options.slots, chunk, &types, Some(&[]))?;
            Ok((slots, leases, self.memory.take(what, 8)?))
        })?;
        let room = self.memory.budget * 3 / 4 / element.bytes() as u64;
        let (windows, window) = self.fit(length.min(room), |elements| {
            self.memory.take(what, bytes(elements, element))
        })?;
        let scatter = Scatter {
            function,
            source,
            segments: in_order(index.length, chunk),
            chunk,
            slots,
            _leases: leases,
            window,
            wrong,
        };
        Ok((windows, scatter))
    }

    /// One window: there, where it is kept, filled, and back.
    fn window(
        &mut self,
        scatter: &mut Scatter,
        window: &Segment,
        (index, values): (&mut Source<'_>, &mut Source<'_>),
        (output, unnamed): (&mut Sink<'_>, Unnamed),
    ) -> Result<Vec<TripReport>, StreamError> {
        let (from, size) = (window.host.start, window.host.end - window.host.start);
        let own = || vec![scatter.window.share()];
        let held = [Slot {
            buffers_in: own(),
            buffers_out: own(),
        }];
        let whole = [Segment {
            chunk: 0,
            ..window.clone()
        }];
        let whole_task = || Task {
            chunk: size,
            chunks: 1,
            launched: None,
        };
        let nothing = |_: usize, _: &Slot, _: &mut Launches<'_>| Ok(());
        let mut trips = Vec::new();
        if unnamed == Unnamed::Keep {
            let leg = Leg {
                array: output.source(),
                segments: whole.to_vec(),
            };
            trips.push(self.trip(whole_task(), &held, vec![leg], Vec::new(), true, nothing)?);
        } else {
            self.queues[1].fill(&scatter.window, 0, &[])?;
        }
        let inputs = index.length;
        let legs = [index.again(), values.again()].map(|array| Leg {
            array,
            segments: scatter.segments.clone(),
        });
        let (target, wrong) = (scatter.window.share(), scatter.wrong.share());
        let (function, segments) = (&mut scatter.function, &scatter.segments);
        let length = output.length;
        let task = Task {
            chunk: scatter.chunk,
            chunks: segments.len(),
            launched: Some(Launched {
                work: Some(Work::Scatter),
                element: output.element,
                key: scatter.source.clone(),
                elements: inputs,
            }),
        };
        trips.push(self.trip(
            task,
            &scatter.slots,
            legs.into(),
            Vec::new(),
            false,
            |chunk, slot, launches| {
                let part = &segments[chunk].host;
                let n = part.end - part.start;
                let buffers = [&slot.buffers_in[0], &slot.buffers_in[1], &target, &wrong];
                set(function, &buffers, &[n, part.start, from, size, length])?;
                launches.launch(function, groups(n, WIDTH as u64), WIDTH)
            },
        )?);
        let mut noted = [0; 8];
        self.queues[1].read(&scatter.wrong, &mut noted)?;
        if let Some(place) = u64::from_ne_bytes(noted).checked_sub(1) {
            return Err(StreamError::Index {
                place,
                of: "output",
                length,
            });
        }
        let leg = Leg {
            array: output.again(),
            segments: whole.to_vec(),
        };
        trips.push(self.trip(whole_task(), &held, Vec::new(), vec![leg], true, nothing)?);
        Ok(trips)
    }
}
