//! A profiler's file, or a tidy table, as counter sets.

use axum::http::StatusCode;
use kerncast_profilers::{Error, Launch, Profile, parse_bytes};
use kerncast_wire::{FieldProblem, FileNote, Problem};

use super::asked::{Asked, Set, Took, Wishes, with_geometry};
use crate::http::problem::{field, field_problem, problem, unprocessable};

/// Lines of a file at most, and cells: a profiler's longest lines have a launch's every counter, its shortest
/// one counter of a launch.
const MOST_LINES: usize = 100_000;
const MOST_CELLS: usize = 500_000;

/// That a line and a cell take until they are a launch's counters, bytes.
const OF_LINE: usize = 1 << 10;
const OF_CELL: usize = 400;

/// Bytes that reading a file takes, about.
///
/// # Errors
/// Where it has more lines or cells than are read: it is not looked at any further.
pub(crate) fn bytes_of_file(file: &[u8]) -> Result<usize, Problem> {
    let count = |wanted: &[u8]| file.iter().filter(|byte| wanted.contains(byte)).count();
    let lines = count(b"\n").max(count(b"\r"));
    let cells = count(b",;\t") + lines;
    for (found, most, what) in [(lines, MOST_LINES, "lines"), (cells, MOST_CELLS, "cells")] {
        if found > most {
            let expected = format!("at most {most} {what}; send it in parts");
            return Err(unprocessable(
                "the file",
                format!("{found} {what}"),
                expected,
            ));
        }
    }
    Ok(2 * file.len() + OF_LINE * lines + OF_CELL * cells)
}

impl Asked {
    /// From a file: a set a launch, with the launch's geometry as counters too.
    ///
    /// # Errors
    /// Where the file can't be read, a wish makes no sense, or the file has more launches than one answer holds.
    pub(crate) fn of_file(bytes: &[u8], wishes: Wishes) -> Result<Self, Problem> {
        let Profile {
            launches, notes, ..
        } = parse_bytes(bytes).map_err(|error| in_words(&error))?;
        let notes = notes.into_iter().map(FileNote::from);
        let counted_on = wishes.counted_on;
        let sets = launches.into_iter().map(|launch| set(launch, counted_on));
        let asked = Self::new(sets.collect(), wishes, notes.collect(), "")?;
        asked.check("the file")?;
        asked
            .sets
            .iter()
            .try_for_each(|set| set.check(counted_on))?;
        Ok(asked)
    }
}

/// A launch's time is that of the device counted on, where there is one.
fn set(launch: Launch, counted_on: Option<i64>) -> Set {
    Set {
        name: Some(launch.title()),
        measured: launch
            .time_s
            .filter(|_| counted_on.is_none())
            .map(Took::There),
        measured_on: launch.device.clone(),
        counted_on_time_s: launch.time_s.filter(|_| counted_on.is_some()),
        providers: launch.counters.keys().cloned().collect(),
        at: format!("line {}", launch.line),
        counters: with_geometry(launch.counter_set()),
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
