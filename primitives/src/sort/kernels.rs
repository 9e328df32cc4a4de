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

/// The kernels for keys, and values that go with them.
pub(crate) struct Kernels {
    count: Function,
    scatter: Function,
    scan: scan::Kernels,
    columns: Vec<Type>,
}

/// What sorting needs beside the columns.
pub(crate) struct Room {
    /// As large as the columns.
    other: Vec<Arc<Buffer>>,
    counts: Arc<Buffer>,
    sums: Arc<Buffer>,
    carry: Arc<Buffer>,
    _leases: Vec<Lease>,
}

impl Kernels {
    pub(crate) fn new(streamer: &mut Streamer, columns: &[Type]) -> Result<Self, StreamError> {
        let value = columns.get(1);
        let source = format!(
            "{}#define VALUES {}\n#define VALUE {}\n#define WIDTH {WIDTH}\n#define ITEMS {}\n\
             #line 1 \"stream_sort.cl\"\n{}",
            keys(columns[0]),
            u8::from(value.is_some()),
            value.unwrap_or(&Type::U8).bits(),
            tile(width(columns)) / WIDTH as u64,
            include_str!("../../kernels/stream_sort/stream_sort.cl")
        );
        let program = streamer.program(source)?;
        let add = Operation::new("return a + b;");
        Ok(Self {
            count: program.function("stream_sort_count")?,
            scatter: program.function("stream_sort_scatter")?,
            scan: scan::Kernels::new(streamer, &add, Type::U32)?,
            columns: columns.to_vec(),
        })
    }

    /// Device memory for sorting `length` elements at once.
    pub(crate) fn room(&self, streamer: &Streamer, length: u64) -> Result<Room, StreamError> {
        Room::new(streamer, &self.columns, length)
    }

    /// Sorts the first `length` elements of the columns, in place and stably, by the lower `bits` of the first column's order.
    pub(crate) fn launch(
        &mut self,
        columns: &[Arc<Buffer>],
        room: &Room,
        length: u64,
        bits: u64,
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        let passes = bits.div_ceil(8);
        for pass in 0..passes {
            let ends = (pass == 0, pass == passes - 1);
            self.pass(
                columns,
                room,
                length,
                (8 * pass, pass % 2 == 1),
                ends,
                launches,
            )?;
        }
        if passes % 2 == 1 {
            self.copy_back(columns, room, length, launches)?;
        }
        Ok(())
    }

    /// One pass, from the columns to the room's, or back; the first one turns keys, and the last one turns them back.
    fn pass(
        &mut self,
        columns: &[Arc<Buffer>],
        room: &Room,
        length: u64,
        (shift, goes_back): (u64, bool),
        (first, last): (bool, bool),
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        let (other, counts, carry) = (&room.other[..], &room.counts, &room.carry);
        let (from, to) = match goes_back {
            true => (other, columns),
            false => (columns, other),
        };
        let groups = groups(length, tile(width(&self.columns)));
        let (first, last) = (first.into(), last.into());
        set(
            &mut self.count,
            &[&from[0], counts],
            &[length, shift, first],
        )?;
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
        // Without values any buffer will do for them.
        let values = [from.last(), to.last()].map(|it| it.expect("a column"));
        let buffers = [&from[0], &to[0], values[0], values[1], counts];
        set(&mut self.scatter, &buffers, &[length, shift, first, last])?;
        launches.launch(&self.scatter, groups, WIDTH)
    }

    fn copy_back(
        &self,
        columns: &[Arc<Buffer>],
        room: &Room,
        length: u64,
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        for ((to, from), &element) in columns.iter().zip(&room.other).zip(&self.columns) {
            launches.copy(bytes(length, element), from, to)?;
        }
        Ok(())
    }
}

/// Bytes of an element of each.
fn width(columns: &[Type]) -> usize {
    columns.iter().map(|it| it.bytes()).sum()
}

impl Room {
    pub(crate) fn new(
        streamer: &Streamer,
        columns: &[Type],
        length: u64,
    ) -> Result<Self, StreamError> {
        let mut leases = Vec::new();
        let mut take = |elements, element: Type| {
            let lease = streamer.memory.take("a sort", bytes(elements, element))?;
            let buffer = lease.share();
            leases.push(lease);
            Ok::<Arc<Buffer>, StreamError>(buffer)
        };
        let counts = DIGITS * length.div_ceil(tile(width(columns)));
        let other = columns.iter().map(|&it| take(length, it));
        let other = other.collect::<Result<_, _>>()?;
        Ok(Self {
            other,
            counts: take(counts, Type::U32)?,
            sums: take(counts.div_ceil(TILE), Type::U32)?,
            carry: take(1, Type::U32)?,
            _leases: leases,
        })
    }
}
