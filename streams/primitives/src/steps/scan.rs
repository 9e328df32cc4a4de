//! A scan of what is on the device, in three launches.

use std::sync::Arc;

use kerncast_opencl::{Buffer, Function, OpenClError};

use super::sources;
use crate::{
    Operation, StreamError, Streamer, Type,
    pipeline::Launches,
    streamer::{TILE, WIDTH, groups, set},
};

/// `stream_reduce`, `stream_scan_sums`, `stream_scan`.
pub(crate) struct Kernels {
    functions: [Function; 3],
}

/// What is scanned.
pub(crate) struct Scanned<'b> {
    pub(crate) input: &'b Arc<Buffer>,
    /// May be the input.
    pub(crate) output: &'b Arc<Buffer>,
    /// Elements.
    pub(crate) length: u64,
    /// Whether it begins with what is carried.
    pub(crate) carried: bool,
    pub(crate) exclusive: bool,
}

impl Kernels {
    pub(crate) fn new(
        streamer: &mut Streamer,
        operation: &Operation,
        element: Type,
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

    /// Scans it: the sum of each tile, what comes before each, and all tiles; the carry goes on. `sums` has an element a tile,
    /// and `carry` one.
    pub(crate) fn launch(
        &mut self,
        scanned: &Scanned<'_>,
        sums: &Arc<Buffer>,
        carry: &Arc<Buffer>,
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        let tiles = groups(scanned.length, TILE);
        let [reduce, scan_sums, scan] = &mut self.functions;
        set(reduce, &[scanned.input, sums], &[scanned.length])?;
        launches.launch(reduce, tiles, WIDTH)?;
        set(
            scan_sums,
            &[sums, carry],
            &[tiles as u64, scanned.carried.into()],
        )?;
        launches.launch(scan_sums, 1, WIDTH)?;
        let numbers = [
            scanned.length,
            scanned.carried.into(),
            scanned.exclusive.into(),
        ];
        set(scan, &[scanned.input, scanned.output, sums], &numbers)?;
        launches.launch(scan, tiles, WIDTH)
    }
}
