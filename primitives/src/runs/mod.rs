//! Where runs of equal keys begin: how many there are says how long an output is, before anything is written.

use crate::{
    Sink, Source, StreamError, Streamer, TripReport, Type,
    pipeline::{Segment, in_order},
    streamer::{ITEMS, Leg, TILE, Task, WIDTH, groups, set},
};

/// How many runs begin in each tile.
pub(crate) struct Runs {
    heads: Vec<u32>,
}

impl Streamer {
    /// Counts the runs of equal keys, in one trip.
    pub(crate) fn runs(&mut self, keys: Source<'_>) -> Result<(Runs, TripReport), StreamError> {
        let (element, length) = (keys.element, keys.length);
        let source = source(element.number("the keys")?);
        let mut function = self.program(source.clone())?.function("stream_runs")?;
        let mut heads = vec![0_u32; groups(length, TILE)];
        let output = Sink::slice(&mut heads);
        let what = "counting runs";
        let last = self.memory.take(what, 2 * element.bytes())?;
        let count = self.slot_count(&[&keys], &output);
        let (chunk, (slots, _leases)) = self.fit(self.wish(length, element.bytes()), |chunk| {
            self.slots(
                what,
                count,
                chunk,
                &[element],
                Some(&[(Type::U32.into(), TILE)]),
            )
        })?;
        let segments = in_order(length, chunk);
        let tiles = in_order(output.length, chunk / TILE);
        let inputs = vec![Leg::new(keys, &segments)];
        let outputs = vec![Leg::new(output, &tiles)];
        let task = Task::of((chunk, segments.len()), element, source, length);
        let last = last.share();
        let trip = self.trip(
            task,
            &slots,
            inputs,
            outputs,
            false,
            |index, slot, launches| {
                let part = &segments[index].host;
                let n = part.end - part.start;
                let buffers = [&slot.buffers_in[0], &slot.buffers_out[0], &last];
                set(&mut function, &buffers, &[n, index as u64])?;
                launches.launch(&function, groups(n, TILE), WIDTH)
            },
        )?;
        if self.planning {
            // Nobody knows: no two are equal.
            let tile = u32::try_from(TILE).expect("a few thousand");
            heads.fill(tile);
            if let Some(last) = heads.last_mut() {
                *last -= u32::try_from(length.next_multiple_of(TILE) - length).unwrap_or(tile);
            }
        }
        Ok((Runs { heads }, trip))
    }
}

impl Runs {
    /// All of them.
    pub(crate) fn count(&self) -> u64 {
        self.heads.iter().map(|&it| u64::from(it)).sum()
    }

    /// How many begin before each chunk, and last of all.
    pub(crate) fn before(&self, chunk: u64) -> Vec<u64> {
        let tiles = groups(chunk, TILE);
        let mut before = vec![0];
        let mut sum = 0;
        for tiles in self.heads.chunks(tiles) {
            sum += tiles.iter().map(|&it| u64::from(it)).sum::<u64>();
            before.push(sum);
        }
        before
    }

    /// How many begin in the same chunk before each tile.
    pub(crate) fn offsets(&self, chunk: u64) -> Vec<u32> {
        let mut offsets = self.heads.clone();
        for tiles in offsets.chunks_mut(groups(chunk, TILE)) {
            let mut sum = 0;
            for tile in tiles {
                sum += std::mem::replace(tile, sum);
            }
        }
        offsets
    }
}

/// An output's parts that come from each chunk, where `ends` says how long all until its end are.
pub(crate) fn parts(ends: impl Iterator<Item = u64>) -> Vec<Segment> {
    let (mut segments, mut start) = (Vec::new(), 0);
    for (chunk, end) in ends.enumerate() {
        if start < end {
            segments.push(Segment {
                chunk,
                host: start..end,
                device: 0,
            });
        }
        start = end;
    }
    segments
}

/// The kernel `stream_runs` and what it needs, for other sources to follow.
pub(crate) fn source(keys: Type) -> String {
    format!(
        "#define KEY {}\n#define WIDTH {WIDTH}\n#define ITEMS {ITEMS}\n#line 1 \"stream_runs.cl\"\n{}",
        keys.bits(),
        include_str!("../../kernels/stream_runs/stream_runs.cl")
    )
}
