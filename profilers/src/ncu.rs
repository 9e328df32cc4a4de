mod launch;

use crate::error::shortened;
use crate::lines::numbered_lines;
use crate::number::NumberStyle;
use crate::profile::Notes;
use crate::table::{Table, below};
use crate::unit::to_base;
use crate::{Error, Format, Profile};

/// The launch's own columns; every other one is a metric.
const LAUNCH_COLUMNS: [&str; 12] = [
    "ID",
    "Process ID",
    "Process Name",
    "Host Name",
    "Kernel Name",
    "Kernel Time",
    "Context",
    "Stream",
    "Block Size",
    "Grid Size",
    "Device",
    "CC",
];

/// Metrics that describe the machine or the profiling, not the launch.
const SURROUNDINGS: [&str; 5] = [
    "device__attribute_",
    "nvlink__",
    "numa__",
    "c2clink__",
    "profiler__",
];

/// The metric that is the launch's time. It and its kin are no counters: they hold the answer.
const TIME: &str = "gpu__time_duration.sum";

pub(crate) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["ID", "Process ID", ..]) && cells.contains(&"Kernel Name")
}

/// `ncu --csv --page raw`: the program's output and `==PROF==` lines, a header, a row of units, a row
/// a launch. Numbers follow the user's locale; units are brought to their base.
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let table = below(text, is_header).ok_or_else(|| why_no_table(text))??;
    if table.find("Metric Value").is_some() {
        return Err(Error::Unsupported {
            line: table.line(),
            what: "ncu's details page",
            instead: "print the raw page: ncu --import REPORT --csv --page raw, or add --page raw when profiling",
        });
    }
    let kernel = table.require("Kernel Name")?;
    let units = table.first_row().ok_or_else(|| why_no_table(text))?;
    if !table.cell(units, kernel).text.is_empty() {
        return Err(Error::MissingUnits { line: units.line });
    }
    let rows = table
        .rows()
        .filter(|row| row.line != units.line)
        .collect::<Vec<_>>();
    if rows.is_empty() {
        return Err(why_no_table(text));
    }
    let metrics = metrics(&table);
    let cells = rows
        .iter()
        .flat_map(|row| metrics.iter().map(|column| table.cell(row, *column)));
    let style = NumberStyle::of(cells)?;

    let mut notes = Notes::default();
    for (line, remark) in table
        .remarks
        .iter()
        .filter(|(_, remark)| !remark.starts_with("==PROF=="))
    {
        notes.once(*line, format!("the profiler says: {}", shortened(remark)));
    }
    let mut launches = Vec::new();
    for row in rows {
        let mut launch = launch::read(&table, row, kernel)?;
        for column in &metrics {
            let cell = table.cell(row, *column);
            if cell.text.is_empty() {
                continue;
            }
            let factor = to_base(table.cell(units, *column).text, 1000.0);
            let read = style.read(cell.text).map(|number| number * factor);
            let Some(number) = notes.count(cell, cell.column, read) else {
                continue;
            };
            if cell.column == TIME {
                launch.time_s = (number > 0.0).then_some(number / 1e9);
            } else if !cell.column.starts_with("gpu__time_duration.") {
                launch.count(Format::Ncu, cell.column, number);
            }
        }
        launches.push(launch);
    }
    Ok(Profile {
        format: Format::Ncu,
        launches,
        notes: notes.into_vec(),
    })
}

fn metrics(table: &Table) -> Vec<usize> {
    let is_metric = |name: &str| {
        let surrounds = SURROUNDINGS.iter().any(|prefix| name.starts_with(prefix));
        !name.is_empty() && !surrounds && !LAUNCH_COLUMNS.contains(&name)
    };
    (0..)
        .zip(table.columns())
        .filter(|(_, name)| is_metric(name))
        .map(|(column, _)| column)
        .collect()
}

/// The reason that the profiler gives for printing no launches.
fn why_no_table(text: &str) -> Error {
    let said = |what: &str| numbered_lines(text).find(|(_, _, line)| line.contains(what));
    if let Some((line, ..)) = said("ERR_NVGPUCTRPERM") {
        return Error::CountersForbidden { line };
    }
    if let Some((line, _, message)) = said("==ERROR== ") {
        return Error::Profiler {
            line,
            message: shortened(message.trim_start_matches("==ERROR== ")),
        };
    }
    if let Some((line, ..)) = said("No kernels were profiled") {
        return Error::NothingProfiled { line };
    }
    Error::NoLaunches {
        format: Format::Ncu.name(),
    }
}
