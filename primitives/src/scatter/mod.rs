//! Elements to the places that indices say.

mod apart;
mod windows;

use std::time::Instant;

use apart::Apart;
use kerncast_offload::scatter::{apart_window, taken_apart_pays};
use kerncast_opencl::Function;
use windows::Windows;

use crate::{
    Report, Sink, Source, StreamError, Streamer, TripReport, Type, Way, Work,
    array::From,
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
    zero: Function,
    source: String,
    chunk: u64,
    slots: Vec<Slot>,
    _leases: Vec<Lease>,
    window: Lease,
    wrong: Lease,
}

impl Streamer {
    /// `output[index[i]] = values[i]`; of several `i` with the same index it is one of them.
    ///
    /// The output is done in windows of what the device has memory for. The input is read once a window, or is taken apart by
    /// windows before, into memory of the call, whichever is forecast to be faster. On an error of the device or of a file the
    /// windows until then are done.
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
            return Err(StreamError::Shape {
                what: "the index".to_owned(),
                found: format!("elements of type {}", index.element.name()),
                expected: "u32 or u64".to_owned(),
            });
        }
        if values.element != element {
            return Err(StreamError::types("the values", values.element, element));
        }
        if values.length != index.length {
            return Err(StreamError::length(
                "the index",
                index.length,
                values.length,
            ));
        }
        let (window, mut scatter) = self.prepare((index.element, index.length), element, length)?;
        self.queues[1].write(&scatter.wrong, &[0; 8])?;
        let (mut trips, mut apart) = (Vec::new(), None);
        let mut windows = in_order(length, window);
        let shift = apart_window(window).ilog2();
        let in_windows = in_order(length, 1 << shift);
        if windows.len() > 1 && self.takes_apart(in_windows.len(), &index, &values) {
            // It has the device's memory for itself.
            drop(scatter);
            let of_index = (index.element, index.length);
            let both = (&mut index, &mut values);
            let (made, trip) = Apart::new(self, both, &output, shift)?;
            trips.push(trip);
            scatter = self.prepare(of_index, element, length)?.1;
            self.queues[1].write(&scatter.wrong, &[0; 8])?;
            (apart, windows) = (Some(made), in_windows);
        }
        for (place, window) in windows.iter().enumerate() {
            let segments = in_order(index.length, scatter.chunk);
            let lengths = segments.iter().map(|it| it.host.end - it.host.start);
            let (index, values, read) = match &mut apart {
                Some(apart) => apart.window(place, scatter.chunk),
                None => {
                    let lengths = lengths.collect();
                    (index.again(), values.again(), Windows { segments, lengths })
                }
            };
            let to = (&mut output, unnamed);
            trips.extend(self.window(&mut scatter, window, (index, values, read), to)?);
        }
        if length == 0 && index.length > 0 {
            return Err(StreamError::Index { place: 0, length });
        }
        Ok(Report::new("scatter", element, values.length, start, trips))
    }

    /// How many elements a window has, and what else there is on the device.
    fn prepare(
        &mut self,
        (index, inputs): (Type, u64),
        element: Type,
        length: u64,
    ) -> Result<(u64, Scatter), StreamError> {
        let source = source(index, element);
        let program = self.program(source.clone())?;
        let function = program.function("stream_scatter")?;
        let zero = program.function("stream_scatter_zero")?;
        let what = "a scatter";
        let widest = index.bytes().max(element.bytes());
        let types = [index, element];
        // Windows have what chunks leave, which is the most of it: each costs a trip.
        let wish = self.wish(inputs, widest);
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
            zero,
            source,
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
        (index, values, read): (Source<'_>, Source<'_>, Windows),
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
        let nothing = |_: usize, _: &Slot, _: &mut Launches<'_>| Ok(());
        let mut trips = Vec::new();
        if unnamed == Unnamed::Keep {
            let leg = Leg::new(output.source(), &whole);
            trips.push(self.trip(
                Task::moving(size),
                &held,
                vec![leg],
                Vec::new(),
                true,
                nothing,
            )?);
        } else {
            let (zero, groups) = (&mut scatter.zero, groups(size, WIDTH as u64));
            set(zero, &[&scatter.window.share()], &[size])?;
            self.queues[1].launch(zero, &[groups * WIDTH], &[WIDTH], &[])?;
        }
        let Windows { segments, lengths } = &read;
        let legs = [index, values].map(|it| Leg::new(it, segments));
        let (target, wrong) = (scatter.window.share(), scatter.wrong.share());
        let function = &mut scatter.function;
        let (length, full) = (output.length, scatter.chunk);
        let task = Task {
            chunk: full,
            chunks: lengths.len(),
            launched: Some(Launched {
                work: Work::Scatter,
                element: output.element,
                key: scatter.source.clone(),
                elements: lengths.iter().sum(),
            }),
        };
        trips.push(self.trip(
            task,
            &scatter.slots,
            legs.into(),
            Vec::new(),
            false,
            |chunk, slot, launches| {
                // All chunks before it are full.
                let (n, first) = (lengths[chunk], chunk as u64 * full);
                let buffers = [&slot.buffers_in[0], &slot.buffers_in[1], &target, &wrong];
                set(function, &buffers, &[n, first, from, size, length])?;
                launches.launch(function, groups(n, WIDTH as u64), WIDTH)
            },
        )?);
        is_right(self, &scatter.wrong, length)?;
        let leg = Leg::new(output.again(), &whole);
        trips.push(self.trip(
            Task::moving(size),
            &held,
            Vec::new(),
            vec![leg],
            true,
            nothing,
        )?);
        Ok(trips)
    }

    /// Whether it is faster to take the input apart by so many windows first.
    fn takes_apart(&self, windows: usize, index: &Source<'_>, values: &Source<'_>) -> bool {
        let way = match (&index.place, &values.place) {
            (From::File(..), _) | (_, From::File(..)) => Way::File,
            (From::Pinned(_), _) => Way::Pinned,
            (From::Slice(_), _) => Way::Staged,
        };
        let both = index.element.bytes() + values.element.bytes();
        let moved = (way, index.length * both as u64);
        let rates = self.rates.as_ref();
        taken_apart_pays(windows as u64, moved, index.length, &self.options, rates)
    }
}

/// # Errors
/// An index was noted to be beyond the output.
fn is_right(streamer: &Streamer, wrong: &Lease, length: u64) -> Result<(), StreamError> {
    let mut noted = [0; 8];
    streamer.queues[1].read(wrong, &mut noted)?;
    match u64::from_ne_bytes(noted).checked_sub(1) {
        Some(place) => Err(StreamError::Index { place, length }),
        None => Ok(()),
    }
}

fn source(index: Type, element: Type) -> String {
    format!(
        "#define INDEX {}\n#define VALUE {}\n#line 1 \"stream_scatter.cl\"\n{}",
        index.opencl(),
        element.bits(),
        include_str!("../../kernels/stream_scatter/stream_scatter.cl")
    )
}
