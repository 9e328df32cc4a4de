//! The columns of both pages that describe the launch: kernel, device, sizes.

use crate::cell::Cell;
use crate::table::Row;
use crate::{Error, Geometry, Launch};

/// Reads the launch's own columns.
pub(super) fn read(row: Row, kernel: usize) -> Result<Launch, Error> {
    let geometry = match (row.find("Grid Size"), row.find("Block Size")) {
        (Some(grid), Some(block)) => {
            let geometry = Geometry::of_groups(sizes(grid)?, sizes(block)?);
            let expected =
                "a launch's grid; a range of launches has none: count with --replay-mode kernel";
            Some(geometry.ok_or_else(|| grid.wrong(expected))?)
        }
        _ => None,
    };
    // "Device" is a number in most releases.
    let names = ["device__attribute_display_name", "Device"];
    let mut names = names.into_iter().filter_map(|column| row.text(column));
    let device = names.find(|name| name.parse::<u64>().is_err());
    Ok(Launch {
        device: device.filter(|name| !name.is_empty()),
        gpu: row.text("Device"),
        process: row.text("Process ID"),
        dispatch: row.find("ID").and_then(|id| id.text.parse().ok()),
        geometry,
        ..Launch::new(row.line(), row.cell(kernel).name()?)
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
