use crate::error::shortened;
use crate::lines::{header_cells, numbered_lines};
use crate::table::IsHeader;
use crate::{
    Error, Format, ncu, nvprof, oclgrind, oneprof, rocprof, rocprofiler_compute, rocprofv3, tidy,
};

/// Formats told by a header of comma-separated cells, which a program's own output may precede.
const HEADERS: [(Format, IsHeader); 7] = [
    (Format::Ncu, ncu::is_header),
    (Format::Nvprof, nvprof::is_header),
    (Format::Rocprofv3Counters, rocprofv3::is_counters_header),
    (Format::Rocprofv3Trace, rocprofv3::is_trace_header),
    (Format::Rocprof, rocprof::is_header),
    (Format::RocprofilerCompute, rocprofiler_compute::is_header),
    (Format::Oneprof, oneprof::is_header),
];

/// Finds a file's format by its content.
///
/// # Errors
/// [`Error::Empty`], [`Error::UnknownFormat`], and [`Error::Unsupported`] for print-outs that are
/// known not to hold launches with counters.
pub fn detect(text: &str) -> Result<Format, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut first = None;
    let mut marked = None;
    for (line, _, content) in
        numbered_lines(text).filter(|(_, _, content)| !content.trim().is_empty())
    {
        if first.is_none() && tidy::delimiter(content).is_some() {
            return Ok(Format::Tidy);
        }
        first.get_or_insert(content);
        let cells = header_cells(content);
        if let Some((format, _)) = HEADERS.iter().find(|(_, is_header)| is_header(&cells)) {
            return Ok(*format);
        }
        if oclgrind::kernel_of(content).is_some() {
            return Ok(Format::Oclgrind);
        }
        if let Some((what, instead)) = known_but_unsupported(content, &cells) {
            return Err(Error::Unsupported {
                line,
                what,
                instead,
            });
        }
        marked = marked.or_else(|| marked_by_profiler(content));
    }
    let first = first.ok_or(Error::Empty)?;
    marked.ok_or_else(|| Error::UnknownFormat {
        first: shortened(first.trim()),
    })
}

/// A profiler that spoke and printed no table: its parser says why.
fn marked_by_profiler(line: &str) -> Option<Format> {
    if line.contains("NVPROF is profiling") || line.starts_with("======== ") {
        return Some(Format::Nvprof);
    }
    let ncu = ["==PROF== ", "==ERROR== ", "==WARNING== "];
    ncu.iter()
        .any(|mark| line.starts_with(mark))
        .then_some(Format::Ncu)
}

fn known_but_unsupported(line: &str, cells: &[&str]) -> Option<(&'static str, &'static str)> {
    if line.contains("| EV ID ") && line.contains("ndrange_kernel") {
        return Some((
            "PoCL's event trace",
            "it holds no counters; `kerncast run` measures PoCL itself",
        ));
    }
    if line
        .split_whitespace()
        .eq(["kernel", "launches", "total", "us", "avg", "us"])
    {
        return Some((
            "PoCL's summary of times",
            "it holds no counters; `kerncast run` measures PoCL itself",
        ));
    }
    if matches!(cells, ["Name", "Calls", "TotalDurationNs", ..]) {
        return Some((
            "AMD's summary of times",
            "give the file with one row a dispatch (results.csv, kernel_trace.csv)",
        ));
    }
    if cells.contains(&"Time(%)") || matches!(cells, ["Start", "Duration", "Name", ..]) {
        return Some((
            "nvprof's summary or API trace",
            "profile with --csv --print-gpu-trace, or --csv --metrics all",
        ));
    }
    if matches!(
        cells,
        ["Start (ns)", "Duration (ns)", ..] | ["Time (%)", ..]
    ) {
        return Some((
            "an nsys report",
            "it holds no counters; profile with ncu --csv --page raw",
        ));
    }
    None
}
