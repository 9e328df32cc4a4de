//! The reduction: all elements become one.

use std::time::Instant;

use crate::{
    Number, Operation, Report, Sink, Source, StreamError, Streamer, TripReport,
    steps::{Step, run_step},
    streamer::{GROUP_ELEMENTS, groups},
};

impl Streamer {
    /// Returns `a · b · c …` in this order, where `operation` of `a` and `b` is an associative `·`; none for no
    /// elements.
    ///
    /// Tiles of 4096 elements become one each, whatever the device, its memory and the chunks are, and then the same is
    /// done to these: on every run the same operations are done in the same order. Sums of floats have the same bits on
    /// devices that round alike.
    ///
    /// # Errors
    /// The input is of another type than `T`, the operation does not compile, or the device or a file fails.
    pub fn reduce<T: Number>(
        &mut self,
        operation: &Operation,
        input: Source<'_>,
    ) -> Result<(Option<T>, Report), StreamError> {
        let start = Instant::now();
        if input.element != T::TYPE {
            return Err(StreamError::types("the input", input.element, T::TYPE));
        }
        let length = input.length;
        let (sum, trips) = if length == 0 {
            (None, Vec::new())
        } else {
            self.reduce_tiles(operation, input)?
        };
        let report = Report::new("reduce", T::TYPE, length, start, trips);
        Ok((sum, report))
    }

    /// Reduces each tile, then the results in the same way, until one is left. `input` has at least one element.
    fn reduce_tiles<T: Number>(
        &mut self,
        operation: &Operation,
        input: Source<'_>,
    ) -> Result<(Option<T>, Vec<TripReport>), StreamError> {
        let step = Step::Reduce {
            operation: operation.clone(),
            element: T::TYPE,
        };
        let mut sums = vec![T::zeroed(); groups(input.length, GROUP_ELEMENTS)];
        let mut trips = vec![run_step(self, vec![input], &step, Sink::slice(&mut sums))?];
        while sums.len() > 1 {
            let mut next = vec![T::zeroed(); groups(sums.len() as u64, GROUP_ELEMENTS)];
            let from = vec![Source::slice(&sums)];
            trips.push(run_step(self, from, &step, Sink::slice(&mut next))?);
            sums = next;
        }
        Ok((sums.pop(), trips))
    }
}
