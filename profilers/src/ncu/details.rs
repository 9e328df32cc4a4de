//! The details page: a row a metric of a launch.

use std::collections::BTreeMap;

use super::{launch, metric};
use crate::cell::Cell;
use crate::number::NumberStyle;
use crate::reading::ProfileReader;
use crate::table::{Row, Table};
use crate::{Error, Launch};

pub(super) fn is_page(table: &Table) -> bool {
    table.find("Metric Name").is_some() && table.find("Metric Value").is_some()
}

/// The name of a row's metric: the metric's own name, or a label with the name behind it. The page's plain labels are
/// ambiguous, so only the time is read by its label.
fn name(row: Row<'_>) -> Option<&str> {
    let title = row.find("Metric Name")?.text;
    let behind_label = title
        .strip_suffix(')')
        .and_then(|title| title.rsplit_once(" ("));
    let name = behind_label.map_or(title, |(_, name)| name);
    match title {
        "Duration" => Some(metric::TIME),
        _ => (metric::is_name(name) && name.contains("__")).then_some(name),
    }
}

/// The cells of metrics' values.
pub(super) fn values(table: &Table) -> Vec<Cell<'_>> {
    let value = |row| {
        name(row)?;
        row.find("Metric Value")
    };
    table.rows().filter_map(value).collect()
}

/// Reads the details page: a row for each metric of a launch.
pub(super) fn read(
    table: &Table,
    style: NumberStyle,
    reader: &mut ProfileReader,
) -> Result<(), Error> {
    let (kernel, id) = (table.require("Kernel Name")?, table.require("ID")?);
    let (value, unit) = (
        table.require("Metric Value")?,
        table.require("Metric Unit")?,
    );
    let process = table.find("Process ID");
    let mut launches: Vec<Result<Launch, Error>> = Vec::new();
    let (mut places, mut label) = (BTreeMap::new(), None);
    for row in table.rows() {
        let process = process.map(|column| row.cell(column).text);
        let key = (process, row.cell(id).text);
        let place = *places.entry(key).or_insert(launches.len());
        if place == launches.len() {
            launches.push(launch::read(row, kernel));
        }
        let (value, unit) = (row.cell(value), row.cell(unit));
        match name(row) {
            Some(name) => {
                if let Ok(launch) = &mut launches[place]
                    && let Err(reason) =
                        metric::put(launch, name, value, unit, style, &mut reader.notes)
                {
                    launches[place] = Err(reason);
                }
            }
            None if !value.text.is_empty() => label = label.or(Some(row.line())),
            None => {}
        }
    }
    if let Some(line) = label {
        let counters = |it: &Result<Launch, Error>| {
            it.as_ref().is_ok_and(|launch| !launch.counters.is_empty())
        };
        if !launches.iter().any(counters) {
            return Err(Error::Unsupported {
                line: table.line(),
                what: "ncu's details page without the metrics' own names",
                instead: "print the raw page: ncu --import REPORT --csv --page raw, or add --page raw when profiling",
            });
        }
        let text = "metrics without their own names left out: print them with --page raw";
        reader.notes.once(line, text.to_owned());
    }
    launches.into_iter().for_each(|launch| reader.add(launch));
    Ok(())
}
