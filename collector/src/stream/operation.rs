//! A primitive on files: timing it, running it, and its outcome.

use std::path::Path;

use anyhow::{Context as _, Result};
use kerncast_offload::{RunTimes, StreamRequest, StreamRun};
use kerncast_primitives::{
    ElementType, ExplainedStream, Npy, Number, Operation, Report, Sink, Source, StreamError,
    StreamRates, StreamWork, Streamer,
};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::unfinished::{Unfinished, complete};
use crate::UsageError;

/// The input files.
pub struct Inputs {
    /// The elements.
    pub input: Npy,
    /// The new place of each element, for a scatter.
    pub index: Option<Npy>,
}

/// A primitive on files.
pub struct FileOperation<'a> {
    /// The primitive.
    pub work: StreamWork,
    /// An expression or a function's body in OpenCL C; none where the primitive has none, or adds.
    pub op: Option<&'a str>,
    /// The input files.
    pub inputs: &'a Inputs,
}

/// The outcome of an operation.
#[derive(Serialize)]
pub struct Outcome {
    /// The result of a reduction; null where JSON has no such number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Bytes of the input per second of the whole operation.
    pub bytes_per_s: f64,
    /// Trips and times.
    pub report: Report,
    /// The forecast from before the run; none without rates of the device.
    pub forecast: Option<ExplainedStream>,
}

impl Outcome {
    /// The record of the run with its forecast; none where there is no forecast. `id`: the id of the rates.
    pub(super) fn run(
        &self,
        request: &StreamRequest,
        id: Uuid,
        rates: &StreamRates,
    ) -> Option<StreamRun> {
        let trips = self.report.trips.iter().map(|it| it.seconds).sum();
        let measured = RunTimes {
            call: self.report.seconds,
            trips,
        };
        StreamRun::new(request, self.forecast.as_ref()?, (id, rates), measured)
    }
}

/// Elements of a trial run that times an operation on the device.
pub(super) const TRIAL_ELEMENTS: u64 = 1 << 20;

impl FileOperation<'_> {
    /// Seconds of the device for an element, measured on the first elements of the input.
    pub(super) fn try_kernel(&self, streamer: &mut Streamer) -> Result<Option<f64>> {
        let input = &self.inputs.input;
        let elements = input.length().min(TRIAL_ELEMENTS);
        let mut seconds = None;
        // The first one compiles.
        for _ in 0..2 {
            let file = tempfile::tempfile().context("a temporary file")?;
            let to = Sink::file(&file, 0, input.element(), elements);
            let (_, report) = self.stream(streamer, input.first(elements), Some(to))?;
            seconds = Some(report.trips[0].busy.device / elements as f64);
        }
        Ok(seconds)
    }

    /// Runs the operation. `output` appears only once it is complete.
    pub(super) fn run(&self, streamer: &mut Streamer, output: Option<&Path>) -> Result<Outcome> {
        let input = &self.inputs.input;
        let (result, report) = match output {
            None => self.stream(streamer, input.source(), None)?,
            Some(output) => {
                let folder = Unfinished::beside(output)?;
                let unfinished = folder.path().join("it.npy");
                let to = Npy::create(&unfinished, input.element(), input.length())?;
                let result = self.stream(streamer, input.source(), Some(to.sink()))?;
                complete(&unfinished, output)?;
                result
            }
        };
        let bytes = (input.length() * input.element().bytes() as u64) as f64;
        Ok(Outcome {
            result,
            bytes_per_s: bytes / report.seconds,
            report,
            forecast: None,
        })
    }

    /// Streams `from` through the device to `to`; `to` is none for a reduction.
    fn stream(
        &self,
        streamer: &mut Streamer,
        from: Source<'_>,
        to: Option<Sink<'_>>,
    ) -> Result<(Option<Value>, Report), StreamError> {
        let element = self.inputs.input.element();
        let operation = Operation::new(function_body(self.op.unwrap_or("a + b")));
        let report = match (self.work, to) {
            (StreamWork::Transform, Some(to)) => streamer.transform(&operation, vec![from], to)?,
            (StreamWork::Scan, Some(to)) => streamer.scan(&operation, from, to)?,
            (StreamWork::Sort, Some(to)) => streamer.sort(from, to)?,
            (StreamWork::Scatter, Some(to)) => {
                let index = self.inputs.index.as_ref();
                let index = index.expect("checked with the arguments");
                streamer.scatter(index.source(), from, to)?
            }
            _ => {
                let (result, report) = reduce(streamer, &operation, element, from)?;
                return Ok((Some(result), report));
            }
        };
        Ok((None, report))
    }
}

/// The reduction of no elements: the identity of its operation.
///
/// # Errors
/// No identity of the operation is known.
pub fn reduce_nothing(op: Option<&str>, element: ElementType) -> Result<Value, UsageError> {
    let op = op.unwrap_or("a + b");
    let expression: String = op.replace("return", "").replace([' ', ';'], "");
    let identity = match &*expression {
        "a+b" | "b+a" | "a|b" | "b|a" | "a^b" | "b^a" => 0,
        "a*b" | "b*a" => 1,
        _ => {
            return Err(UsageError(format!(
                "IN has no elements, and of nothing `{op}` is nothing; expected one element or more"
            )));
        }
    };
    Ok(match element {
        ElementType::F32 | ElementType::F64 => f64::from(identity).into(),
        _ => identity.into(),
    })
}

/// The body of an OpenCL C function; an expression becomes its return value.
fn function_body(op: &str) -> String {
    if op.contains("return") {
        return op.to_owned();
    }
    format!("return {op};")
}

fn reduce(
    streamer: &mut Streamer,
    operation: &Operation,
    element: ElementType,
    from: Source<'_>,
) -> Result<(Value, Report), StreamError> {
    fn reduce_to<T: Number + Into<Value>>(
        streamer: &mut Streamer,
        operation: &Operation,
        from: Source<'_>,
    ) -> Result<(Value, Report), StreamError> {
        let (result, report) = streamer.reduce::<T>(operation, from)?;
        Ok((result.map_or(Value::Null, T::into), report))
    }
    match element {
        ElementType::I8 => reduce_to::<i8>(streamer, operation, from),
        ElementType::U8 => reduce_to::<u8>(streamer, operation, from),
        ElementType::I16 => reduce_to::<i16>(streamer, operation, from),
        ElementType::U16 => reduce_to::<u16>(streamer, operation, from),
        ElementType::I32 => reduce_to::<i32>(streamer, operation, from),
        ElementType::U32 => reduce_to::<u32>(streamer, operation, from),
        ElementType::I64 => reduce_to::<i64>(streamer, operation, from),
        ElementType::U64 => reduce_to::<u64>(streamer, operation, from),
        ElementType::F32 => reduce_to::<f32>(streamer, operation, from),
        ElementType::F64 => reduce_to::<f64>(streamer, operation, from),
    }
}
