//! The scan of a chunk on the device, in three launches.

use std::sync::Arc;

use kerncast_opencl::{Buffer, Function, OpenClError};

use super::sources;
use crate::{
    ElementType, Operation, StreamError, Streamer,
    pipeline::Launches,
    streamer::{GROUP_ELEMENTS, WIDTH, groups, set_arguments},
};

/// The kernels `stream_reduce`, `stream_scan_sums` and `stream_scan`.
pub(crate) struct Kernels {
    functions: [Function; 3],
}

/// The arrays of a scan.
pub(crate) struct ScanArrays<'b> {
    pub(crate) input: &'b Arc<Buffer>,
    /// The output array, which may be the input.
    pub(crate) output: &'b Arc<Buffer>,
    /// Number of elements.
    pub(crate) length: u64,
    /// Whether the scan starts with the result that earlier chunks carried.
    pub(crate) has_carry: bool,
    pub(crate) exclusive: bool,
}

impl Kernels {
    pub(crate) fn new(
        streamer: &mut Streamer,
        operation: &Operation,
        element: ElementType,
    ) -> Result<Self, StreamError> {
        let scan = include_str!("../../kernels/stream_scan/stream_scan.cl");
        let source = format!(
            "{}#line 1 \"stream_scan.cl\"\n{scan}",
            sources::reduce(operation, element)
        );
        let program = streamer.program(source)?;
        Ok(Self {
            functions: [
                program.function("stream_reduce")?,
                program.function("stream_scan_sums")?,
                program.function("stream_scan")?,
            ],
        })
    }

    /// Enqueues three launches: the sum of each tile, the sums before each tile, and the scan of all tiles. `sums` has an
    /// element for each tile; `carry` has one, which then holds the result of all elements so far.
    pub(crate) fn launch(
        &mut self,
        arrays: &ScanArrays<'_>,
        sums: &Arc<Buffer>,
        carry: &Arc<Buffer>,
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        let tiles = groups(arrays.length, GROUP_ELEMENTS);
        let [reduce, scan_sums, scan] = &mut self.functions;
        set_arguments(reduce, &[arrays.input, sums], &[arrays.length])?;
        launches.launch(reduce, tiles, WIDTH)?;
        set_arguments(
            scan_sums,
            &[sums, carry],
            &[tiles as u64, arrays.has_carry.into()],
        )?;
        launches.launch(scan_sums, 1, WIDTH)?;
        let numbers = [
            arrays.length,
            arrays.has_carry.into(),
            arrays.exclusive.into(),
        ];
        set_arguments(scan, &[arrays.input, arrays.output, sums], &numbers)?;
        launches.launch(scan, tiles, WIDTH)
    }
}
