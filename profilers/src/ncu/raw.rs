//! The raw page: a row a launch and a column a metric.

use super::{launch, metric};
use crate::cell::Cell;
use crate::number::NumberStyle;
use crate::reading::ProfileReader;
use crate::table::{Row, Table};
use crate::{Error, Launch};

/// The launch's own columns; every other one is a metric.
const LAUNCH_COLUMNS: [&str; 5] = ["ID", "Context", "Stream", "Device", "CC"];

/// Metrics that describe the machine or the profiling, not the launch.
const SURROUNDINGS: [&str; 5] = [
    "device__attribute_",
    "nvlink__",
    "numa__",
    "c2clink__",
    "profiler__",
];

/// Reads the raw page: a header, a row of units, and a row for each launch.
pub(super) fn read(
    table: &Table,
    style: NumberStyle,
    reader: &mut ProfileReader,
) -> Result<(), Error> {
    let kernel = table.require("Kernel Name")?;
    let Some(units) = table.first_row() else {
        return Ok(());
    };
    if !units.cell(kernel).text.is_empty() {
        return Err(Error::MissingUnits { line: units.line() });
    }
    let metrics = metrics(table);
    for row in below(table) {
        let read = |mut launch: Launch| {
            for column in &metrics {
                let (cell, unit) = (row.cell(*column), units.cell(*column));
                metric::put(
                    &mut launch,
                    cell.column,
                    cell,
                    unit,
                    style,
                    &mut reader.notes,
                )?;
            }
            Ok(launch)
        };
        let launch = launch::read(row, kernel).and_then(read);
        reader.add(launch);
    }
    Ok(())
}

/// The cells of metrics' values.
pub(super) fn values(table: &Table) -> Vec<Cell<'_>> {
    let metrics = metrics(table);
    let rows = below(table);
    rows.flat_map(|row| metrics.iter().map(move |column| row.cell(*column)))
        .collect()
}

/// The rows below the row of units.
fn below(table: &Table) -> impl Iterator<Item = Row<'_>> {
    let units = table.first_row().map(Row::line);
    table.rows().filter(move |row| Some(row.line()) != units)
}

/// The columns of metrics. Titles of the launch's own columns contain blanks, those of NVTX ranges colons.
fn metrics(table: &Table) -> Vec<usize> {
    let is_metric = |name: &str| {
        let surrounds = SURROUNDINGS.iter().any(|prefix| name.starts_with(prefix));
        metric::is_name(name) && !surrounds && !LAUNCH_COLUMNS.contains(&name)
    };
    let columns = (0..).zip(table.columns());
    let metrics = columns.filter(|(_, name)| is_metric(name));
    metrics.map(|(column, _)| column).collect()
}
