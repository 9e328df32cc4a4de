//! nvprof: a row a launch and a column a metric or event.

use super::trace::name_and_number;
use super::{device, value};
use crate::reading::ProfileReader;
use crate::table::Table;
use crate::{Error, Format, Launch};

pub(super) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["Device", "Context", "Stream", "Kernel", ..])
}

/// Reads `--print-gpu-trace` with `--metrics` or `--events`: a row for each launch and a column for each metric,
/// perhaps after a row of units, which has no kernel.
pub(super) fn read(table: &Table, reader: &mut ProfileReader) -> Result<(), Error> {
    let (at_device, kernel) = (table.require("Device")?, table.require("Kernel")?);
    let of_launch = [
        "Device",
        "Context",
        "Stream",
        "Kernel",
        "Correlation_ID",
        "",
    ];
    let metrics = (0..)
        .zip(table.columns())
        .filter(|(_, name)| !of_launch.contains(name))
        .collect::<Vec<_>>();
    let units = table
        .first_row()
        .filter(|row| row.cell(kernel).text.is_empty());

    for row in table
        .rows()
        .filter(|row| units.is_none_or(|units| units.line() != row.line()))
    {
        let name = match row.cell(kernel).name() {
            Ok(name) => name,
            Err(reason) => {
                reader.leave_out(reason);
                continue;
            }
        };
        let (kernel, number) = name_and_number(&name);
        let correlation = row.find("Correlation_ID");
        let correlation = correlation.and_then(|it| it.text.parse().ok());
        let (device, gpu) = device(row.cell(at_device).text);
        let mut launch = Launch {
            device,
            gpu,
            dispatch: correlation.or(number),
            ..Launch::new(row.line(), kernel)
        };
        for (column, name) in &metrics {
            let unit = units.map_or("", |units| units.cell(*column).text);
            let cell = row.cell(*column);
            if let Some(number) = value::read(cell, name, unit, &mut reader.notes) {
                launch.count(Format::Nvprof, name, number);
            }
        }
        reader.add(Ok(launch));
    }
    Ok(())
}
