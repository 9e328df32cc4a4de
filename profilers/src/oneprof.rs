//! Tables of Intel's oneprof and of unitrace, its successor.

use crate::cell::Cell;
use crate::lines::numbered_lines;
use crate::profile::Notes;
use crate::reading::ProfileReader;
use crate::table::{Row, Table};
use crate::{Error, Format, Geometry, Launch, Profile};

/// Columns that describe the report, or the launch's time, and are no counters.
const REPORT_COLUMNS: &str = "Kernel Device SubDeviceId GpuTime KernelTime QueryBeginTime CoreFrequencyChanged \
                              QuerySplitOccurred ReportId ReportsCount ReportReason OverrunOccured ReportError \
                              ReportInconsistent ReportCtxSwitchLost ReportWithoutWorkload ContextId StreamMarker";

pub(crate) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["Kernel", "SubDeviceId", ..])
}

pub(crate) fn is_unitrace_header(cells: &[&str]) -> bool {
    matches!(cells, ["Kernel", "Device", "SubDeviceId", ..])
}

/// Reads oneprof's "Query Kernel Metrics" and "Aggregated Kernel Metrics", and those of its successor unitrace: a
/// header and a row for each launch, with the header repeated. Names contain their unit (`GpuTime[ns]`), which is a
/// base unit already.
pub(crate) fn parse(format: Format, text: &str) -> Result<Profile, Error> {
    let mut reader = ProfileReader::new(format);
    let is_header = match format {
        Format::Unitrace => is_unitrace_header,
        _ => is_header,
    };
    let mut tile: Option<String> = None;
    let headings: Vec<(u64, bool)> = headings(text).collect();
    for table in reader.tables(text, is_header)? {
        let columns = Columns::find(&table)?;
        let above = headings.partition_point(|(line, _)| *line < table.line());
        let is_query = headings[..above].last().is_some_and(|(_, it)| *it);
        let is_series = table.find("ReportReason").is_some() && !is_query;
        if is_series && !columns.is_aggregated {
            return Err(Error::Unsupported {
                line: table.line(),
                what: "a series of samples over time (column ReportReason), several a launch",
                instead: "count whole launches: oneprof --query, or unitrace --metric-query",
            });
        }
        for row in table.rows() {
            let own = row.cell(columns.tile);
            if tile.get_or_insert_with(|| own.text.to_owned()) != own.text {
                return Err(own.wrong(
                    "the tile of the rows above: a launch on several tiles has a row for each, which can't be added up. \
                     Profile one: ZE_AFFINITY_MASK=0.0",
                ));
            }
            let launch = columns.read(row, format, &mut reader.notes);
            reader.add(launch);
        }
    }
    reader.finish()
}

/// Lines of headings, such as `== Query Kernel Metrics ==`, and whether each is about whole launches. A repeated header
/// has the heading of the one before.
fn headings(text: &str) -> impl Iterator<Item = (u64, bool)> {
    numbered_lines(text).filter_map(|(line, _, content)| {
        let (_, heading) = content.trim_end().strip_suffix("==")?.rsplit_once("== ")?;
        Some((line, heading.starts_with("Query ")))
    })
}

struct Columns {
    kernel: usize,
    tile: usize,
    time: usize,
    /// Whether the row sums all samples of a launch, so that `GpuTime` is only the samples' time.
    is_aggregated: bool,
    /// Columns of counters, with their names.
    counters: Vec<(usize, String)>,
}

impl Columns {
    fn find(table: &Table) -> Result<Self, Error> {
        let mut counters: Vec<(usize, String)> = Vec::new();
        for (column, titled) in (0..).zip(table.columns()) {
            let name = titled.split('[').next().unwrap_or_default();
            if name.is_empty() || REPORT_COLUMNS.split(' ').any(|it| it == name) {
                continue;
            }
            if counters.iter().any(|(_, other)| other == name) {
                return Err(Error::DuplicateColumn {
                    line: table.line(),
                    column: name.to_owned(),
                });
            }
            counters.push((column, name.to_owned()));
        }
        let aggregated = table.find("KernelTime[ns]");
        Ok(Self {
            kernel: table.require("Kernel")?,
            tile: table.require("SubDeviceId")?,
            time: aggregated.map_or_else(|| table.require("GpuTime[ns]"), Ok)?,
            is_aggregated: aggregated.is_some(),
            counters,
        })
    }

    fn read(&self, row: Row, format: Format, notes: &mut Notes) -> Result<Launch, Error> {
        let (kernel, geometry) = name_and_geometry(row.cell(self.kernel))?;
        // Below 2^53 ns (104 days), so the conversion is exact.
        let ns = row.cell(self.time).whole()? as f64;
        let mut launch = Launch {
            gpu: row.text("Device"),
            time_s: (ns > 0.0).then_some(ns / 1e9),
            geometry,
            ..Launch::new(row.line(), kernel)
        };
        for (column, name) in &self.counters {
            if let Some(number) = notes.read_count(row.cell(*column), name)? {
                launch.count(format, name, number);
            }
        }
        Ok(launch)
    }
}

/// The name and geometry in `GEMM[SIMD32 {4; 1024; 1} {256; 1; 1}]`: work-groups, then work-items of a work-group.
fn name_and_geometry(cell: Cell) -> Result<(String, Option<Geometry>), Error> {
    let name = cell.name()?;
    let Some((kernel, shape)) = name
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once('['))
    else {
        return Ok((name, None));
    };
    let mut sizes = shape.split('{').skip(1).map(|part| {
        let sizes = part.split('}').next().unwrap_or_default().split(';');
        let sizes = sizes
            .map(|size| size.trim().parse().ok())
            .collect::<Option<Vec<u64>>>();
        sizes.and_then(|sizes| <[u64; 3]>::try_from(sizes).ok())
    });
    match (kernel, sizes.next().flatten(), sizes.next().flatten()) {
        ("", ..) => Err(cell.wrong("a kernel's name before the bracket")),
        (kernel, Some(groups), Some(local)) => {
            Ok((kernel.to_owned(), Geometry::of_groups(groups, local)))
        }
        _ => Ok((name, None)),
    }
}
