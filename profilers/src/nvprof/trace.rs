//! nvprof: a row a launch or copy, with times; also for Nsight Systems.

use super::device;
use crate::cell::Cell;
use crate::number::NumberStyle;
use crate::reading::ProfileReader;
use crate::table::{Row, Table};
use crate::unit::nanoseconds;
use crate::{Error, Geometry, Launch};

pub(super) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["Start", "Duration", "Grid X", ..])
}

/// Reads `--print-gpu-trace`: a row of units, then a row for each launch or copy. It has times without counters.
pub(super) fn read(table: &Table, reader: &mut ProfileReader) -> Result<(), Error> {
    let (duration, kernel) = (table.require("Duration")?, table.require("Name")?);
    let columns = Columns {
        duration,
        kernel,
        device: table.require("Device")?,
        grid: table.require_axes(["Grid X", "Grid Y", "Grid Z"])?,
        block: table.require_axes(["Block X", "Block Y", "Block Z"])?,
    };
    let Some(units) = table.first_row() else {
        return Ok(());
    };
    let unit = units.cell(duration);
    let to_ns =
        nanoseconds(unit.text).ok_or_else(|| unit.wrong("a unit of time: ns, us, ms or s"))?;
    columns.read(table, 1, to_ns, reader);
    Ok(())
}

/// Columns of a trace by NVIDIA's profilers, which has a row for each launch or copy.
pub(crate) struct Columns {
    pub(crate) duration: usize,
    pub(crate) kernel: usize,
    pub(crate) device: usize,
    pub(crate) grid: [usize; 3],
    pub(crate) block: [usize; 3],
}

impl Columns {
    /// Reads the table below its first `skipped` rows; `to_ns`: nanoseconds of the unit of durations.
    pub(crate) fn read(
        &self,
        table: &Table,
        skipped: usize,
        to_ns: f64,
        reader: &mut ProfileReader,
    ) {
        for row in table.rows().skip(skipped) {
            if row.cell(self.grid[0]).text.is_empty() {
                let text = "copies and fills between host and device left out: no kernels";
                reader.notes.once(row.line(), text.to_owned());
                continue;
            }
            reader.add(self.launch(row, to_ns));
        }
    }

    fn launch(&self, row: Row, to_ns: f64) -> Result<Launch, Error> {
        let (kernel, number) = name_and_number(&row.cell(self.kernel).name()?);
        let correlation = row.find("CorrId");
        let correlation = correlation.and_then(|it| it.text.parse().ok());
        let (device, gpu) = device(row.cell(self.device).text);
        Ok(Launch {
            device,
            gpu,
            time_s: Some(seconds(row.cell(self.duration), to_ns)?),
            geometry: Geometry::of_groups(row.axes(self.grid)?, row.axes(self.block)?),
            dispatch: correlation.or(number),
            ..Launch::new(row.line(), kernel)
        })
    }
}

pub(crate) fn seconds(duration: Cell, to_ns: f64) -> Result<f64, Error> {
    let ns = NumberStyle::PLAIN.read(duration.text);
    let seconds = ns.map(|ns| ns * to_ns / 1e9).filter(|time| *time > 0.0);
    seconds.ok_or_else(|| duration.wrong("a duration above 0"))
}

/// The kernel's name and the launch's number in `histogram64Kernel(unsigned int*) [1095]`; newer releases append no
/// number.
pub(super) fn name_and_number(text: &str) -> (String, Option<u64>) {
    let parts = text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once(" ["));
    match parts.and_then(|(name, number)| Some((name, number.parse().ok()?))) {
        Some((name, number)) if !name.is_empty() => (name.to_owned(), Some(number)),
        _ => (text.to_owned(), None),
    }
}
