//! A sort of what is on the device.

use std::sync::Arc;

use kerncast_offload::needs::{DIGITS, tile};
use kerncast_opencl::{Buffer, Function, OpenClError};

use crate::{
    Operation, StreamError, Streamer, Type,
    element::keys,
    memory::Lease,
    pipeline::Launches,
    steps::scan,
    streamer::{TILE, WIDTH, bytes, groups, set},
};

/// The kernels for keys.
pub(crate) struct Kernels {
    count: Function,
    scatter: Function,
    scan: scan::Kernels,
    pub(crate) key: Type,
}

/// What sorting needs beside the keys.
pub(crate) struct Room {
    /// As large as the keys.
    other: Arc<Buffer>,
    counts: Arc<Buffer>,
    sums: Arc<Buffer>,
    carry: Arc<Buffer>,
    _leases: Vec<Lease>,
}

impl Kernels {
    pub(crate) fn new(streamer: &mut Streamer, key: Type) -> Result<Self, StreamError> {
        let source = format!(
            "{}#define WIDTH {WIDTH}\n#define ITEMS {}\n#line 1 \"stream_sort.cl\"\n{}",
            keys(key),
            tile(key) / WIDTH as u64,
            include_str!("../../kernels/stream_sort/stream_sort.cl")
        );
        let program = streamer.program(source)?;
        let add = Operation::new("return a + b;");
        Ok(Self {
            count: program.function("stream_sort_count")?,
            scatter: program.function("stream_sort_scatter")?,
            scan: scan::Kernels::new(streamer, &add, Type::U32)?,
            key,
        })
    }

    /// Device memory for sorting `length` elements at once.
    pub(crate) fn room(&self, streamer: &Streamer, length: u64) -> Result<Room, StreamError> {
        let mut leases = Vec::new();
        let mut take = |elements, element: Type| {
            let lease = streamer.memory.take("a sort", bytes(elements, element))?;
            let buffer = lease.share();
            leases.push(lease);
            Ok::<Arc<Buffer>, StreamError>(buffer)
        };
        let counts = DIGITS * length.div_ceil(tile(self.key));
        Ok(Room {
            other: take(length, self.key)?,
            counts: take(counts, Type::U32)?,
            sums: take(counts.div_ceil(TILE), Type::U32)?,
            carry: take(1, Type::U32)?,
            _leases: leases,
        })
    }

    /// Sorts the first `length` keys, in place and stably, by the lower `bits` of their order.
    pub(crate) fn launch(
        &mut self,
        keys: &Arc<Buffer>,
        room: &Room,
        length: u64,
        bits: u64,
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        let passes = bits.div_ceil(8);
        for pass in 0..passes {
            let ends = (pass == 0, pass == passes - 1);
            let there = match pass % 2 {
                0 => [keys, &room.other],
                _ => [&room.other, keys],
            };
            self.pass(there, room, length, 8 * pass, ends, launches)?;
        }
        if passes % 2 == 1 {
            launches.copy(bytes(length, self.key), &room.other, keys)?;
        }
        Ok(())
    }

    /// One pass, from the keys to the room's, or back; the first one turns keys, and the last one turns them back.
    fn pass(
        &mut self,
        [from, to]: [&Arc<Buffer>; 2],
        room: &Room,
        length: u64,
        shift: u64,
        (first, last): (bool, bool),
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        let (counts, carry) = (&room.counts, &room.carry);
        let groups = groups(length, tile(self.key));
        let (first, last) = (first.into(), last.into());
        set(&mut self.count, &[from, counts], &[length, shift, first])?;
        launches.launch(&self.count, groups, WIDTH)?;
        launches.zero(carry)?;
        let scanned = scan::Scanned {
            input: counts,
            output: counts,
            length: DIGITS * groups as u64,
            carried: true,
            exclusive: true,
        };
        self.scan.launch(&scanned, &room.sums, carry, launches)?;
        set(
            &mut self.scatter,
            &[from, to, counts],
            &[length, shift, first, last],
        )?;
        launches.launch(&self.scatter, groups, WIDTH)
    }
}
