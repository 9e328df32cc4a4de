//! A collection as it lies on disk.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

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
    let files = files(path).map_err(|source| ImportError::Read {
        file: Source::new(path.to_owned()),
        source,
    })?;
    let mut samples = Vec::new();
    for file in files {
        let lines = json_lines(&Source::new(file))?.samples;
        samples.extend(lines.into_iter().map(|(_, sample)| sample));
    }
    if samples.is_empty() {
        return Err(Unreadable::Empty(path.to_owned()));
    }
    Ok(samples)
}

/// The path itself, or the samples' files of the folder that it names.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let is_sample = |path: &PathBuf| path.extension().is_some_and(|it| it == "json");
    paths
        .filter(|path| path.as_ref().map_or(true, is_sample))
        .collect()
}
