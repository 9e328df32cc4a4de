//! The scatter: elements go to the places that an index names.

use std::time::Instant;

use kerncast_opencl::Function;

use crate::{
    ElementType, Report, Sink, Source, StreamError, StreamWork, Streamer, TripReport,
    memory::Lease,
    pipeline::{Segment, Slot, in_order},
    streamer::{Computation, Leg, Task, WIDTH, bytes, groups, set_arguments},
};

/// What all windows share: the kernels and the device memory.
struct Scatter {
    function: Function,
    zero: Function,
    source: String,
    chunk: u64,
    slots: Vec<Slot>,
    window: Lease,
    wrong: Lease,
}

impl Streamer {
    /// `output[index[i]] = values[i]`. Of several `i` with the same index one wins; places that no index names become 0.
    ///
    /// The output is filled in windows that fit into the device's memory; the input is read once for each window. On an error
    /// of the device or of a file the windows before it have been written.
    ///
    /// # Errors
    /// The index is neither `u32` nor `u64`, lengths or types differ, an index is beyond the output (which is then as it
    /// was), or the device or a file fails.
    pub fn scatter(
        &mut self,
        mut index: Source<'_>,
        mut values: Source<'_>,
        mut output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (element, length) = (output.element, output.length);
        if !matches!(index.element, ElementType::U32 | ElementType::U64) {
            return Err(StreamError::Shape {
                what: "the index".to_owned(),
                actual: format!("elements of type {}", index.element.name()),
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
        let mut trips = Vec::new();
        for window in in_order(length, window) {
            let from = [index.reborrow(), values.reborrow()];
            trips.extend(self.window(&mut scatter, &window, from, &mut output)?);
        }
        if length == 0 && index.length > 0 {
            return Err(StreamError::Index { place: 0, length });
        }
        Ok(Report::new("scatter", element, values.length, start, trips))
    }

    /// The length of a window, and what all windows share.
    fn prepare(
        &mut self,
        (index, inputs): (ElementType, u64),
        element: ElementType,
        length: u64,
    ) -> Result<(u64, Scatter), StreamError> {
        let source = source(index, element);
        let program = self.program(source.clone())?;
        let function = program.function("stream_scatter")?;
        let zero = program.function("stream_scatter_zero")?;
        let name = "a scatter";
        let widest = index.bytes().max(element.bytes());
        let types = [index, element];
        // Each window costs a trip, so chunks leave most of the memory to it.
        let wish = self.wished_chunk(inputs, widest);
        let share = self.memory.budget
            / 4
            / self.options.slots as u64
            / (types[0].bytes() + types[1].bytes()) as u64;
        let (chunk, (slots, wrong)) = self.fit_chunk(wish.min(share), |chunk| {
            let slots = self.allocate_slots(name, self.options.slots, chunk, &types, Some(&[]))?;
            Ok((slots, self.memory.lease(name, 8)?))
        })?;
        let most = self.memory.budget * 3 / 4 / element.bytes() as u64;
        let (windows, window) = self.fit_chunk(length.min(most), |elements| {
            self.memory.lease(name, bytes(elements, element))
        })?;
        let scatter = Scatter {
            function,
            zero,
            source,
            chunk,
            slots,
            window,
            wrong,
        };
        Ok((windows, scatter))
    }

    /// Fills one window on the device and brings it back.
    fn window(
        &mut self,
        scatter: &mut Scatter,
        window: &Segment,
        inputs: [Source<'_>; 2],
        output: &mut Sink<'_>,
    ) -> Result<Vec<TripReport>, StreamError> {
        let (from, size) = (
            window.elements.start,
            window.elements.end - window.elements.start,
        );
        let window_slot = [Slot {
            buffers_in: vec![scatter.window.share()],
            buffers_out: vec![scatter.window.share()],
            _leases: Vec::new(),
        }];
        let whole = [Segment {
            chunk: 0,
            ..window.clone()
        }];
        let (zero, in_window) = (&mut scatter.zero, groups(size, WIDTH as u64));
        set_arguments(zero, &[&scatter.window], &[size])?;
        self.queues[1].launch(zero, &[in_window * WIDTH], &[WIDTH], &[])?;
        let elements = inputs[0].length;
        let segments = in_order(elements, scatter.chunk);
        let legs = inputs.map(|it| Leg::new(it, &segments));
        let function = &mut scatter.function;
        let length = output.length;
        let task = Task {
            chunk: scatter.chunk,
            chunks: segments.len(),
            computation: Some(Computation {
                work: StreamWork::Scatter,
                element: output.element,
                key: scatter.source.clone(),
                elements,
            }),
        };
        let there = self.trip(
            task,
            &scatter.slots,
            legs.into(),
            Vec::new(),
            false,
            &mut |chunk, slot, launches| {
                let part = &segments[chunk].elements;
                let n = part.end - part.start;
                let [index, values] = [&slot.buffers_in[0], &slot.buffers_in[1]];
                let buffers = [index, values, &scatter.window, &scatter.wrong];
                set_arguments(function, &buffers, &[n, part.start, from, size, length])?;
                launches.launch(function, groups(n, WIDTH as u64), WIDTH)
            },
        )?;
        check_indices(self, &scatter.wrong, length)?;
        let leg = Leg::new(output.reborrow(), &whole);
        let back = self.move_arrays((size, 1), &window_slot, Vec::new(), vec![leg], true)?;
        Ok(vec![there, back])
    }
}

/// # Errors
/// A kernel noted an index that is beyond the output.
fn check_indices(streamer: &Streamer, wrong: &Lease, length: u64) -> Result<(), StreamError> {
    let mut noted = [0; 8];
    streamer.queues[1].read(wrong, &mut noted)?;
    match u64::from_ne_bytes(noted).checked_sub(1) {
        Some(place) => Err(StreamError::Index { place, length }),
        None => Ok(()),
    }
}

fn source(index: ElementType, element: ElementType) -> String {
    format!(
        "#define INDEX {}\n#define VALUE {}\n#line 1 \"stream_scatter.cl\"\n{}",
        index.opencl(),
        element.bits(),
        include_str!("../kernels/stream_scatter/stream_scatter.cl")
    )
}
