//! The scan: at every place the result of all elements up to there.

use std::time::Instant;

use crate::{
    Operation, Report, Sink, Source, StreamError, Streamer,
    steps::{Step, run_step},
};

impl Streamer {
    /// `output[i] = input[0] · … · input[i]`, where `operation` of `a` and `b` is an associative `·`, which need not be
    /// commutative. Every element crosses the bus once each way: the result of the chunks so far stays on the device. Sums of floats
    /// depend on how long the chunks are. On an error some of the output may have been written.
    ///
    /// # Errors
    /// Input and output have different types or lengths, the operation does not compile, or the device or a file fails.
    pub fn scan(
        &mut self,
        operation: &Operation,
        input: Source<'_>,
        output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (element, length) = (input.element, input.length);
        output.check(element, length)?;
        let step = Step::Scan {
            operation: operation.clone(),
            element,
        };
        let trip = run_step(self, vec![input], &step, output)?;
        Ok(Report::new("scan", element, length, start, vec![trip]))
    }
}
