//! The input taken apart by the windows of the output, so that each window reads its part alone.

use std::{io, ops::Range};

use rayon::prelude::*;

use super::{Windows, is_right, source};
use crate::{
    Sink, Source, StreamError, Streamer, TripReport, Work,
    pipeline::{Launches, Segment, Slot, in_order},
    sort::{Kernels, Scratch, end_of},
    streamer::{Launched, Leg, Task, WIDTH, groups, set},
};

/// Indices and values, chunk by chunk in the order of their windows.
pub(super) struct Apart {
    index: Scratch,
    values: Scratch,
    /// By window: where its part of each chunk lies.
    parts: Vec<Vec<Range<u64>>>,
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
                work: Some(Work::Scatter),
                element: columns[1],
                key: format!("apart {columns:?}"),
                elements: n,
            }),
        };
        let legs = [index.again(), values.again()].map(|array| Leg {
            array,
            segments: segments.clone(),
        });
        let back = its.each_mut().map(|it| Leg {
            array: it.sink(),
            segments: segments.clone(),
        });
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
        let parts = parts(&index.sink(), &segments, windows, shift);
        let parts = parts.map_err(|why| StreamError::File {
            what: "reading what was taken apart".to_owned(),
            why,
        })?;
        let apart = Self {
            index,
            values,
            parts,
        };
        Ok((apart, trip))
    }

    /// What a window reads, in chunks of `chunk` elements.
    pub(super) fn window(
        &mut self,
        window: usize,
        chunk: u64,
    ) -> (Source<'_>, Source<'_>, Windows) {
        let packed = packed(&self.parts[window], chunk);
        (self.index.source(), self.values.source(), packed)
    }
}

fn parts(
    index: &Sink<'_>,
    chunks: &[Segment],
    windows: u64,
    shift: u32,
) -> io::Result<Vec<Vec<Range<u64>>>> {
    let cuts = chunks.par_iter().map(|chunk| {
        let mut start = chunk.host.start;
        let mut ranges = Vec::new();
        for window in 1..=windows {
            let last = (window << shift) - 1;
            let end = end_of(start..chunk.host.end, last, |place| index.order_at(place))?;
            ranges.push(start..end);
            start = end;
        }
        Ok(ranges)
    });
    let cuts = cuts.collect::<io::Result<Vec<_>>>()?;
    let of = |window: usize| cuts.iter().map(|ranges| ranges[window].clone()).collect();
    let windows = usize::try_from(windows).expect("256 at most");
    Ok((0..windows).map(of).collect())
}

/// Ranges one behind the other, in chunks that are full but for the last one.
fn packed(ranges: &[Range<u64>], chunk: u64) -> Windows {
    let (mut segments, mut lengths) = (Vec::new(), Vec::new());
    let mut room = 0;
    for range in ranges {
        let mut start = range.start;
        while start < range.end {
            if room == 0 {
                lengths.push(0);
                room = chunk;
            }
            let here = room.min(range.end - start);
            segments.push(Segment {
                chunk: lengths.len() - 1,
                host: start..start + here,
                device: chunk - room,
            });
            *lengths.last_mut().expect("a chunk") += here;
            room -= here;
            start += here;
        }
    }
    Windows { segments, lengths }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_full_whatever_the_ranges() {
        let windows = packed(&[0..5, 9..9, 20..41], 8);
        assert_eq!(windows.lengths, [8, 8, 8, 2]);
        let segments = windows.segments.iter();
        let shown = segments.map(|it| (it.chunk, it.host.clone(), it.device));
        let expected = [
            (0, 0..5, 0),
            (0, 20..23, 5),
            (1, 23..31, 0),
            (2, 31..39, 0),
            (3, 39..41, 0),
        ];
        assert!(shown.eq(expected));
        assert!(packed(&[], 8).lengths.is_empty());
    }
}
