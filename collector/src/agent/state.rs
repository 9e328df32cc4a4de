//! The agent's folder, and its lock.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
};

use chrono::Utc;
use thiserror::Error;

use super::host;

const LOCK: &str = "agent.lock";

/// The agent's folder.
#[derive(Debug)]
pub struct State {
    folder: PathBuf,
}

/// The folder can't be used.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {source}. KERNCAST_STATE names another folder", path.display())]
pub struct StateError {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

/// Another agent is at work here.
#[derive(Debug, Error)]
#[error(
    "another agent measures here ({0}): its times and ours would disturb each other. Nothing was measured"
)]
pub struct LockedByOther(pub String);

/// The lock that keeps other agents from measuring here. The kernel releases it when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "open for as long as it lives")] File);

/// Counts of workloads, and of those that are due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// All workloads of this machine's devices.
    pub workloads: usize,
    /// Workloads that the next run measures.
    pub due: usize,
    /// Due workloads that have not been measured within the agent's time limit.
    pub overdue: usize,
}

impl State {
    /// Opens the folder, and makes it where it is missing.
    ///
    /// # Errors
    /// The folder can't be made.
    pub fn open(folder: &Path) -> Result<Self, StateError> {
        fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// The path of a file in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Takes the lock; inner error: the agent that has it.
    ///
    /// # Errors
    /// The lock's file can't be written.
    pub fn lock(&self) -> Result<Result<Lock, LockedByOther>, StateError> {
        let path = self.path(LOCK);
        let mut options = File::options();
        // Not truncated: the holder's name is in it.
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&path).map_err(io_error("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Err(LockedByOther(holder(&path)))),
            Err(TryLockError::Error(error)) => return Err(io_error("lock", &path)(error)),
        }
        let since = Utc::now().format("%Y-%m-%d %H:%M:%S UTC");
        let holder = format!("process {} of {} since {since}", process::id(), host());
        file.set_len(0)
            .and_then(|()| (&file).write_all(holder.as_bytes()))
            .map_err(io_error("write", &path))?;
        Ok(Ok(Lock(file)))
    }
}

fn holder(path: &Path) -> String {
    let holder = fs::read_to_string(path).unwrap_or_default();
    if holder.is_empty() {
        "it has not said who it is".to_owned()
    } else {
        holder
    }
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StateError {
    let path = path.to_owned();
    move |source| StateError {
        action,
        path,
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> (tempfile::TempDir, State) {
        let folder = tempfile::tempdir().expect("a folder");
        let state = State::open(&folder.path().join("state")).expect("opens");
        (folder, state)
    }

    #[test]
    fn one_agent_at_a_time_and_the_other_is_named() {
        let (_folder, state) = state();
        let lock = state.lock().expect("locks").expect("free");
        let LockedByOther(who) = state.lock().expect("locks").expect_err("held");
        assert!(
            who.starts_with(&format!("process {} of ", std::process::id())),
            "{who}"
        );
        drop(lock);
        state.lock().expect("locks").expect("free again");
    }
}
