use crate::cell::Cell;
use crate::count;
use crate::profile::Notes;
use crate::table::below;
use crate::{Error, Format, Geometry, Launch, Profile};

/// Columns that describe the report, not the launch.
const REPORT_COLUMNS: [&str; 12] = [
    "Kernel",
    "SubDeviceId",
    "QueryBeginTime",
    "CoreFrequencyChanged",
    "QuerySplitOccurred",
    "ReportId",
    "ReportsCount",
    "OverrunOccured",
    "ReportError",
    "ReportInconsistent",
    "ReportCtxSwitchLost",
    "ReportWithoutWorkload",
];

pub(crate) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["Kernel", "SubDeviceId", ..])
}

/// oneprof's "Query Kernel Metrics": a header and a row a launch, the header again before each.
/// Names carry their unit (`GpuTime[ns]`), and units are base already.
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let table = below(text, is_header).ok_or(Error::Empty)??;
    let kernel = table.require("Kernel")?;
    let time = table.require("GpuTime[ns]")?;
    let mut notes = Notes::default();
    let mut launches = Vec::new();
    for row in table
        .rows()
        .filter(|row| table.cell(row, kernel).text != "Kernel")
    {
        let (name, geometry) = name_and_geometry(table.cell(row, kernel))?;
        // Below 2^53 ns (104 days), so the conversion is exact.
        let ns = table.cell(row, time).whole()? as f64;
        let mut launch = Launch {
            line: row.line,
            kernel: name,
            time_s: (ns > 0.0).then_some(ns / 1e9),
            geometry,
            invocations: 1,
            ..Launch::default()
        };
        for (column, titled) in (0..).zip(table.columns()) {
            let name = titled.split('[').next().unwrap_or_default();
            if name.is_empty() || name == "GpuTime" || REPORT_COLUMNS.contains(&name) {
                continue;
            }
            if let Some(number) = count::read(table.cell(row, column), name, &mut notes)?
                && !launch.count(Format::Oneprof, name, number)
            {
                return Err(Error::DuplicateColumn {
                    line: table.line(),
                    column: name.to_owned(),
                });
            }
        }
        launches.push(launch);
    }
    Ok(Profile {
        format: Format::Oneprof,
        launches,
        notes: notes.into_vec(),
    })
}

/// `GEMM[SIMD32 {4; 1024; 1} {256; 1; 1}]`: work-groups, then work-items of one.
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
