//! A scan of what is on the device, in three launches.

use std::sync::Arc;

use kerncast_opencl::{Buffer, Function, OpenClError};

use crate::{
    Operation, StreamError, Streamer, Type,
    pipeline::Launches,
    reduce::source,
    streamer::{TILE, WIDTH, groups, set},
};

/// `stream_reduce`, `stream_scan_sums`, `stream_scan`.
pub(crate) struct Kernels {
    functions: [Function; 3],
    pub(crate) source: String,
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
        let scan = include_str!("scan.cl");
        let source = format!("{}#line 1 \"scan.cl\"\n{scan}", source(operation, element));
        let program = streamer.program(source.clone())?;
        let mut functions = [
            program.function("stream_reduce")?,
            program.function("stream_scan_sums")?,
            program.function("stream_scan")?,
        ];
        for (function, arguments) in functions.iter_mut().zip([3, 4, 6]) {
            operation.pass(function, arguments)?;
        }
        Ok(Self { functions, source })
    }

    /// Scans it; `sums` has an element a tile, and `carry` one.
    pub(crate) fn launch(
        &mut self,
        scanned: &Scanned<'_>,
        sums: &Arc<Buffer>,
        carry: &Arc<Buffer>,
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        let [reduce, scan_sums, scan] = &mut self.functions;
        let Scanned {
            input,
            output,
            length,
            ..
        } = *scanned;
        let (carried, exclusive) = (u64::from(scanned.carried), u64::from(scanned.exclusive));
        let tiles = groups(length, TILE);
        set(reduce, &[input, sums], &[length])?;
        launches.launch(reduce, tiles, WIDTH)?;
        set(scan_sums, &[sums, carry], &[tiles as u64, carried])?;
        launches.launch(scan_sums, 1, WIDTH)?;
        set(scan, &[input, output, sums], &[length, carried, exclusive])?;
        launches.launch(scan, tiles, WIDTH)
    }
}
