use super::device;
use crate::cell::Cell;
use crate::draft::Draft;
use crate::number::NumberStyle;
use crate::table::{Row, Table};
use crate::unit::nanoseconds;
use crate::{Error, Geometry, Launch};

pub(super) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["Start", "Duration", "Grid X", ..])
}

/// Reads `--print-gpu-trace`: a row of units, then a row for each launch or copy. It has times without counters.
pub(super) fn read(table: &Table, draft: &mut Draft) -> Result<(), Error> {
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
    let unit = table.cell(units, duration);
    let to_ns =
        nanoseconds(unit.text).ok_or_else(|| unit.wrong("a unit of time: ns, us, ms or s"))?;
    columns.read(table, table.rows().skip(1), to_ns, draft);
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
    pub(crate) fn read<'t>(
        &self,
        table: &'t Table,
        rows: impl Iterator<Item = &'t Row>,
        to_ns: f64,
        draft: &mut Draft,
    ) {
        for row in rows {
            if table.cell(row, self.grid[0]).text.is_empty() {
                let text = "copies and fills between host and device left out: no kernels";
                draft.notes.once(row.line, text.to_owned());
                continue;
            }
            draft.add(self.launch(table, row, to_ns));
        }
    }

    fn launch(&self, table: &Table, row: &Row, to_ns: f64) -> Result<Launch, Error> {
        let (kernel, number) = name_and_number(&table.cell(row, self.kernel).name()?);
        let correlation = table.find("CorrId");
        let correlation = correlation.and_then(|at| table.cell(row, at).text.parse().ok());
        let (device, gpu) = device(table.cell(row, self.device).text);
        Ok(Launch {
            line: row.line,
            kernel,
            device,
            gpu,
            time_s: Some(seconds(table.cell(row, self.duration), to_ns)?),
            geometry: Geometry::of_groups(
                table.axes(row, self.grid)?,
                table.axes(row, self.block)?,
            ),
            dispatch: correlation.or(number),
            invocations: 1,
            ..Launch::default()
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
