//! A folder for files that parent and children exchange.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// A temporary folder that is removed with this value. The folder of a killed process is removed at the next start.
#[derive(Debug)]
pub(crate) struct Scratch(TempDir);

impl Scratch {
    /// Makes a temporary folder.
    ///
    /// # Errors
    /// The folder can't be made.
    pub(crate) fn new() -> io::Result<Self> {
        for leftover in leftovers() {
            let _ = fs::remove_dir_all(leftover);
        }
        let prefix = format!("kerncast-{}-", std::process::id());
        tempfile::Builder::new().prefix(&prefix).tempdir().map(Self)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Folders of processes that have ended.
fn leftovers() -> Vec<PathBuf> {
    let entries = fs::read_dir(env::temp_dir()).into_iter();
    let is_leftover = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let rest = name.strip_prefix("kerncast-");
        let process = rest.and_then(|it| it.split_once('-'));
        process.is_some_and(|(process, _)| {
            process.parse::<u32>().is_ok() && !Path::new("/proc").join(process).exists()
        })
    };
    let paths = entries.flatten().flatten().map(|it| it.path());
    paths.filter(is_leftover).collect()
}
