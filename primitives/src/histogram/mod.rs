//! How many elements lie between edges.

use std::{cmp::Ordering, time::Instant};

use kerncast_offload::needs::LONGEST_RUN;

use crate::{
    Number, Report, Sink, Source, StreamError, Streamer, Type,
    by_cores::MOST_BINS,
    pipeline::in_order,
    streamer::{Leg, TILE, Task, WIDTH, bytes, groups, set},
};

/// As many bins are counted in local memory: 2048 with their edges take 24 KiB at most.
const MOST_LOCAL: usize = 2048;
/// Work-groups of a launch: each brings its local counts to the others'.
const MOST_GROUPS: usize = 1024;

impl Streamer {
    /// How many elements lie in each bin: bin i has those with `edges[i] <= x < edges[i + 1]`, the last one with its upper
    /// edge too, as numpy's have; so the last two edges may be equal. Numbers are compared, so -0 is 0;
    /// what lies beyond the edges, and NaN, is in no bin.
    ///
    /// # Errors
    /// The input is of another type than `T`, there are fewer than two edges, they do not ascend or one is NaN, their bins
    /// do not fit the device's memory, or the device or a file fails.
    pub fn histogram<T: Number>(
        &mut self,
        input: Source<'_>,
        edges: &[T],
    ) -> Result<(Vec<u64>, Report), StreamError> {
        let start = Instant::now();
        let (element, length) = (input.element, input.length);
        if element != T::KIND {
            return Err(StreamError::types("the input", element, T::TYPE));
        }
        check(edges)?;
        if edges.len() <= MOST_BINS + 1 && self.is_left_further(&[element]) {
            let counts = match self.planning {
                true => Vec::new(),
                false => self.histogram_by_cores(T::TYPE, &input, bytemuck::cast_slice(edges))?,
            };
            let report = Report::of_cores("histogram", element, length, start, None);
            return Ok((counts, report));
        }
        self.check_types(&[element], None)?;
        let bins = edges.len() - 1;
        let most = if bins <= MOST_LOCAL { MOST_LOCAL } else { 0 };
        let source = format!(
            "#define T {}\n#define WIDTH {WIDTH}\n#define TILE {TILE}\n#define MOST {most}\n#line 1 \"stream_histogram.cl\"\n{}",
            element.opencl(),
            include_str!("../../kernels/stream_histogram/stream_histogram.cl")
        );
        let program = self.program(source.clone())?;
        let mut count = program.function("stream_histogram")?;
        let mut add = program.function("stream_histogram_add")?;

        let what = "a histogram";
        let known = self.memory.take(what, size_of_val(edges))?;
        let counts = self.memory.take(what, bytes(bins as u64, Type::U32))?;
        let totals = self.memory.take(what, bytes(bins as u64, Type::U64))?;
        self.queues[1].write(&known, bytemuck::cast_slice(edges))?;
        self.queues[1].fill(&counts, 0, &[])?;
        self.queues[1].fill(&totals, 0, &[])?;

        let slots = self.slot_count(&[&input], &Sink::slice::<u64>(&mut []));
        // A chunk's counts have 32 bits.
        let wish = self.wish(length, element.bytes()).min(LONGEST_RUN);
        let (chunk, (slots, _leases)) = self.fit(wish, |chunk| {
            self.slots(what, slots, chunk, &[element], Some(&[]))
        })?;
        let segments = in_order(length, chunk);
        let inputs = vec![Leg::new(input, &segments)];
        let task = Task::of(
            (chunk, segments.len()),
            element,
            format!("{source}{bins}"),
            length,
        );
        let (edges, found, all) = (known.share(), counts.share(), totals.share());
        let trip = self.trip(
            task,
            &slots,
            inputs,
            Vec::new(),
            false,
            |index, slot, launches| {
                let part = &segments[index].host;
                let n = part.end - part.start;
                // The chunk before; last comes what uses the chunk, as is awaited where it is the caller's memory.
                set(&mut add, &[&found, &all], &[bins as u64])?;
                launches.launch(&add, groups(bins as u64, WIDTH as u64), WIDTH)?;
                let buffers = [&slot.buffers_in[0], &edges, &found];
                set(&mut count, &buffers, &[n, bins as u64])?;
                launches.launch(&count, groups(n, TILE).min(MOST_GROUPS), WIDTH)
            },
        )?;
        let items = groups(bins as u64, WIDTH as u64) * WIDTH;
        // The last chunk's.
        set(&mut add, &[&found, &all], &[bins as u64])?;
        self.queues[1].launch(&add, &[items], &[WIDTH], &[])?;
        let mut counts = vec![0_u64; bins];
        self.queues[1].read(&totals, bytemuck::cast_slice_mut(&mut counts))?;
        let report = Report::new("histogram", element, length, start, vec![trip]);
        Ok((counts, report))
    }
}

/// Edges of bins ascend; the last one may be the one before: that bin has this number alone.
fn check<T: Number>(edges: &[T]) -> Result<(), StreamError> {
    let wrong = |found: String| StreamError::Shape {
        what: "the edges".to_owned(),
        found,
        expected: "two or more that ascend".to_owned(),
    };
    if edges.len() < 2 {
        return Err(wrong(format!("{} elements", edges.len())));
    }
    // NaN alone differs from itself.
    #[expect(clippy::eq_op, reason = "it is how generic code asks for NaN")]
    if let Some(place) = edges.iter().position(|it| it != it) {
        return Err(wrong(format!("NaN at place {place}")));
    }
    let is_wrong = |(place, it): (usize, &[T])| match it[0].order().cmp(&it[1].order()) {
        Ordering::Less => false,
        Ordering::Equal => place + 2 < edges.len(),
        Ordering::Greater => true,
    };
    match edges.windows(2).enumerate().position(is_wrong) {
        Some(place) => Err(wrong(format!(
            "at place {} one that is not above the one before",
            place + 1
        ))),
        None => Ok(()),
    }
}
