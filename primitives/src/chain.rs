//! Several primitives in one trip: what is between them stays on the device.

use std::time::Instant;

use crate::{
    Number, Operation, Report, Scan, Sink, Source, StreamError, Streamer, Type,
    steps::{Step, trip},
};

/// Steps that are done once it is said what becomes of the last one:
/// `streamer.from(x).transform::<f32>(&f).scan(&g, Scan::Inclusive::<f32>).into(y)`.
///
/// Chunks go through all steps while they are on the device; two arrays of a chunk's elements are between them. On an error
/// some of the output may have been written.
#[must_use = "nothing is done before `into` or `reduce`"]
pub struct Chain<'s, 'a> {
    streamer: &'s mut Streamer,
    input: Source<'a>,
    steps: Vec<Step>,
    /// What the steps until now make.
    element: Type,
    /// What is wrong with one of them.
    wrong: Option<StreamError>,
}

impl Streamer {
    /// Begins a chain.
    pub fn from<'s, 'a>(&'s mut self, input: Source<'a>) -> Chain<'s, 'a> {
        Chain {
            streamer: self,
            element: input.element,
            input,
            steps: Vec::new(),
            wrong: None,
        }
    }
}

impl Chain<'_, '_> {
    /// Each element `x` at place `i` becomes a `T`, as [`Streamer::transform`] does it.
    pub fn transform<T: Number>(mut self, operation: &Operation) -> Self {
        self.steps.push(Step::Transform {
            operation: operation.clone(),
            from: vec![self.element],
            to: T::TYPE,
        });
        self.element = T::TYPE;
        self
    }

    /// What all elements until each place come to, as [`Streamer::scan`] does it.
    pub fn scan<T: Number>(mut self, operation: &Operation, kind: Scan<T>) -> Self {
        self.expect(T::TYPE);
        self.steps.push(Step::Scan {
            operation: operation.clone(),
            element: T::TYPE,
            first: kind.first(),
        });
        self
    }

    /// Does it, and writes what the last step makes.
    ///
    /// # Errors
    /// There is no step, a step or the output is of another type or length than what it gets, an operation does not compile, or
    /// the device or a file fails.
    pub fn into(self, output: Sink<'_>) -> Result<Report, StreamError> {
        let start = Instant::now();
        let Self {
            streamer,
            input,
            steps,
            element,
            wrong,
        } = self;
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        if steps.is_empty() {
            return Err(StreamError::Shape {
                what: "a chain".to_owned(),
                found: "no steps".to_owned(),
                expected: "a transform or a scan".to_owned(),
            });
        }
        let (length, first) = (input.length, input.element);
        output.check(element, length)?;
        let trip = trip(streamer, vec![input], &steps, output)?;
        Ok(Report::new("chain", first, length, start, vec![trip]))
    }

    /// Does it, and reduces what the last step makes, as [`Streamer::reduce`] does; none of no elements.
    ///
    /// # Errors
    /// As [`into`](Self::into).
    pub fn reduce<T: Number>(
        mut self,
        operation: &Operation,
    ) -> Result<(Option<T>, Report), StreamError> {
        let start = Instant::now();
        self.expect(T::TYPE);
        let Self {
            streamer,
            input,
            steps,
            wrong,
            ..
        } = self;
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        let (length, first) = (input.length, input.element);
        let (sum, trips) = match length {
            0 => (None, Vec::new()),
            _ => streamer.reduce_after(steps, operation, input)?,
        };
        Ok((sum, Report::new("chain", first, length, start, trips)))
    }

    fn expect(&mut self, element: Type) {
        if self.element != element && self.wrong.is_none() {
            let what = format!("what step {} of the chain gets", self.steps.len() + 1);
            self.wrong = Some(StreamError::types(&what, self.element, element));
        }
    }
}
