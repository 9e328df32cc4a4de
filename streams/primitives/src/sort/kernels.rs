//! The radix sort of keys on the device.

use std::sync::Arc;

use kerncast_offload::memory::{DIGITS, sort_group_keys};
use kerncast_opencl::{Buffer, Function, OpenClError};

use crate::{
    ElementType, Operation, StreamError, Streamer,
    element::keys,
    memory::Lease,
    pipeline::Launches,
    steps::scan,
    streamer::{GROUP_ELEMENTS, WIDTH, bytes, groups, set_arguments},
};

/// The kernels that sort keys of one type.
pub(crate) struct Kernels {
    count: Function,
    scatter: Function,
    scan: scan::Kernels,
    pub(crate) key: ElementType,
}

/// Device memory that a sort needs beside the keys.
pub(crate) struct SortMemory {
    /// A second array of keys, as long as the first.
    other_keys: Lease,
    counts: Lease,
    sums: Lease,
    carry: Lease,
}

impl Kernels {
    pub(crate) fn new(streamer: &mut Streamer, key: ElementType) -> Result<Self, StreamError> {
        let source = format!(
            "{}#define WIDTH {WIDTH}\n#define ITEMS {}\n#line 1 \"stream_sort.cl\"\n{}",
            keys(key),
            sort_group_keys(key) / WIDTH as u64,
            include_str!("../../kernels/stream_sort/stream_sort.cl")
        );
        let program = streamer.program(source)?;
        let add = Operation::new("return a + b;");
        Ok(Self {
            count: program.function("stream_sort_count")?,
            scatter: program.function("stream_sort_scatter")?,
            scan: scan::Kernels::new(streamer, &add, ElementType::U32)?,
            key,
        })
    }

    /// Device memory for sorting `length` elements at once.
    pub(crate) fn allocate(
        &self,
        streamer: &Streamer,
        length: u64,
    ) -> Result<SortMemory, StreamError> {
        let lease = |elements, element| streamer.memory.lease("a sort", bytes(elements, element));
        let counts = DIGITS * length.div_ceil(sort_group_keys(self.key));
        Ok(SortMemory {
            other_keys: lease(length, self.key)?,
            counts: lease(counts, ElementType::U32)?,
            sums: lease(counts.div_ceil(GROUP_ELEMENTS), ElementType::U32)?,
            carry: lease(1, ElementType::U32)?,
        })
    }

    /// Sorts the first `length` keys, in place and stably, by the lower `bits` of their order.
    pub(crate) fn launch(
        &mut self,
        keys: &Arc<Buffer>,
        memory: &SortMemory,
        length: u64,
        bits: u64,
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        let passes = bits.div_ceil(8);
        for pass in 0..passes {
            let ends = (pass == 0, pass == passes - 1);
            let direction: [&Arc<Buffer>; 2] = if pass % 2 == 0 {
                [keys, &memory.other_keys]
            } else {
                [&memory.other_keys, keys]
            };
            self.pass(direction, memory, length, 8 * pass, ends, launches)?;
        }
        if passes % 2 == 1 {
            launches.copy(bytes(length, self.key), &memory.other_keys, keys)?;
        }
        Ok(())
    }

    /// One pass over a digit, from one array of keys to the other. The first pass changes keys to bits with the same order, the
    /// last one changes them back.
    fn pass(
        &mut self,
        [from, to]: [&Arc<Buffer>; 2],
        memory: &SortMemory,
        length: u64,
        shift: u64,
        (first, last): (bool, bool),
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        let (counts, carry) = (&memory.counts, &memory.carry);
        let groups = groups(length, sort_group_keys(self.key));
        let (first, last) = (first.into(), last.into());
        set_arguments(&mut self.count, &[from, counts], &[length, shift, first])?;
        launches.launch(&self.count, groups, WIDTH)?;
        launches.zero(carry)?;
        let arrays = scan::ScanArrays {
            input: counts,
            output: counts,
            length: DIGITS * groups as u64,
            has_carry: true,
            exclusive: true,
        };
        self.scan.launch(&arrays, &memory.sums, carry, launches)?;
        set_arguments(
            &mut self.scatter,
            &[from, to, counts],
            &[length, shift, first, last],
        )?;
        launches.launch(&self.scatter, groups, WIDTH)
    }
}
