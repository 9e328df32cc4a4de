//! Detects the format of a file.

use crate::error::shortened;
use crate::lines::{header_cells, header_start, numbered_lines};
use crate::table::IsHeader;
use crate::{
    Error, Format, ncu, nsys, nvprof, oclgrind, oneprof, rocprof, rocprofiler_compute, rocprofv3,
    tidy,
};

/// Formats and their headers of comma-separated cells; a program's own output may precede the header.
const HEADERS: [(Format, IsHeader); 9] = [
    (Format::Ncu, ncu::is_header),
    (Format::Nvprof, nvprof::is_header),
    (Format::Nsys, nsys::is_header),
    (Format::Rocprofv3Counters, rocprofv3::is_counters_header),
    (Format::Rocprofv3Trace, rocprofv3::is_trace_header),
    (Format::Rocprof, rocprof::is_header),
    (Format::RocprofilerCompute, rocprofiler_compute::is_header),
    (Format::Oneprof, oneprof::is_header),
    (Format::Unitrace, oneprof::is_unitrace_header),
];

/// The first bytes of binary files, what these are, and the command that makes text of them.
const BINARY: [(&[u8], &str, &str); 8] = [
    (
        b"NVR\0",
        "a report of Nsight Compute (.ncu-rep)",
        "print it: ncu --import FILE --csv --page raw > FILE.csv",
    ),
    (
        b"SQLite format 3\0",
        "an SQLite database",
        "rocprofv3's is printed by rocpd convert -i FILE -f csv, Nsight Systems' by nsys stats --report cuda_gpu_trace \
         --format csv FILE, nvprof's by nvprof --import-profile FILE --csv --print-gpu-trace",
    ),
    (b"\x1f\x8b", "compressed by gzip", "gunzip FILE"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd", "unzstd FILE"),
    (b"\xfd7zXZ\0", "compressed by xz", "unxz FILE"),
    (b"BZh", "compressed by bzip2", "bunzip2 FILE"),
    (
        b"PK\x03\x04",
        "a zip archive or a spreadsheet",
        "unzip it, or save the sheet as CSV in UTF-8",
    ),
    (
        b"\x7fELF",
        "a program",
        "give what a profiler printed of it",
    ),
];

const ANY_BINARY: &str = "print it as text: ncu --import FILE --csv --page raw (.ncu-rep), nsys stats --report \
                          cuda_gpu_trace --format csv FILE (.nsys-rep), rocpd convert -i FILE -f csv (rocprofv3)";

/// The error that a file is binary or UTF-16; none for other text.
pub(crate) fn binary(bytes: &[u8]) -> Option<Error> {
    let format = BINARY.iter().find(|(start, ..)| bytes.starts_with(start));
    let (what, instead) = match format {
        Some((_, what, instead)) => (*what, *instead),
        None if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) => {
            return Some(Error::Utf16);
        }
        None if bytes.iter().take(4096).any(|byte| *byte == 0) => ("a binary file", ANY_BINARY),
        None => return None,
    };
    Some(Error::Binary { what, instead })
}

/// Finds a file's format by its content.
///
/// # Errors
/// [`Error::Empty`], [`Error::UnknownFormat`], and [`Error::Unsupported`] for print-outs that are
/// known not to hold launches with counters.
pub fn detect(text: &str) -> Result<Format, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if rocprofv3::is_json(text) {
        return Ok(Format::Rocprofv3Json);
    }
    let mut first = None;
    let mut marked_format = None;
    for (line, _, content) in
        numbered_lines(text).filter(|(_, _, content)| !content.trim().is_empty())
    {
        if first.is_none() && tidy::delimiter(content).is_some() {
            return Ok(Format::Tidy);
        }
        // Excel's line above a table.
        if first.is_none() && content.starts_with("sep=") {
            continue;
        }
        first.get_or_insert(content);
        let mut headers = HEADERS.iter();
        if let Some((format, _)) =
            headers.find(|(_, is_header)| header_start(content, is_header).is_some())
        {
            return Ok(*format);
        }
        if oclgrind::kernel_of(content).is_some() {
            return Ok(Format::Oclgrind);
        }
        if let Some((what, instead)) = known_but_unsupported(content) {
            return Err(Error::Unsupported {
                line,
                what,
                instead,
            });
        }
        marked_format = marked_format.or_else(|| marked_by_profiler(content));
    }
    let first = first.ok_or(Error::Empty)?;
    marked_format.ok_or_else(|| Error::UnknownFormat {
        first: shortened(first.trim()),
    })
}

/// The format of a line that a profiler printed although it printed no table; its parser says why.
fn marked_by_profiler(line: &str) -> Option<Format> {
    if line.contains("NVPROF is profiling") || line.starts_with("======== ") {
        return Some(Format::Nvprof);
    }
    let ncu = ["==PROF== ", "==ERROR== ", "==WARNING== "];
    ncu.iter()
        .any(|mark| line.starts_with(mark))
        .then_some(Format::Ncu)
}

const POCL: &str = "it holds no counters; `kerncast run` measures PoCL itself";
const NVPROF: &str = "profile with nvprof --csv --print-gpu-trace, or --csv --metrics all";
const NSYS: &str =
    "print the times of kernels: nsys stats --report cuda_gpu_trace --format csv FILE";
const ROCPROFV3: &str = "give counter_collection.csv or kernel_trace.csv of rocprofv3 --pmc … --kernel-trace --output-format csv";

/// A known but unsupported print-out that has such a line, and what to bring instead.
fn known_but_unsupported(line: &str) -> Option<(&'static str, &'static str)> {
    if line.contains("| EV ID ") && line.contains("ndrange_kernel") {
        return Some(("PoCL's event trace", POCL));
    }
    if line.trim_start().starts_with("{\"traceEvents\"") {
        return Some(("a trace for Chrome or Perfetto", "it holds no counters"));
    }
    let words = line.split_whitespace().collect::<Vec<_>>();
    let text = match words[..] {
        ["kernel", "launches", "total", "us", "avg", "us"] => ("PoCL's summary of times", POCL),
        ["Metric", "Name", "Metric", "Unit", "Metric", "Value"] => (
            "ncu's page as text",
            "print it as a table: ncu --import REPORT --csv --page raw, or add --csv --page raw when profiling",
        ),
        ["Start", "Duration", .., "Name"] => ("nvprof's trace as text", NVPROF),
        ["Type", "Time(%)", ..] | ["Time(%)", "Time", "Calls", ..] => {
            ("nvprof's summary as text", NVPROF)
        }
        ["Time", "(%)", "Total", "Time", ..] => ("an nsys report as text", NSYS),
        _ => return unsupported_table(&header_cells(line)),
    };
    Some(text)
}

fn unsupported_table(cells: &[&str]) -> Option<(&'static str, &'static str)> {
    match cells {
        _ if cells.contains(&"Metric Name") && cells.contains(&"Invocations") => Some((
            "ncu's summary of several launches",
            "print each launch: --csv --page raw without --print-summary",
        )),
        ["Name", "Calls", "TotalDurationNs", ..] => Some((
            "AMD's summary of times",
            "give the file with one row a dispatch (results.csv, kernel_trace.csv)",
        )),
        ["Domain", "Function", "Process_Id", ..] | ["Kind", "Direction", ..] => {
            Some(("rocprofv3's trace of calls or copies", ROCPROFV3))
        }
        ["Start (ns)", "Duration (ns)", ..] | ["API Start (ns)", ..] | ["Time (%)", ..] => {
            Some(("an nsys report", NSYS))
        }
        ["Start", "Duration", "Name", ..] => Some(("nvprof's summary or API trace", NVPROF)),
        _ => cells
            .contains(&"Time(%)")
            .then_some(("nvprof's summary or API trace", NVPROF)),
    }
}
