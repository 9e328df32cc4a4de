//! Reads kernels from their folders.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Kernel, Mistake, check};

const LAUNCH_FILE: &str = "launch.toml";

/// The reason why a suite can't be loaded.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// A launch file is wrong.
    #[error("{0}")]
    Mistake(#[from] Mistake),
    /// A file or folder can't be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There is no kernel.
    #[error(
        "{} holds no kernel; expected a folder with a {LAUNCH_FILE}, or a folder of such folders",
        .0.display()
    )]
    NoKernel(PathBuf),
}

/// Reads one kernel's folder, or every kernel's folder in `folder`, by name.
///
/// # Errors
/// The first mistake in a launch file, an unreadable file, or no kernel at all.
pub fn load(folder: &Path) -> Result<Vec<Kernel>, SuiteError> {
    load_each(folder)?.into_iter().collect()
}

/// Reads kernels as [`load`] does, each by itself: one that is wrong keeps no other from being used.
///
/// # Errors
/// The folder can't be read, or holds no kernel at all.
pub fn load_each(folder: &Path) -> Result<Vec<Result<Kernel, SuiteError>>, SuiteError> {
    let folder = folder.canonicalize().map_err(unreadable(folder))?;
    if folder.join(LAUNCH_FILE).exists() {
        return Ok(vec![kernel(&folder)]);
    }
    let mut folders = entries(&folder)?;
    folders.retain(|path| path.join(LAUNCH_FILE).exists());
    if folders.is_empty() {
        return Err(SuiteError::NoKernel(folder));
    }
    Ok(folders.iter().map(|path| kernel(path)).collect())
}

fn kernel(folder: &Path) -> Result<Kernel, SuiteError> {
    let path = folder.join(LAUNCH_FILE);
    let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
    let files = source_files(folder)?;
    let mut kernel = check::kernel(folder, &path, &text, &files)?;
    let files: Vec<(String, Vec<u8>)> = files.into_iter().map(with_data_as_hash).collect();
    kernel.source_hash = source_hash(&files);
    let as_text = |(name, bytes)| Some((name, String::from_utf8(bytes).ok()?));
    kernel.files = files.into_iter().map(as_text).collect();
    Ok(kernel)
}

/// Every file that can change what is measured: names and bytes.
fn source_files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, SuiteError> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if matches!(extension, Some("cl" | "clh" | "h" | "toml" | "npy")) {
            let bytes = fs::read(&path).map_err(unreadable(&path))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            files.push((name.into_owned(), bytes));
        }
    }
    Ok(files)
}

/// A file as people read it: a file that only fills buffers is no source, so one line gives its size and hash instead.
fn with_data_as_hash((name, bytes): (String, Vec<u8>)) -> (String, Vec<u8>) {
    if !name.ends_with(".npy") {
        return (name, bytes);
    }
    let hash = hex::encode(Sha256::digest(&bytes));
    let line = format!("{} bytes of data, SHA-256 {hash}\n", bytes.len());
    (name, line.into_bytes())
}

/// SHA-256 over name, length and bytes of each file.
fn source_hash(files: &[(String, Vec<u8>)]) -> String {
    let mut hash = Sha256::new();
    for (name, bytes) in files {
        hash.update(format!("{name}\0{}\0", bytes.len()));
        hash.update(bytes);
    }
    hex::encode(hash.finalize())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, SuiteError> {
    let list = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect()
    };
    let mut paths = list().map_err(unreadable(folder))?;
    paths.sort();
    Ok(paths)
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> SuiteError {
    let path = path.to_owned();
    move |source| SuiteError::Unreadable { path, source }
}
