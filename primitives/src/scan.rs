//! What all elements until here come to, at every place.

use std::time::Instant;

use crate::{
    Number, Operation, Report, Sink, Source, StreamError, Streamer,
    steps::{Step, trip},
};

/// Which elements count at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scan<T> {
    /// Those until here.
    Inclusive,
    /// This value, and those before here.
    Exclusive(T),
}

impl<T: Number> Scan<T> {
    /// What comes before the first element.
    pub(crate) fn first(&self) -> Option<Vec<u8>> {
        match self {
            Self::Inclusive => None,
            Self::Exclusive(first) => Some(bytemuck::bytes_of(first).to_vec()),
        }
    }
}

impl Streamer {
    /// `output[i] = input[0] · … · input[i]`, or with `Exclusive(v)` `v · input[0] · … · input[i - 1]`, where `operation` of
    /// `a` and `b` is an associative `·`, which need not be commutative. The bus is passed once each way: what the chunks
    /// until now come to stays on the device. Sums of floats depend on how long the chunks are. On an error some of the
    /// output may have been written.
    ///
    /// # Errors
    /// Input or output are of another type than `T`, or of different lengths; the operation does not compile, or the
    /// device or a file fails.
    pub fn scan<T: Number>(
        &mut self,
        operation: &Operation,
        kind: Scan<T>,
        input: Source<'_>,
        output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        if input.element != T::TYPE {
            return Err(StreamError::types("the input", input.element, T::TYPE));
        }
        let length = input.length;
        output.check(T::TYPE, length)?;
        let step = Step::Scan {
            operation: operation.clone(),
            element: T::TYPE,
            first: kind.first(),
        };
        let trip = trip(self, vec![input], &step, output)?;
        Ok(Report::new("scan", T::TYPE, length, start, vec![trip]))
    }
}
