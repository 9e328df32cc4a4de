//! A collection as it lies on disk.

use std::path::{Path, PathBuf};

use kerncast_wire::NewSample;
use thiserror::Error;

use crate::import::{ImportError, Source, json_lines};

/// What can't be read.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// The folder, a file, or a line of it.
    #[error(transparent)]
    File(#[from] ImportError),
    /// Nothing to compare.
    #[error("{} holds no sample; expected a spool's folder, or a file of JSON Lines (also .zst)", .0.display())]
    Empty(PathBuf),
}

/// The samples of a spool's folder, or of a file of JSON Lines, which may be compressed by zstd.
///
/// # Errors
/// A file that can't be read or holds something else; no sample.
pub fn read(path: &Path) -> Result<Vec<NewSample>, Unreadable> {
    let mut samples = Vec::new();
    for file in Source::all(path)? {
        let lines = json_lines(&file)?.samples;
        samples.extend(lines.into_iter().map(|(_, sample)| sample));
    }
    if samples.is_empty() {
        return Err(Unreadable::Empty(path.to_owned()));
    }
    Ok(samples)
}
