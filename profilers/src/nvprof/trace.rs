use super::device;
use crate::number::NumberStyle;
use crate::profile::Notes;
use crate::table::Table;
use crate::unit::nanoseconds;
use crate::{Error, Geometry, Launch};

pub(super) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["Start", "Duration", "Grid X", ..])
}

/// `--print-gpu-trace`: a row of units, then a row a launch or copy. Times without counters.
pub(super) fn read(table: &Table, notes: &mut Notes) -> Result<Vec<Launch>, Error> {
    let (duration, kernel) = (table.require("Duration")?, table.require("Name")?);
    let at_device = table.require("Device")?;
    let grid = table.require_axes(["Grid X", "Grid Y", "Grid Z"])?;
    let block = table.require_axes(["Block X", "Block Y", "Block Z"])?;
    let Some(units) = table.first_row() else {
        return Ok(Vec::new());
    };
    let unit = table.cell(units, duration);
    let to_ns =
        nanoseconds(unit.text).ok_or_else(|| unit.wrong("a unit of time: ns, us, ms or s"))?;

    let mut launches = Vec::new();
    for row in table.rows().skip(1) {
        if table.cell(row, grid[0]).text.is_empty() {
            notes.once(
                row.line,
                "copies and fills between host and device left out: no kernels".to_owned(),
            );
            continue;
        }
        let taken = table.cell(row, duration);
        let ns = NumberStyle::PLAIN
            .read(taken.text)
            .map(|number| number * to_ns);
        let time_s = ns.filter(|ns| *ns > 0.0).map(|ns| ns / 1e9);
        let (kernel, dispatch) = name_and_number(&table.cell(row, kernel).name()?);
        launches.push(Launch {
            line: row.line,
            kernel,
            device: device(table.cell(row, at_device).text),
            time_s: Some(time_s.ok_or_else(|| taken.wrong("a duration above 0"))?),
            geometry: Geometry::of_groups(table.axes(row, grid)?, table.axes(row, block)?),
            dispatch,
            invocations: 1,
            ..Launch::default()
        });
    }
    Ok(launches)
}

/// `histogram64Kernel(unsigned int*) [1095]`: older releases put the launch's number behind.
pub(super) fn name_and_number(text: &str) -> (String, Option<u64>) {
    let parts = text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once(" ["));
    match parts.and_then(|(name, number)| Some((name, number.parse().ok()?))) {
        Some((name, number)) if !name.is_empty() => (name.to_owned(), Some(number)),
        _ => (text.to_owned(), None),
    }
}
