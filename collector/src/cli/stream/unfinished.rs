//! Where outputs are until they are complete.

use std::{
    fs::{self, File},
    path::Path,
    time::Duration,
};

use anyhow::{Context as _, Result};
use tempfile::{TempDir, TempPath};

const PREFIX: &str = ".kerncast-stream-";
/// Whoever has made a folder has locked it by then.
const LOCKED_WITHIN: Duration = Duration::from_secs(60);

/// A folder beside an output, in the same file system, so that what is made there can be renamed. It is removed with this,
/// and one that a process was killed with by the next stream into the same place.
pub(super) struct Unfinished {
    folder: TempDir,
    /// Held while the process is there.
    _lock: File,
}

impl Unfinished {
    /// For `output`.
    pub(super) fn beside(output: &Path) -> Result<Self> {
        let beside = match output.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        remove_left(beside);
        let what = || format!("no folder can be made in {}", beside.display());
        let folder = TempDir::with_prefix_in(PREFIX, beside).with_context(what)?;
        let lock = File::open(folder.path()).with_context(what)?;
        lock.lock().with_context(what)?;
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    /// The folder's.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Gives what is made its name.
///
/// # Errors
/// There is such a file by now: it is left as it is.
pub(super) fn complete(made: &Path, output: &Path) -> Result<()> {
    let named = TempPath::try_from_path(made).and_then(|it| Ok(it.persist_noclobber(output)?));
    named.with_context(|| format!("{} cannot be made", output.display()))
}

/// Removes what killed processes have left, as far as that is possible.
fn remove_left(beside: &Path) {
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
            let made = folder.path().join("it.npy");
            fs::write(&made, text).expect("written");
            complete(&made, &output)
        };
        make("first").expect("there was none");
        let refused = make("second").expect_err("there is one");
        assert!(refused.to_string().ends_with("out.npy cannot be made"));
        assert_eq!(fs::read_to_string(&output).expect("read"), "first");
        let left = fs::read_dir(place.path()).expect("read").count();
        assert_eq!(left, 1, "no folder is left");
    }
}
