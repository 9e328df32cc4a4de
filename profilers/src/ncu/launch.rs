use crate::cell::Cell;
use crate::table::{Row, Table};
use crate::{Error, Geometry, Launch};

/// Reads the launch's own columns.
pub(super) fn read(table: &Table, row: &Row, kernel: usize) -> Result<Launch, Error> {
    let cell = |column| table.find(column).map(|column| table.cell(row, column));
    let geometry = match (cell("Grid Size"), cell("Block Size")) {
        (Some(grid), Some(block)) => {
            let geometry = Geometry::of_groups(sizes(grid)?, sizes(block)?);
            let expected =
                "a launch's grid; a range of launches has none: count with --replay-mode kernel";
            Some(geometry.ok_or_else(|| grid.wrong(expected))?)
        }
        _ => None,
    };
    // "Device" is a number in most releases.
    let names = [cell("device__attribute_display_name"), cell("Device")];
    let device = names
        .into_iter()
        .flatten()
        .map(|cell| cell.text)
        .find(|name| name.parse::<u64>().is_err());
    let text = |column| cell(column).map(|cell| cell.text.to_owned());
    Ok(Launch {
        line: row.line,
        kernel: table.cell(row, kernel).name()?,
        device: device.filter(|name| !name.is_empty()).map(str::to_owned),
        gpu: text("Device"),
        process: text("Process ID"),
        dispatch: cell("ID").and_then(|id| id.text.parse().ok()),
        invocations: 1,
        geometry,
        ..Launch::default()
    })
}

/// The sizes in a cell as `(16, 16, 1)`.
fn sizes(cell: Cell) -> Result<[u64; 3], Error> {
    let inner = cell
        .text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let parts = inner
        .into_iter()
        .flat_map(|text| text.split(','))
        .map(|part| part.trim().parse().ok());
    let parts = parts
        .collect::<Option<Vec<u64>>>()
        .and_then(|parts| <[u64; 3]>::try_from(parts).ok());
    parts.ok_or_else(|| cell.wrong("three sizes, such as (16, 16, 1)"))
}
