//! A profiler's file, or a tidy table, as counter sets.

use axum::http::StatusCode;
use kerncast_profilers::{Error, Launch, Profile, parse_bytes};
use kerncast_wire::{FileNote, Measured, Problem, limits::MOST_FILE_CELLS};

use super::{
    counter_set::{PostedSet, with_geometry},
    request::{ForecastRequest, RequestOptions},
};
use crate::http::{field, field_problem, problem, unprocessable};

/// A profiler's shortest lines have one counter of a launch.
const MOST_LINES: usize = 100_000;

/// Bytes that a line and a cell take until they are counters of a launch.
const BYTES_PER_LINE: usize = 1 << 10;
const BYTES_PER_CELL: usize = 400;

/// Bytes of memory that reading a file takes, about.
/// Fails where it has more lines or cells than are read.
pub(crate) fn bytes_to_read(file: &[u8]) -> Result<usize, Problem> {
    let count = |marks: &[u8]| file.iter().filter(|byte| marks.contains(byte)).count();
    let lines = count(b"\n").max(count(b"\r"));
    let cells = count(b",;\t") + lines;
    for (count, most, unit) in [
        (lines, MOST_LINES, "lines"),
        (cells, MOST_FILE_CELLS, "cells"),
    ] {
        if count > most {
            let sent = format!("{count} {unit}");
            let expected = format!("at most {most} {unit}; send it in parts");
            return Err(unprocessable("the file", sent, expected));
        }
    }
    Ok(2 * file.len() + BYTES_PER_LINE * lines + BYTES_PER_CELL * cells)
}

impl ForecastRequest {
    /// The request of a file: one set per launch, with the launch's geometry as counters too.
    /// Fails where the file can't be read, options or sets are not in order, or the file has more launches than one answer
    /// holds.
    pub(crate) fn from_file(bytes: &[u8], options: RequestOptions) -> Result<Self, Problem> {
        let Profile {
            launches, notes, ..
        } = parse_bytes(bytes).map_err(|error| problem_of(&error))?;
        let notes = notes.into_iter().map(FileNote::from);
        let counted_on = options.counted_on;
        let sets = launches.into_iter().map(|launch| set(launch, counted_on));
        Self::new(sets.collect(), options, notes.collect(), "", "the file")
    }
}

/// A launch's time is that of the device counted on, where there is one.
fn set(launch: Launch, counted_on: Option<i64>) -> PostedSet {
    let measured = launch.time_s.map(|time_s| Measured {
        device: None,
        time_s,
    });
    PostedSet {
        name: Some(launch.title()),
        measured: measured.filter(|_| counted_on.is_none()),
        measured_on: launch.device.clone(),
        counted_on_time_s: launch.time_s.filter(|_| counted_on.is_some()),
        posted_providers: launch.counters.keys().cloned().collect(),
        at: format!("line {}", launch.line),
        counters: with_geometry(launch.counter_set()),
    }
}

/// The parser's error, with the place as a field where it is one cell's.
fn problem_of(error: &Error) -> Problem {
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
        Error::MissingColumn { line, column } => {
            let expected = format!("a column {column} in the header");
            field_problem(status, field(format!("line {line}"), "", expected))
        }
        other => problem(status, other.to_string()),
    }
}
