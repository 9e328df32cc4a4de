use crate::cell::Cell;
use crate::draft::Draft;
use crate::nvprof::device;
use crate::nvprof::trace::{Columns, seconds};
use crate::table::{Row, Table};
use crate::unit::nanoseconds;
use crate::{Error, Format, Geometry, Launch, Profile};

pub(crate) fn is_header(cells: &[&str]) -> bool {
    is_summary(cells) || is_trace(cells)
}

fn is_summary(cells: &[&str]) -> bool {
    let [share, total, ..] = cells else {
        return false;
    };
    matches!(*share, "Time(%)" | "Time (%)")
        && total.starts_with("Total Time")
        && cells.contains(&"Instances")
        && cells.contains(&"Name")
}

fn is_trace(cells: &[&str]) -> bool {
    matches!(cells, [start, duration, ..] if start.starts_with("Start") && duration.starts_with("Duration"))
        && cells.contains(&"GrdX")
        && cells.contains(&"Name")
}

/// `nsys stats --format csv`: `cuda_gpu_trace` (a row a launch or copy) and `cuda_gpu_kern_sum` (a row a kernel), and
/// `gputrace` and `gpukernsum` of older releases. Times without counters; the header says their unit.
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let mut draft = Draft::new(Format::Nsys);
    for table in draft.tables(text, is_header)? {
        if is_trace(&table.columns().collect::<Vec<_>>()) {
            let (duration, to_ns) = timed(&table, "Duration")?;
            let columns = Columns {
                duration,
                kernel: table.require("Name")?,
                device: table.require("Device")?,
                grid: table.require_axes(["GrdX", "GrdY", "GrdZ"])?,
                block: table.require_axes(["BlkX", "BlkY", "BlkZ"])?,
            };
            columns.read(&table, table.rows(), to_ns, &mut draft);
        } else {
            let (total, to_ns) = timed(&table, "Total Time")?;
            if table.find("GridXYZ").is_none() {
                let text = "times are means over all launches of a kernel, whatever their sizes";
                draft.notes.once(table.line(), text.to_owned());
            }
            for row in table.rows() {
                draft.add(mean(&table, row, total, to_ns));
            }
        }
    }
    draft.finish()
}

/// A column of times, and the nanoseconds of its unit: `Duration (us)`, and `Duration(ns)` of older releases.
fn timed(table: &Table, title: &'static str) -> Result<(usize, f64), Error> {
    let (column, name) = (0..)
        .zip(table.columns())
        .find(|(_, name)| name.starts_with(title))
        .ok_or(Error::MissingColumn {
            line: table.line(),
            column: title,
        })?;
    let unit = name[title.len()..].trim().trim_matches(['(', ')']);
    let to_ns = nanoseconds(unit).ok_or_else(|| {
        let cell = Cell {
            line: table.line(),
            column: title,
            text: name,
        };
        cell.wrong("a unit of time behind it: (ns), (us), (ms) or (s)")
    })?;
    Ok((column, to_ns))
}

/// The mean of all launches of a kernel, of one shape where the report tells them apart by it.
fn mean(table: &Table, row: &Row, total: usize, to_ns: f64) -> Result<Launch, Error> {
    let cell = |column| table.find(column).map(|column| table.cell(row, column));
    let instances = table.cell(row, table.require("Instances")?);
    let invocations = instances.whole()?;
    if invocations == 0 {
        return Err(instances.wrong("a number of launches above 0"));
    }
    let (device, gpu) = cell("Device").map_or((None, None), |cell| device(cell.text));
    let axes = |column| cell(column).and_then(|cell| axes(cell.text));
    let geometry = axes("GridXYZ").zip(axes("BlockXYZ"));
    Ok(Launch {
        line: row.line,
        kernel: table.cell(row, table.require("Name")?).name()?,
        device,
        gpu,
        time_s: Some(seconds(table.cell(row, total), to_ns)? / invocations as f64),
        geometry: geometry.and_then(|(grid, block)| Geometry::of_groups(grid, block)),
        invocations,
        ..Launch::default()
    })
}

/// `1024    1    1`.
fn axes(text: &str) -> Option<[u64; 3]> {
    let sizes = text.split_whitespace().map(|size| size.parse().ok());
    let sizes: Option<Vec<u64>> = sizes.collect();
    sizes?.try_into().ok()
}
