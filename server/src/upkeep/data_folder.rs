//! The folder that the server keeps: token, lock, and the private Postgres.

use std::{
    env,
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use thiserror::Error;

use super::disk::{self, Disk};

/// Why the data folder can't be used.
#[derive(Debug, Error)]
pub enum DataFolderError {
    /// It can't be made or written.
    #[error("{} can't be used as data folder; --data names another", path.display())]
    Unusable {
        /// The folder or a file in it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no room on its disk.
    #[error(
        "{} MiB are free on the disk of {}, and Postgres needs {} MiB to start. Make room there; nothing is lost",
        free >> 20, folder.display(), needed >> 20
    )]
    Full {
        /// The folder.
        folder: PathBuf,
        /// Bytes that are free.
        free: u64,
        /// Bytes that are needed.
        needed: u64,
    },
    /// Another server uses it.
    #[error(
        "another kerncast-server uses {}. Stop it first, or give this one another folder with --data",
        .0.display()
    )]
    Taken(PathBuf),
}

/// The folder of the Debian package's service. An agent's token on the same machine must not lie there.
const SERVICE: &str = "/var/lib/kerncast-server";

/// The folder's lock; the kernel takes it back when the process ends, however it ends.
pub struct Lock(#[expect(dead_code, reason = "open for as long as it lives")] File);

/// Where data are unless told: for root in the folder of the Debian package's service where it is there, else in
/// `/var/lib/kerncast`; for others `kerncast` in the user's data folder (XDG).
#[must_use]
pub fn default_folder() -> PathBuf {
    match users_folder() {
        Some(folder) if !is_root() => folder,
        _ if Path::new(SERVICE).is_dir() => PathBuf::from(SERVICE),
        _ => PathBuf::from("/var/lib/kerncast"),
    }
}

/// Kerncast's folder in the user's data folder (the XDG Base Directory Specification).
fn users_folder() -> Option<PathBuf> {
    let named = env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let named = named.filter(|it| it.is_absolute());
    let folder = named.or_else(|| Some(env::home_dir()?.join(".local/share")))?;
    Some(folder.join("kerncast"))
}

pub(crate) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// Makes the folder where it is missing; its path without links and dots.
///
/// # Errors
/// Where that can't be done.
pub fn make(folder: &Path) -> Result<PathBuf, DataFolderError> {
    fs::create_dir_all(folder)
        .and_then(|()| fs::canonicalize(folder))
        .map_err(unusable(folder))
}

/// Whether there is room for a database to start.
///
/// # Errors
/// Where there is not.
pub fn check_room(folder: &Path) -> Result<(), DataFolderError> {
    match disk::free(folder) {
        Some(free) if free < Disk::TO_START => Err(DataFolderError::Full {
            folder: folder.to_owned(),
            free,
            needed: Disk::TO_START,
        }),
        _ => Ok(()),
    }
}

/// Locks the folder against a second server.
///
/// # Errors
/// Where one is there.
pub fn lock(folder: &Path) -> Result<Lock, DataFolderError> {
    let path = folder.join("lock");
    let file = File::create(&path).map_err(unusable(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file)),
        Err(TryLockError::WouldBlock) => Err(DataFolderError::Taken(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(unusable(&path)(error)),
    }
}

fn unusable(path: &Path) -> impl FnOnce(io::Error) -> DataFolderError {
    let path = path.to_owned();
    move |source| DataFolderError::Unusable { path, source }
}
