//! A profiler's file, or a tidy table, as counter sets.

use axum::http::StatusCode;
use kerncast_profilers::{Error, Launch, Profile, parse_bytes};
use kerncast_wire::{FieldProblem, FileNote, Problem};

use super::asked::{Asked, Set, Wishes};
use crate::problem::{field, field_problem, problem};

impl Asked {
    /// From a file: a set a launch, with the launch's geometry as counters too.
    ///
    /// # Errors
    /// Where the file can't be read, a wish makes no sense, or the file has more launches than one answer holds.
    pub(crate) fn of_file(bytes: &[u8], wishes: Wishes) -> Result<Self, Problem> {
        let Profile {
            launches, notes, ..
        } = parse_bytes(bytes).map_err(|error| in_words(&error))?;
        let notes = notes.into_iter().map(|note| FileNote {
            line: note.line,
            text: note.text,
        });
        let counted_on = wishes.counted_on;
        let sets = launches
            .iter()
            .map(|launch| set(launch, counted_on))
            .collect();
        let asked = Self::new(sets, wishes, notes.collect(), "")?;
        asked.check("the file")?;
        Ok(asked)
    }
}

/// A launch's time is that of the device counted on, where there is one.
fn set(launch: &Launch, counted_on: Option<i64>) -> Set {
    Set {
        name: Some(launch.title()),
        measured_s: launch.time_s.filter(|_| counted_on.is_none()),
        counted_on_time_s: launch.time_s.filter(|_| counted_on.is_some()),
        counters: launch.counter_set(),
        providers: launch.counters.keys().cloned().collect(),
        at: format!("line {}", launch.line),
    }
}

/// The parser's error, with the place as a field where it is one cell's.
fn in_words(error: &Error) -> Problem {
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    match error {
        Error::Value {
            line,
            column,
            value,
            expected,
        } => {
            let place = format!("line {line}, column {column}");
            field_problem(status, field(place, value, *expected))
        }
        Error::UnknownColumn {
            line,
            column,
            expected,
        } => {
            let place = format!("line {line}");
            field_problem(status, field(place, column, *expected))
        }
        Error::MissingColumn { line, column } => field_problem(
            status,
            FieldProblem {
                field: format!("line {line}"),
                value: None,
                expected: format!("a column {column} in the header"),
            },
        ),
        other => problem(status, other.to_string()),
    }
}
