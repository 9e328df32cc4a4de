//! Samples from files: what other people's profilers printed, tidy tables, and Kerncast's own JSON Lines;
//! each also compressed by zstd or gzip. A file's format is detected from its content, never from its name.

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

/// What a file holds.
#[derive(Debug)]
pub struct Import {
    /// What wrote it: `ncu`, `tidy`, `jsonl`, …
    pub format: &'static str,
    /// Samples, with their lines in the file, from 1.
    pub samples: Vec<(u64, NewSample)>,
    /// Devices' ceilings, with their lines.
    pub ceilings: Vec<(u64, NewCeilings)>,
    /// What streams through devices can do, with their lines.
    pub streams: Vec<(u64, NewStreamRates)>,
    /// Launches without a time: no samples.
    pub without_time: usize,
    /// What the profiler's file held and was left out.
    pub notes: Vec<Note>,
    /// Whether the samples' ids were made here, of their content.
    pub own_ids: bool,
}

impl Import {
    /// Whether there is nothing in it to send.
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
    /// A decompressed file without an end.
    #[error("{file}: holds more than {mib} MiB: split it")]
    TooLarge {
        file: Source,
        /// As much as is read.
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
        /// Which, from 1.
        line: u64,
        problem: String,
    },
    #[error("{file}: line {line}: the file does not say the {what}: name it by {option}")]
    Unsaid {
        file: Source,
        line: u64,
        what: &'static str,
        option: &'static str,
    },
    /// One device is named, and the launches ran on several.
    #[error(
        "{file}: launches on {} GPUs, whose names the file does not say: {gpus}. Take one by --gpu; several that are the \
         same model may be given together",
        gpus.split(", ").count()
    )]
    SeveralGpus {
        file: Source,
        /// Their numbers in the file, with the line of the first launch on each.
        gpus: String,
    },
    #[error("{file}: no launch on a GPU `{wish}`; it has: {gpus}")]
    NoGpu {
        file: Source,
        wish: String,
        gpus: String,
    },
    #[error("{file}: no launch of a kernel `{asked}`; it has: {there}")]
    NoKernel {
        file: Source,
        asked: String,
        there: String,
    },
}

/// What somebody wants forecast.
#[derive(Debug)]
pub enum Counted {
    /// Kerncast's own samples, with the place of each: a line of the file, or a file of the spool's folder.
    Samples(Vec<(String, NewSample)>),
    /// Another file's text, decompressed.
    Text(Vec<u8>),
}

/// Kerncast's own samples in a file of JSON Lines, or in a spool's folder or file; or the text of another file.
///
/// # Errors
/// The disk, or a line of JSON that is none of what is uploaded.
pub fn counted(path: &Path) -> Result<Counted, ImportError> {
    let mut all = Vec::new();
    for source in Source::all(path)? {
        let text = source.text()?;
        // What a spool's folder has is a sample, perhaps a broken one.
        if !path.is_dir() && !json_lines::is_json(&text) {
            return Ok(Counted::Text(text));
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
    Ok(Counted::Samples(all))
}

/// Reads `source`. Launches of a profiler's file are joined with those of `others`, which are of the same
/// launches: further passes, or times (the one with the least disturbed times first). `options` say what the
/// files don't.
///
/// # Errors
/// See [`ImportError`]: the file is refused whole.
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
