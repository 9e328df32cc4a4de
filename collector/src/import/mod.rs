//! Samples from files: other profilers' output, tidy tables, and Kerncast's own JSON Lines, each also compressed by
//! zstd or gzip. A file's format is detected from its content, never from its name.

use std::{io, path::Path};

use kerncast_offload::NewStreamRates;
use kerncast_profilers::{Note, parse_bytes};
use kerncast_wire::{NewCeilings, NewSample};
use thiserror::Error;

mod json_lines;
mod kernel_name;
mod launches;
mod options;
mod rocpd;
mod send;
mod source;

pub use options::{ImportOptions, KernelChoice};
pub use send::{Sent, send};
pub use source::Source;

/// The content of a file.
#[derive(Debug, Default)]
pub struct Import {
    /// The format: `ncu`, `tidy`, `jsonl`, …
    pub format: &'static str,
    /// Samples, with their lines in the file, from 1.
    pub samples: Vec<(u64, NewSample)>,
    /// Devices' ceilings, with their lines.
    pub ceilings: Vec<(u64, NewCeilings)>,
    /// Rates of streams through devices, with their lines.
    pub streams: Vec<(u64, NewStreamRates)>,
    /// Number of launches without a time; they give no samples.
    pub without_time: usize,
    /// Notes on what was left out of the profiler's file.
    pub notes: Vec<Note>,
    /// Whether the samples' ids were made here from their content.
    pub own_ids: bool,
}

impl Import {
    /// Whether the import has nothing to send.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty() && self.ceilings.is_empty() && self.streams.is_empty()
    }
}

/// Why a file gives no samples.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Debug, Error)]
pub enum ImportError {
    #[error("cannot read {file}: {source}")]
    Read { file: Source, source: io::Error },
    #[error(
        "{file}: cannot read this SQLite database: {source}. rocprofv3 prints its own: rocpd convert -i {file} -f csv"
    )]
    Database {
        file: Source,
        source: rusqlite::Error,
    },
    /// A decompressed file is too large, perhaps endless.
    #[error("{file}: holds more than {mib} MiB: split it")]
    TooLarge {
        file: Source,
        /// The most that is read, MiB.
        mib: u64,
    },
    #[error("{file}: {source}")]
    Profile {
        file: Source,
        source: kerncast_profilers::Error,
    },
    #[error("{file}: line {line}: {problem}")]
    Line {
        file: Source,
        /// The line, from 1.
        line: u64,
        problem: String,
    },
    #[error("{file}: line {line}: the file does not say the {what}: name it by {option}")]
    NotInFile {
        file: Source,
        line: u64,
        what: &'static str,
        option: &'static str,
    },
    /// The user named one device, but the launches ran on several.
    #[error(
        "{file}: launches on {} GPUs, whose names the file does not say: {gpus}. Take one by --gpu; several that are the \
         same model may be given together",
        gpus.split(", ").count()
    )]
    SeveralGpus {
        file: Source,
        /// The GPUs' numbers in the file, each with the line of its first launch.
        gpus: String,
    },
    #[error("{file}: no launch on a GPU `{wish}`; it has: {gpus}")]
    NoGpu {
        file: Source,
        wish: String,
        gpus: String,
    },
    #[error("{file}: no launch of a kernel `{wish}`; it has: {kernels}")]
    NoKernel {
        file: Source,
        wish: String,
        kernels: String,
    },
}

/// The counters of a file that are to be forecast.
#[derive(Debug)]
pub enum CountedFile {
    /// Kerncast's own samples, each with its place: a line of the file, or a file of the spool's folder.
    Samples(Vec<(String, NewSample)>),
    /// The text of any other file, decompressed.
    Text(Vec<u8>),
}

/// Reads Kerncast's own samples in a file of JSON Lines, a spool's folder or a file of it; or the text of any other
/// file.
///
/// # Errors
/// A file can't be read, or a line of JSON is of no kind that is uploaded.
pub fn read_counted(path: &Path) -> Result<CountedFile, ImportError> {
    let mut all = Vec::new();
    for source in Source::all(path)? {
        let text = source.text()?;
        // What a spool's folder has is a sample, perhaps a broken one.
        if !path.is_dir() && !json_lines::is_json(&text) {
            return Ok(CountedFile::Text(text));
        }
        for (line, sample) in json_lines::read(&text, &source)?.samples {
            let place = if path.is_dir() {
                source.short_name()
            } else {
                format!("line {line}")
            };
            all.push((place, sample));
        }
    }
    Ok(CountedFile::Samples(all))
}

/// Reads `source`. Launches of a profiler's file are joined with those of `others`: further passes over the same
/// launches, or their times, with the least disturbed times first. `options` add what the files do not say.
///
/// # Errors
/// The file is refused whole; see [`ImportError`].
pub fn read(
    source: &Source,
    others: &[Source],
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    let text = source.text()?;
    if json_lines::is_json(&text) {
        return json_lines::read(&text, source);
    }
    let refuse = |file: &Source, source| ImportError::Profile {
        file: file.clone(),
        source,
    };
    let parse = |file, text: &[u8]| parse_bytes(text).map_err(|error| refuse(file, error));
    let mut profile = parse(source, &text)?;
    let format = profile.format;
    for other in others {
        let other = parse(other, &other.text()?)?;
        let joined = kerncast_profilers::join(other, profile);
        profile = joined.map_err(|error| refuse(source, error))?;
    }
    profile.format = format;
    launches::samples(profile, source, !others.is_empty(), options)
}
