//! The transform: a function of the elements at each place.

use std::time::Instant;

use crate::{
    ElementType, Operation, Report, Sink, Source, StreamError, Streamer,
    steps::{INPUT_NAMES, Step, run_step},
};

impl Streamer {
    /// `output[i] = operation(inputs[0][i], …)`: the operation's arguments are `x`, `y`, `z`, `w`, as many as there
    /// are inputs, and `i`, the place (`ulong`). On an error some of the output may have been written.
    ///
    /// # Errors
    /// There are not one to four inputs, they or the output have different lengths, the operation does not compile,
    /// or the device or a file fails.
    pub fn transform(
        &mut self,
        operation: &Operation,
        inputs: Vec<Source<'_>>,
        output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (count, length) = (inputs.len(), output.length);
        if !(1..=INPUT_NAMES.len()).contains(&count) {
            return Err(StreamError::Shape {
                what: "a transform".to_owned(),
                actual: format!("{count} inputs"),
                expected: "1 to 4".to_owned(),
            });
        }
        for (input, name) in inputs.iter().zip(INPUT_NAMES) {
            if input.length != length {
                return Err(StreamError::length(
                    &format!("the input {name}"),
                    input.length,
                    length,
                ));
            }
        }
        let types: Vec<ElementType> = inputs.iter().map(|it| it.element).collect();
        let (first, element) = (types[0], output.element);
        let step = Step::Transform {
            operation: operation.clone(),
            from: types,
            to: element,
        };
        let trip = run_step(self, inputs, &step, output)?;
        Ok(Report::new("transform", first, length, start, vec![trip]))
    }
}
