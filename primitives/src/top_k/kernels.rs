//! The greatest elements of what went by, kept on the device.

use std::sync::Arc;

use kerncast_opencl::{Buffer, Function, OpenClError};

use crate::{
    Kind, StreamError, Streamer, Type,
    element::keys,
    memory::Lease,
    pipeline::Launches,
    streamer::{ITEMS, TILE, WIDTH, bytes, groups, set},
};

/// Work-groups that go through what is held, however much that is.
const GROUPS: usize = 512;
/// Bits of a digit.
const DIGIT: u64 = 8;

pub(super) struct Kernels {
    filter: Function,
    count: Function,
    pick: Function,
    keep: Function,
    settle: Function,
    end: Function,
    back: Function,
    element: Kind,
    pub(super) source: String,
}

/// Device memory for `k` elements, and a chunk behind them.
pub(super) struct Held {
    pub(super) all: Lease,
    kept: Lease,
    state: Lease,
    bounds: Lease,
    digits: Lease,
    k: u64,
}

impl Kernels {
    pub(super) fn new(streamer: &mut Streamer, element: Kind) -> Result<Self, StreamError> {
        let source = format!(
            "{}#define WIDTH {WIDTH}\n#define ITEMS {ITEMS}\n#line 1 \"stream_top_k.cl\"\n{}",
            keys(element.number("the input")?),
            include_str!("../../kernels/stream_top_k/stream_top_k.cl")
        );
        let program = streamer.program(source.clone())?;
        Ok(Self {
            filter: program.function("stream_top_filter")?,
            count: program.function("stream_top_count")?,
            pick: program.function("stream_top_pick")?,
            keep: program.function("stream_top_keep")?,
            settle: program.function("stream_top_settle")?,
            end: program.function("stream_top_end")?,
            back: program.function("stream_top_back")?,
            element,
            source,
        })
    }

    /// The greatest of `input`'s first `n` elements and of those that are held are held then.
    pub(super) fn launch(
        &mut self,
        input: &Arc<Buffer>,
        held: &Held,
        n: u64,
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        let k = held.k;
        let leases = [
            &held.all,
            &held.kept,
            &held.state,
            &held.bounds,
            &held.digits,
        ];
        let [all, kept, state, bounds, digits] = &leases.map(Lease::share);
        set(&mut self.filter, &[input, all, state, bounds], &[n])?;
        launches.launch(&self.filter, groups(n, TILE), WIDTH)?;
        for pass in (0..self.element.bytes() as u64).rev() {
            let first = u64::from(pass + 1 == self.element.bytes() as u64);
            let shift = pass * DIGIT;
            set(&mut self.count, &[all, state, bounds, digits], &[k, shift])?;
            launches.launch(&self.count, GROUPS, WIDTH)?;
            set(&mut self.pick, &[state, bounds, digits], &[k, shift, first])?;
            launches.launch(&self.pick, 1, WIDTH)?;
        }
        set(&mut self.keep, &[all, kept, state, bounds], &[k])?;
        launches.launch(&self.keep, GROUPS, WIDTH)?;
        set(&mut self.settle, &[all, kept, state, bounds], &[k])?;
        launches.launch(&self.settle, groups(k, WIDTH as u64), WIDTH)?;
        set(&mut self.end, &[state, bounds], &[k])?;
        launches.launch(&self.end, 1, WIDTH)
    }

    /// What is held, in no order.
    pub(super) fn read(
        &mut self,
        streamer: &Streamer,
        held: &Held,
    ) -> Result<Vec<u8>, OpenClError> {
        let queue = &streamer.queues[1];
        set(&mut self.back, &[&held.all.share()], &[held.k])?;
        let items = groups(held.k, WIDTH as u64) * WIDTH;
        queue.launch(&self.back, &[items], &[WIDTH], &[])?;
        let mut elements = vec![0; bytes(held.k, self.element)];
        queue.read_at(&held.all, 0, &mut elements)?;
        Ok(elements)
    }
}

impl Held {
    pub(super) fn new(
        streamer: &Streamer,
        element: Kind,
        k: u64,
        chunk: u64,
    ) -> Result<Self, StreamError> {
        let take = |bytes| streamer.memory.take("the greatest elements", bytes);
        Ok(Self {
            all: take(bytes(k + chunk, element))?,
            kept: take(bytes(k, element))?,
            state: take(4 * Type::U32.bytes())?,
            bounds: take(2 * element.bytes())?,
            digits: take(Type::U32.bytes() << DIGIT)?,
            k,
        })
    }

    /// Holds nothing.
    pub(super) fn clear(&self, streamer: &Streamer) -> Result<(), OpenClError> {
        for it in [&self.state, &self.bounds, &self.digits] {
            streamer.queues[1].fill(it, 0, &[])?;
        }
        Ok(())
    }
}
