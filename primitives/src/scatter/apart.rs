//! The input taken apart by the windows of the output, so that each window reads its part alone.

use super::{
    is_right, source,
    windows::{Windows, cuts, packed},
};
use crate::{
    Sink, Source, StreamError, Streamer, TripReport, Work,
    pipeline::{Launches, Slot, in_order},
    sort::{Kernels, Scratch},
    streamer::{Launched, Leg, Task, WIDTH, groups, set},
};

/// Indices and values, chunk by chunk in the order of their windows.
pub(super) struct Apart {
    index: Scratch,
    values: Scratch,
    /// By chunk: where each window's part begins, and where the last one ends.
    cuts: Vec<Vec<u64>>,
}

impl Apart {
    /// One trip, there and back. Windows have `1 << shift` elements.
    pub(super) fn new(
        streamer: &mut Streamer,
        (index, values): (&mut Source<'_>, &mut Source<'_>),
        output: &Sink<'_>,
        shift: u32,
    ) -> Result<(Self, TripReport), StreamError> {
        let columns = [index.element, values.element];
        let program = streamer.program(source(columns[0], columns[1]))?;
        let mut check = program.function("stream_scatter_check")?;
        let mut kernels = Kernels::new(streamer, &columns)?;
        let (n, length) = (index.length, output.length);
        let wish = streamer.wish(n, columns[0].bytes().max(columns[1].bytes()));
        let (chunk, (slots, _leases, room, wrong)) = streamer.fit(wish, |chunk| {
            let count = streamer.options.slots;
            let (slots, leases) = streamer.slots("a scatter", count, chunk, &columns, None)?;
            Ok((
                slots,
                leases,
                kernels.room(streamer, chunk)?,
                streamer.memory.take("a scatter", 8)?,
            ))
        })?;
        streamer.queues[1].write(&wrong, &[0; 8])?;
        let mut its = [Scratch::new(columns[0], n)?, Scratch::new(columns[1], n)?];
        let segments = in_order(n, chunk);
        let task = Task {
            chunk,
            chunks: segments.len(),
            launched: Some(Launched {
                work: Work::Scatter,
                element: columns[1],
                key: format!("apart {columns:?}"),
                elements: n,
            }),
        };
        let legs = [index.again(), values.again()].map(|it| Leg::new(it, &segments));
        let back = its.each_mut().map(|it| Leg::new(it.sink(), &segments));
        let trip = streamer.trip(
            task,
            &slots,
            legs.into(),
            back.into(),
            true,
            |at: usize, slot: &Slot, launches: &mut Launches<'_>| {
                let (columns, part) = (&slot.buffers_in, &segments[at].host);
                let here = part.end - part.start;
                set(
                    &mut check,
                    &[&columns[0], &wrong.share()],
                    &[here, part.start, length],
                )?;
                launches.launch(&check, groups(here, WIDTH as u64), WIDTH)?;
                kernels.by_digit(columns, &room, here, shift.into(), launches)
            },
        )?;
        is_right(streamer, &wrong, length)?;
        let [mut index, values] = its;
        let windows = length.div_ceil(1 << shift);
        let cuts = cuts(&index.sink(), &segments, windows, shift)?;
        let apart = Self {
            index,
            values,
            cuts,
        };
        Ok((apart, trip))
    }

    /// What a window reads, in chunks of `chunk` elements.
    pub(super) fn window(
        &mut self,
        window: usize,
        chunk: u64,
    ) -> (Source<'_>, Source<'_>, Windows) {
        let ranges = self.cuts.iter().map(|cuts| cuts[window]..cuts[window + 1]);
        let packed = packed(&ranges.collect::<Vec<_>>(), chunk);
        (self.index.source(), self.values.source(), packed)
    }
}
