//! A collection as it lies on disk.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use kerncast_wire::NewSample;
use serde_json::Value;
use thiserror::Error;

/// How every zstd file begins (RFC 8878, section 3.1.1).
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// What can't be read.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// A file or folder.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Not a sample.
    #[error("{}:{line}: expected a sample as JSON on one line: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        source: serde_json::Error,
    },
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
    for file in files(path).map_err(failed(path))? {
        let bytes = fs::read(&file).and_then(plain).map_err(failed(&file))?;
        for (line, text) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            let sample = sample(text).map_err(|source| Unreadable::Line {
                path: file.clone(),
                line,
                source,
            })?;
            samples.extend(sample);
        }
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

fn plain(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if bytes.starts_with(&ZSTD) {
        zstd::decode_all(&*bytes)
    } else {
        Ok(bytes)
    }
}

/// None of a line that is empty or holds something else that a spool keeps.
fn sample(line: &[u8]) -> Result<Option<NewSample>, serde_json::Error> {
    if line.trim_ascii().is_empty() {
        return Ok(None);
    }
    let value: Value = serde_json::from_slice(line)?;
    let is_sample = value.get("workload").is_some();
    is_sample.then(|| serde_json::from_value(value)).transpose()
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> Unreadable {
    let path = path.to_owned();
    move |source| Unreadable::File { path, source }
}
