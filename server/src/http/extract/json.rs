//! JSON, with problems that name the field by a JSON pointer (RFC 6901).

use std::fmt::Write;

use kerncast_wire::FieldProblem;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::serde_messages::{in_words, named_field};
use crate::http::{escaped, shortened};

/// In texts longer than this, bytes, a wrong value is not shown: to find it takes many times as much memory.
const LONGEST_SHOWN: usize = 1 << 20;

/// `text` as `T`.
///
/// # Errors
/// The first field that is not what `T` asks for, by its pointer below `base`.
pub(crate) fn parse<'de, T: Deserialize<'de>>(
    text: &'de [u8],
    base: &str,
) -> Result<T, FieldProblem> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let parsed = T::deserialize(&mut deserializer);
    // Most bodies are in order: only of the others is the way to the mistake kept, which takes its time.
    let value = parsed.or_else(|_| with_path(text, base))?;
    let end = deserializer.end();
    end.map_err(|error| field_problem(text, base, "", &error))?;
    Ok(value)
}

fn with_path<'de, T: Deserialize<'de>>(text: &'de [u8], base: &str) -> Result<T, FieldProblem> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let pointer = pointer(error.path());
        field_problem(text, base, &pointer, error.inner())
    })
}

fn field_problem(
    text: &[u8],
    base: &str,
    pointer: &str,
    error: &serde_json::Error,
) -> FieldProblem {
    let message = error.to_string();
    let message = message
        .rsplit_once(" at line ")
        .map_or(&*message, |(it, _)| it);
    if let Some((name, expected)) = named_field(message) {
        return FieldProblem {
            field: format!("{base}{pointer}/{}", shortened(&escaped(name))),
            value: None,
            expected,
        };
    }
    // What is no JSON has no value at a pointer, but a place in the text.
    let value = match serde_json::from_slice::<IgnoredAny>(text) {
        Err(_) => Some(token_at(text, error.line(), error.column())),
        Ok(_) if text.len() > LONGEST_SHOWN => None,
        Ok(_) => {
            let document: Option<Value> = serde_json::from_slice(text).ok();
            document.and_then(|it| it.pointer(pointer).map(Value::to_string))
        }
    };
    FieldProblem {
        field: format!("{base}{pointer}"),
        value: value.filter(|it| !it.is_empty()).map(|it| shortened(&it)),
        expected: in_words(message),
    }
}

/// RFC 6901: `/samples/3/id`; `~` and `/` in names are escaped.
fn pointer(path: &Path) -> String {
    path.iter().fold(String::new(), |mut pointer, segment| {
        let name = match segment {
            Segment::Seq { index } => index.to_string(),
            Segment::Map { key } => escaped(key).into_owned(),
            Segment::Enum { variant } => variant.clone(),
            Segment::Unknown => return pointer,
        };
        // Writing to a String cannot fail.
        let _ = write!(pointer, "/{name}");
        pointer
    })
}

/// The word or number around a place in the text; line and column count from 1.
fn token_at(text: &[u8], line: usize, column: usize) -> String {
    let mut lines = text.split(|&byte| byte == b'\n');
    let line = lines.nth(line.saturating_sub(1)).unwrap_or_default();
    let at = column.saturating_sub(1).min(line.len());
    let (before, after) = line.split_at(at);
    let in_token = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
    let start = at - before.iter().rev().take_while(in_token).count();
    let end = at + after.iter().take_while(in_token).count();
    String::from_utf8_lossy(&line[start..end]).into_owned()
}
