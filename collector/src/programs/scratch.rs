//! A folder for what parent and children pass to each other.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// Goes away with this value; where the process was killed, with the next one's start.
#[derive(Debug)]
pub(crate) struct Scratch(TempDir);

impl Scratch {
    /// Makes a folder among the temporary ones.
    ///
    /// # Errors
    /// There is no place for it.
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

/// Folders of processes that are no more.
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
