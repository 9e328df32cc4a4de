use thiserror::Error;

/// Why a file was refused. Lines count from 1, columns are named as the file names them.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// The file has nothing but white space.
    #[error("the file is empty: did the profiler write it?")]
    Empty,
    /// The file is UTF-16, as Excel's "Unicode text" or PowerShell's `>` write it.
    #[error("the file is UTF-16: save it as UTF-8 (in PowerShell: | Out-File -Encoding utf8)")]
    Utf16,
    /// The file is binary.
    #[error("this is {what}: {instead}")]
    Binary {
        /// The kind of file.
        what: &'static str,
        /// The command that makes a text of it.
        instead: &'static str,
    },
    /// The file is JSON without the parts that rocprofv3 writes.
    #[error("rocprofv3's JSON: {0}")]
    Json(String),
    /// The file has bytes that are not UTF-8.
    #[error("line {line}: not UTF-8 text: save the file as UTF-8")]
    NotUtf8 {
        /// The line of the first wrong byte.
        line: u64,
    },
    /// The file has no header of a known profiler.
    #[error(
        "unknown format, first line `{first}`: expected ncu --csv --page raw, nvprof --csv, nsys stats --format csv, \
         rocprofv3's or rocprof's CSV, rocprofiler-compute's pmc_perf.csv, kernel metrics of oneprof or unitrace, \
         Oclgrind's instruction counts, or a tidy CSV \
         (device,kernel,variant,time_s,param:NAME,PROVIDER:COUNTER)"
    )]
    UnknownFormat {
        /// The first line that is not blank, shortened.
        first: String,
    },
    /// The file is a known print-out without the data that is needed.
    #[error("line {line}: this is {what}: {instead}")]
    Unsupported {
        /// The line that shows what it is.
        line: u64,
        /// The kind of print-out.
        what: &'static str,
        /// A print-out to bring instead.
        instead: &'static str,
    },
    /// The file has a header and nothing usable below it.
    #[error("no kernel launches in this {format} file")]
    NoLaunches {
        /// The format's name.
        format: &'static str,
    },
    /// The header lacks a column.
    #[error("line {line}: column `{column}` is missing from the header")]
    MissingColumn {
        /// The header's line.
        line: u64,
        /// The column.
        column: &'static str,
    },
    /// The header names a column twice.
    #[error("line {line}: column `{column}` is there twice")]
    DuplicateColumn {
        /// The header's line.
        line: u64,
        /// The column.
        column: String,
    },
    /// The header has an unknown column.
    #[error("line {line}: unknown column `{column}`: expected {expected}")]
    UnknownColumn {
        /// The header's line.
        line: u64,
        /// The column.
        column: String,
        /// The known columns.
        expected: &'static str,
    },
    /// The line below the header is not ncu's row of units.
    #[error(
        "line {line}: expected the row of units that ncu prints below the header: without it, 1.5 could be any unit"
    )]
    MissingUnits {
        /// The line below the header.
        line: u64,
    },
    /// A row has too many or too few cells.
    #[error("line {line}: {found} cells, expected {expected} as in the header")]
    RowLength {
        /// The row's line.
        line: u64,
        /// Number of cells in the row.
        found: usize,
        /// Number of cells in the header.
        expected: usize,
    },
    /// The last row is shorter than the header, because the profiler was stopped or the disk was full.
    #[error(
        "line {line}: the file ends in the middle of a row ({found} of {expected} cells): copy it again or profile again"
    )]
    Truncated {
        /// The last row's line.
        line: u64,
        /// Number of cells in the row.
        found: usize,
        /// Number of cells in the header.
        expected: usize,
    },
    /// A quote never closes, or closes only lines later.
    #[error("line {line}: a quotation mark is opened and not closed")]
    UnbalancedQuote {
        /// The row's first line.
        line: u64,
    },
    /// A cell has more than 64 KiB, or a column's name more than 256 bytes.
    #[error("line {line}: a cell of {bytes} bytes, expected at most {longest}")]
    CellTooLong {
        /// The row's line.
        line: u64,
        /// The cell's length, bytes.
        bytes: usize,
        /// The longest allowed length, bytes.
        longest: usize,
    },
    /// A cell has a value that its column can't have.
    #[error("line {line}, column `{column}`: `{value}`, expected {expected}")]
    Value {
        /// The row's line.
        line: u64,
        /// The column.
        column: String,
        /// The value, shortened.
        value: String,
        /// The expected value.
        expected: &'static str,
    },
    /// The file has decimal commas and decimal points.
    #[error(
        "line {line}, column `{column}`: `{value}` uses another decimal mark than line {other_line}: \
         print the file with one locale (LC_ALL=C)"
    )]
    MixedNumbers {
        /// The row's line.
        line: u64,
        /// The column.
        column: String,
        /// The value, shortened.
        value: String,
        /// A line with the other decimal mark.
        other_line: u64,
    },
    /// A number has two readings that are a thousand times apart in different locales.
    #[error(
        "line {line}, column `{column}`: `{value}` can mean two numbers, a thousand times apart: \
         print the report again with LC_ALL=C"
    )]
    AmbiguousNumber {
        /// The row's line.
        line: u64,
        /// The column.
        column: String,
        /// The value.
        value: String,
    },
    /// The user may not read counters: `ERR_NVGPUCTRPERM`.
    #[error(
        "line {line}: this user may not read the GPU's counters (ERR_NVGPUCTRPERM): profile as root, or put \
         `options nvidia NVreg_RestrictProfilingToAdminUsers=0` into a file of /etc/modprobe.d and restart; \
         in a container, start it with --cap-add=SYS_ADMIN"
    )]
    CountersForbidden {
        /// The line of the profiler's message.
        line: u64,
    },
    /// The profiler saw no kernels: "No kernels were profiled."
    #[error(
        "line {line}: the profiler saw no kernels: NVIDIA's profilers see CUDA launches only, not OpenCL \
         (`kerncast run` replays OpenCL through CUDA), and child processes only with --target-processes all \
         (nvprof: --profile-child-processes)"
    )]
    NothingProfiled {
        /// The line of the profiler's message.
        line: u64,
    },
    /// The profiler reported an error and printed no table.
    #[error("line {line}: the profiler failed: {message}")]
    Profiler {
        /// The line of the message.
        line: u64,
        /// The message, shortened.
        message: String,
    },
    /// All launches have counted nothing.
    #[error(
        "line {line}: every counter of `{kernel}` is 0, and no other launch counted anything: the device did not count \
         (RDNA gates its counters' clock: set the performance level STABLE_STD while profiling), or the kernel does nothing \
         of what was counted; profile again with a counter that cannot be 0, such as SQ_WAVES"
    )]
    NothingCounted {
        /// The line of the first such row.
        line: u64,
        /// The row's kernel, shortened.
        kernel: String,
    },
    /// A counter is there under two of its names, with different values.
    #[error("line {line}: {what}")]
    TwoNames {
        /// The launch's line.
        line: u64,
        /// Both names with their values.
        what: String,
    },
    /// Two files are not about the same launches.
    #[error("the files do not belong together: {0}")]
    Mismatch(String),
}

/// A value for a message, at most 60 characters long.
pub(crate) fn shortened(value: &str) -> String {
    match value.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
