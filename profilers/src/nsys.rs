//! Tables of NVIDIA's Nsight Systems: times without counters.

use crate::cell::Cell;
use crate::nvprof::trace::{Columns, seconds};
use crate::reading::ProfileReader;
use crate::table::{Row, Table};
use crate::unit::nanoseconds;
use crate::{Error, Format, Launch, Profile};

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

/// Reads `nsys stats --format csv`: `cuda_gpu_trace` (a row for each launch or copy), `cuda_gpu_kern_sum` (a row for
/// each kernel), `cuda_gpu_kern_gb_sum` (a row for each kernel and shape), and `gputrace` and `gpukernsum` of older
/// releases. They have times without counters; the header names their unit.
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let mut reader = ProfileReader::new(Format::Nsys);
    for table in reader.tables(text, is_header)? {
        if is_trace(&table.columns().collect::<Vec<_>>()) {
            let (duration, to_ns) = timed(&table, "Duration")?;
            let columns = Columns {
                duration,
                kernel: table.require("Name")?,
                device: table.require("Device")?,
                grid: table.require_axes(["GrdX", "GrdY", "GrdZ"])?,
                block: table.require_axes(["BlkX", "BlkY", "BlkZ"])?,
            };
            columns.read(&table, 0, to_ns, &mut reader);
        } else {
            let (total, to_ns) = timed(&table, "Total Time")?;
            let text = match table.find("GridXYZ") {
                Some(_) => "times are means over all launches of a kernel that have a row's shape",
                None => "times are means over all launches of a kernel, whatever their sizes",
            };
            reader.notes.once(table.line(), text.to_owned());
            for row in table.rows() {
                reader.add(mean(row, total, to_ns));
            }
        }
    }
    reader.finish()
}

/// A column of times, and the nanoseconds of its unit: `Duration (us)`; older releases write `Duration(ns)` or
/// `Duration(nsec)`.
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

/// The mean launch of a kernel.
fn mean(row: Row, total: usize, to_ns: f64) -> Result<Launch, Error> {
    let instances = row.require("Instances")?;
    let invocations = instances.whole()?;
    if invocations == 0 {
        return Err(instances.wrong("a number of launches above 0"));
    }
    let kernel = row.require("Name")?.name()?;
    Ok(Launch {
        time_s: Some(seconds(row.cell(total), to_ns)? / invocations as f64),
        invocations,
        ..Launch::new(row.line(), kernel)
    })
}
