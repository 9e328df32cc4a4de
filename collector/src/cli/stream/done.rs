//! A primitive of files.

use std::path::Path;

use anyhow::{Context as _, Result};
use kerncast_offload::{Request, Run, Took};
use kerncast_primitives::{
    Explained, Npy, Number, Operation, Rates, Report, Sink, Source, StreamError, Streamer, Type,
};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::{
    Primitive,
    unfinished::{Unfinished, complete},
};
use kerncast_collector::UsageError;

/// What is read.
pub(super) struct Files {
    pub(super) input: Npy,
    pub(super) index: Option<Npy>,
}

/// What is to be done.
pub(super) struct Done<'a> {
    pub(super) primitive: Primitive,
    pub(super) op: Option<&'a str>,
    pub(super) files: &'a Files,
}

/// What came of it.
#[derive(Serialize)]
pub(super) struct Outcome {
    /// Of a reduction; null of what JSON has no number for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<Value>,
    /// Of the input, one way.
    pub(super) bytes_per_s: f64,
    pub(super) report: Report,
    /// Before it was done; none without rates of the device.
    pub(super) forecast: Option<Explained>,
}

impl Outcome {
    /// With what was forecast of it; none where nothing was.
    pub(super) fn run(&self, asked: &Request, id: Uuid, rates: &Rates) -> Option<Run> {
        let trips = self.report.trips.iter().map(|it| it.seconds).sum();
        let took = Took {
            call: self.report.seconds,
            trips,
        };
        Run::of(asked, self.forecast.as_ref()?, (id, rates), took)
    }
}

/// Elements that say how long the device takes for an operation.
pub(super) const TRIED: u64 = 1 << 20;

impl Done<'_> {
    /// Seconds of the device's own for an element of the input's first ones.
    pub(super) fn tried(&self, streamer: &mut Streamer) -> Result<Option<f64>> {
        let input = &self.files.input;
        let elements = input.length().min(TRIED);
        let mut seconds = None;
        // The first one compiles.
        for _ in 0..2 {
            let file = tempfile::tempfile().context("a temporary file")?;
            let to = Sink::file(&file, 0, input.element(), elements);
            let (_, report) = self.of(streamer, input.first(elements), Some(to))?;
            seconds = Some(report.trips[0].busy.device / elements as f64);
        }
        Ok(seconds)
    }

    /// To `output`, which is there once it is complete.
    pub(super) fn to(&self, streamer: &mut Streamer, output: Option<&Path>) -> Result<Outcome> {
        let input = &self.files.input;
        let (result, report) = match output {
            None => self.of(streamer, input.source(), None)?,
            Some(output) => {
                let folder = Unfinished::beside(output)?;
                let made = folder.path().join("it.npy");
                let to = Npy::create(&made, input.element(), input.length())?;
                let done = self.of(streamer, input.source(), Some(to.sink()))?;
                complete(&made, output)?;
                done
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

    /// `to` is there but for a reduction.
    fn of(
        &self,
        streamer: &mut Streamer,
        from: Source<'_>,
        to: Option<Sink<'_>>,
    ) -> Result<(Option<Value>, Report), StreamError> {
        let element = self.files.input.element();
        let operation = Operation::new(body(self.op.unwrap_or("a + b")));
        let report = match (self.primitive, to) {
            (Primitive::Transform, Some(to)) => streamer.transform(&operation, vec![from], to)?,
            (Primitive::Scan, Some(to)) => streamer.scan(&operation, from, to)?,
            (Primitive::Sort, Some(to)) => streamer.sort(from, to)?,
            (Primitive::Scatter, Some(to)) => {
                let index = self
                    .files
                    .index
                    .as_ref()
                    .expect("checked with the arguments");
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

/// What a reduction of no elements is: its operation's identity, where it is one that has one.
pub(super) fn of_nothing(op: Option<&str>, element: Type) -> Result<Value, UsageError> {
    let op = op.unwrap_or("a + b");
    let plain: String = op.replace("return", "").replace([' ', ';'], "");
    let identity = match &*plain {
        "a+b" | "b+a" | "a|b" | "b|a" | "a^b" | "b^a" => 0,
        "a*b" | "b*a" => 1,
        _ => {
            return Err(UsageError(format!(
                "IN has no elements, and of nothing `{op}` is nothing; expected one element or more"
            )));
        }
    };
    Ok(match element {
        Type::F32 | Type::F64 => f64::from(identity).into(),
        _ => identity.into(),
    })
}

/// Of a function; an expression is what it returns.
fn body(op: &str) -> String {
    match op.contains("return") {
        true => op.to_owned(),
        false => format!("return {op};"),
    }
}

fn reduce(
    streamer: &mut Streamer,
    operation: &Operation,
    element: Type,
    from: Source<'_>,
) -> Result<(Value, Report), StreamError> {
    fn of<T: Number + Into<Value>>(
        streamer: &mut Streamer,
        operation: &Operation,
        from: Source<'_>,
    ) -> Result<(Value, Report), StreamError> {
        let (result, report) = streamer.reduce::<T>(operation, from)?;
        Ok((result.map_or(Value::Null, T::into), report))
    }
    match element {
        Type::I8 => of::<i8>(streamer, operation, from),
        Type::U8 => of::<u8>(streamer, operation, from),
        Type::I16 => of::<i16>(streamer, operation, from),
        Type::U16 => of::<u16>(streamer, operation, from),
        Type::I32 => of::<i32>(streamer, operation, from),
        Type::U32 => of::<u32>(streamer, operation, from),
        Type::I64 => of::<i64>(streamer, operation, from),
        Type::U64 => of::<u64>(streamer, operation, from),
        Type::F32 => of::<f32>(streamer, operation, from),
        Type::F64 => of::<f64>(streamer, operation, from),
    }
}
