//! A folder for an output until the output is complete.

use std::{
    fs::{self, File},
    path::Path,
    time::Duration,
};

use anyhow::{Context as _, Result};
use tempfile::{TempDir, TempPath};

const PREFIX: &str = ".kerncast-stream-";
/// Time within which a process locks its new folder.
const LOCKED_WITHIN: Duration = Duration::from_secs(60);

/// A folder beside an output, on the same file system, so that the file can be renamed. It is removed when dropped; the
/// folder of a killed process is removed by the next stream to the same place.
pub(super) struct Unfinished {
    folder: TempDir,
    /// The lock, held while the process lives.
    _lock: File,
}

impl Unfinished {
    pub(super) fn beside(output: &Path) -> Result<Self> {
        let beside = match output.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        remove_abandoned(beside);
        let cannot = || format!("no folder can be made in {}", beside.display());
        let folder = TempDir::with_prefix_in(PREFIX, beside).with_context(cannot)?;
        let lock = File::open(folder.path()).with_context(cannot)?;
        lock.lock().with_context(cannot)?;
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Renames the finished file to `output`.
///
/// # Errors
/// A file of that name exists by now; it stays as it is.
pub(super) fn complete(finished: &Path, output: &Path) -> Result<()> {
    let renamed =
        TempPath::try_from_path(finished).and_then(|it| Ok(it.persist_noclobber(output)?));
    renamed.with_context(|| format!("{} cannot be made", output.display()))
}

/// Removes folders of killed processes, as far as possible.
fn remove_abandoned(beside: &Path) {
    let Ok(entries) = fs::read_dir(beside) else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if !is_ours || !entry.file_type().is_ok_and(|it| it.is_dir()) {
            continue;
        }
        let modified = entry.metadata().and_then(|it| it.modified());
        let age = modified.ok().and_then(|it| it.elapsed().ok());
        let lock = File::open(entry.path());
        if age.is_some_and(|it| it > LOCKED_WITHIN) && lock.is_ok_and(|it| it.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_first_stays() {
        let place = tempfile::tempdir().expect("a folder");
        let output = place.path().join("out.npy");
        let make = |text: &str| {
            let folder = Unfinished::beside(&output).expect("a folder");
            let finished = folder.path().join("it.npy");
            fs::write(&finished, text).expect("written");
            complete(&finished, &output)
        };
        make("first").expect("there was none");
        let refused = make("second").expect_err("there is one");
        assert!(refused.to_string().ends_with("out.npy cannot be made"));
        assert_eq!(fs::read_to_string(&output).expect("read"), "first");
        let entries = fs::read_dir(place.path()).expect("read").count();
        assert_eq!(entries, 1, "no folder is left");
    }
}
