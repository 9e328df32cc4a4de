//! All elements become one.

use std::time::Instant;

use crate::{
    Number, Operation, Report, Sink, Source, StreamError, Streamer, TripReport, Way, Work,
    steps::{Step, trip},
    streamer::{TILE, groups},
};

impl Streamer {
    /// `a · b · c …` in this order, where `operation` of `a` and `b` is an associative `·`; none of no elements.
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
        let host = operation.on_host.as_ref();
        let host = host.filter(|it| self.is_left(Work::Reduce) && it.folds(T::TYPE));
        if let Some((work, from)) = host.zip(input.memory()) {
            let sum = self.fold_by_cores(work, from)?;
            let (call, of) = (("reduce", Work::Reduce), (T::TYPE, length));
            let report = self.report_of_cores(call, of, [Way::Mapped; 2], start);
            return Ok((sum, report));
        }
        let (sum, trips) = match length {
            0 => (None, Vec::new()),
            _ => self.reduce_after(Vec::new(), operation, input)?,
        };
        let report = Report::new("reduce", T::TYPE, length, start, trips);
        Ok((sum, report))
    }

    /// What the last of these steps makes becomes one: tile by tile, and these again. Of an element at least.
    pub(crate) fn reduce_after<T: Number>(
        &mut self,
        mut steps: Vec<Step>,
        operation: &Operation,
        input: Source<'_>,
    ) -> Result<(Option<T>, Vec<TripReport>), StreamError> {
        let tiles = Step::Reduce {
            operation: operation.clone(),
            element: T::TYPE,
        };
        let mut sums = vec![T::zeroed(); groups(input.length, TILE)];
        steps.push(tiles);
        let mut trips = vec![trip(self, vec![input], &steps, Sink::slice(&mut sums))?];
        let again = &steps[steps.len() - 1..];
        while sums.len() > 1 {
            let mut next = vec![T::zeroed(); groups(sums.len() as u64, TILE)];
            let from = vec![Source::slice(&sums)];
            trips.push(trip(self, from, again, Sink::slice(&mut next))?);
            sums = next;
        }
        Ok((sums.pop(), trips))
    }
}
