//! JSON Lines: a sample, a device's ceilings or its streams' rates a line, as they are uploaded.

use kerncast_offload::NewStreamRates;
use kerncast_profilers::detect;
use kerncast_wire::{NewCeilings, NewSample};
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};

use super::{Import, ImportError, Source};

/// A kind of line, recognised by its fields.
#[derive(Deserialize)]
struct Kind {
    ceilings: Option<IgnoredAny>,
    rates: Option<IgnoredAny>,
}

/// Whether a file holds JSON Lines: its first line is an object, perhaps a broken one. (A program may print
/// an object, too, above its profiler's table.)
pub(super) fn is_json(text: &[u8]) -> bool {
    let is_profile = || std::str::from_utf8(text).is_ok_and(|text| detect(text).is_ok());
    text.trim_ascii_start().starts_with(b"{") && !is_profile()
}

pub(super) fn read(all: &[u8], source: &Source) -> Result<Import, ImportError> {
    let (mut samples, mut ceilings, mut streams) = (Vec::new(), Vec::new(), Vec::new());
    for (line, text) in (1..).zip(all.split(|byte| *byte == b'\n')) {
        if text.trim_ascii().is_empty() {
            continue;
        }
        let wrong = |problem| ImportError::Line {
            file: source.clone(),
            line,
            problem,
        };
        if !text.trim_ascii_start().starts_with(b"{") {
            let expected =
                "column 1: expected an object: a sample, a device's ceilings or its streams' rates";
            return Err(wrong(expected.to_owned()));
        }
        let kind: Kind = parse(text).map_err(|problem| {
            wrong(if is_one_value(all) {
                ONE_VALUE.to_owned()
            } else {
                problem
            })
        })?;
        match kind {
            Kind { rates: Some(_), .. } => {
                streams.push((line, parse::<NewStreamRates>(text).map_err(wrong)?));
            }
            Kind {
                ceilings: Some(_), ..
            } => {
                ceilings.push((line, parse::<NewCeilings>(text).map_err(wrong)?));
            }
            Kind { .. } => samples.push((line, parse::<NewSample>(text).map_err(wrong)?)),
        }
    }
    Ok(Import {
        format: "jsonl",
        samples,
        ceilings,
        streams,
        ..Import::default()
    })
}

const ONE_VALUE: &str = "one JSON value over several lines; expected a sample a line (JSON Lines). Counters alone are \
                         forecast by `kerncast predict --counters FILE`";

/// Whether the whole file is one JSON value although its lines are not.
fn is_one_value(all: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(all).is_ok()
}

/// Parses a value; the error names the field and the column.
fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let (field, error) = (error.path().to_string(), error.into_inner());
        let column = error.column();
        let message = error.to_string();
        // The line that it counts is always the first.
        let parts = message.rsplit_once(" at line ");
        let message = parts.map_or(&*message, |(it, _)| it);
        if field == "." {
            format!("column {column}: {message}")
        } else {
            format!("column {column}, field {field}: {message}")
        }
    })
}
