use thiserror::Error;

/// Why a file was refused. Lines count from 1, columns are named as the file names them.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// Nothing but white space.
    #[error("the file is empty: did the profiler write it?")]
    Empty,
    /// Excel's "Unicode text", or PowerShell's `>`.
    #[error("the file is UTF-16: save it as UTF-8 (in PowerShell: | Out-File -Encoding utf8)")]
    Utf16,
    /// A file that is no text.
    #[error("this is {what}: {instead}")]
    Binary {
        /// What it is.
        what: &'static str,
        /// The command that makes a text of it.
        instead: &'static str,
    },
    /// JSON that lacks what rocprofv3 writes.
    #[error("rocprofv3's JSON: {0}")]
    Json(String),
    /// Bytes of another encoding.
    #[error("line {line}: not UTF-8 text: save the file as UTF-8")]
    NotUtf8 {
        /// Where the first wrong byte is.
        line: u64,
    },
    /// No header of any profiler that we read.
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
    /// A known print-out that does not hold what we need.
    #[error("line {line}: this is {what}: {instead}")]
    Unsupported {
        /// The line that gave it away.
        line: u64,
        /// What it is.
        what: &'static str,
        /// What to bring instead.
        instead: &'static str,
    },
    /// A header and nothing usable below it.
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
    /// A column that this table does not have.
    #[error("line {line}: unknown column `{column}`: expected {expected}")]
    UnknownColumn {
        /// The header's line.
        line: u64,
        /// The column.
        column: String,
        /// What columns there are.
        expected: &'static str,
    },
    /// ncu's row of units is not below the header.
    #[error(
        "line {line}: expected the row of units that ncu prints below the header: without it, 1.5 could be any unit"
    )]
    MissingUnits {
        /// The line below the header.
        line: u64,
    },
    /// A row with too many or too few cells.
    #[error("line {line}: {found} cells, expected {expected} as in the header")]
    RowLength {
        /// The row's line.
        line: u64,
        /// Cells there.
        found: usize,
        /// Cells of the header.
        expected: usize,
    },
    /// The last row is shorter than the header: the profiler was stopped, or the disk was full.
    #[error(
        "line {line}: the file ends in the middle of a row ({found} of {expected} cells): copy it again or profile again"
    )]
    Truncated {
        /// The last row's line.
        line: u64,
        /// Cells there.
        found: usize,
        /// Cells of the header.
        expected: usize,
    },
    /// A quote that never closes, or closes lines later.
    #[error("line {line}: a quotation mark is opened and not closed")]
    UnbalancedQuote {
        /// The row's first line.
        line: u64,
    },
    /// A cell of more than 64 KiB, or a column's name of more than 256 bytes.
    #[error("line {line}: a cell of {bytes} bytes, expected at most {longest}")]
    CellTooLong {
        /// The row's line.
        line: u64,
        /// The cell's length.
        bytes: usize,
        /// How long it may be.
        longest: usize,
    },
    /// A cell that is not what its column holds.
    #[error("line {line}, column `{column}`: `{value}`, expected {expected}")]
    Value {
        /// The row's line.
        line: u64,
        /// The column.
        column: String,
        /// What was there, shortened.
        value: String,
        /// What was expected.
        expected: &'static str,
    },
    /// Decimal commas and decimal points in one file.
    #[error(
        "line {line}, column `{column}`: `{value}` uses another decimal mark than line {other_line}: \
         print the file with one locale (LC_ALL=C)"
    )]
    MixedNumbers {
        /// The row's line.
        line: u64,
        /// The column.
        column: String,
        /// What was there, shortened.
        value: String,
        /// A line that says otherwise.
        other_line: u64,
    },
    /// A number that two locales read a thousand times apart.
    #[error(
        "line {line}, column `{column}`: `{value}` can mean two numbers, a thousand times apart: \
         print the report again with LC_ALL=C"
    )]
    AmbiguousNumber {
        /// The row's line.
        line: u64,
        /// The column.
        column: String,
        /// What was there.
        value: String,
    },
    /// `ERR_NVGPUCTRPERM`.
    #[error(
        "line {line}: this user may not read the GPU's counters (ERR_NVGPUCTRPERM): profile as root, or put \
         `options nvidia NVreg_RestrictProfilingToAdminUsers=0` into a file of /etc/modprobe.d and restart; \
         in a container, start it with --cap-add=SYS_ADMIN"
    )]
    CountersForbidden {
        /// Where the profiler says so.
        line: u64,
    },
    /// "No kernels were profiled."
    #[error(
        "line {line}: the profiler saw no kernels: NVIDIA's profilers see CUDA launches only, not OpenCL \
         (`kerncast run` replays OpenCL through CUDA), and child processes only with --target-processes all \
         (nvprof: --profile-child-processes)"
    )]
    NothingProfiled {
        /// Where the profiler says so.
        line: u64,
    },
    /// The profiler's own error, where there is no table.
    #[error("line {line}: the profiler failed: {message}")]
    Profiler {
        /// Where it says so.
        line: u64,
        /// What it says, shortened.
        message: String,
    },
    /// Every launch counted nothing at all.
    #[error(
        "line {line}: every counter of `{kernel}` is 0, and no other launch counted anything: the device did not count \
         (RDNA gates its counters' clock: set the performance level STABLE_STD while profiling), or the kernel does nothing \
         of what was counted; profile again with a counter that cannot be 0, such as SQ_WAVES"
    )]
    NothingCounted {
        /// The first such row's line.
        line: u64,
        /// Its kernel, shortened.
        kernel: String,
    },
    /// A counter under two of its names, and not the same.
    #[error("line {line}: {what}")]
    TwoNames {
        /// The launch's line.
        line: u64,
        /// Both, and what they say.
        what: String,
    },
    /// Two files that are not of the same launches.
    #[error("the files do not belong together: {0}")]
    Mismatch(String),
}

/// At most 60 characters of a value, for a message.
pub(crate) fn shortened(value: &str) -> String {
    match value.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
