//! What is in a table, whatever its form.

use chrono::{DateTime, Utc};
use serde::Serialize;

/// A column.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// What a column's cells hold, where they are not absent.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    Whole,
    Number,
    Flag,
    Time,
}

/// A cell: of its column's kind, or absent.
pub(super) enum Cell {
    Text(String),
    Whole(i64),
    Number(f64),
    Flag(bool),
    Time(DateTime<Utc>),
    Absent,
}

impl Column {
    pub(super) fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self {
            name: name.into(),
            kind,
        }
    }
}

impl Cell {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// `value`, as `cell` makes it.
    pub(super) fn or_absent<T>(value: Option<T>, cell: impl Fn(T) -> Self) -> Self {
        value.map_or(Self::Absent, cell)
    }
}

/// An enumeration's word, as JSON has it.
pub(super) fn word(value: impl Serialize) -> String {
    match serde_json::json!(value) {
        serde_json::Value::String(word) => word,
        other => other.to_string(),
    }
}
