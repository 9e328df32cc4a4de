//! The spool: samples, ceilings and kernels' sources, one file each, wait here until the server has them.
//!
//! A file is written under a temporary name, flushed, and renamed, so that it is whole even after a power failure. It
//! is removed when the server has said that it is stored.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use chrono::{DateTime, Utc};
use kerncast_wire::{FieldProblem, KernelSource, NewCeilings, NewSample};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::folders::paths;

const SAMPLE: &str = "json";
const CEILINGS: &str = "ceilings";
const SOURCE: &str = "source";
const REJECTED: &str = "rejected";
const PROBLEMS: &str = "problems.json";
const TEMPORARY: &str = ".writing-";
/// Free bytes below which a spool is full: a sample has a few kilobytes, a batch a few megabytes.
const FULL_BELOW_BYTES: u64 = 8 << 20;
/// JSON pointer to the time of a sample or of ceilings, which the server refuses if a clock is wrong.
const CLOCK: &str = "/measured_at";
/// Age of a temporary file that an agent left behind when it died.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// A folder of samples, ceilings and sources.
#[derive(Debug)]
pub struct Spool {
    folder: PathBuf,
}

/// An error of the spool's folder or files.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {source}. KERNCAST_SPOOL names another folder", path.display())]
pub struct SpoolError {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl SpoolError {
    /// Whether the folder itself is wrong: another one must be named, or this one made writable. A full disk does not
    /// count.
    pub fn is_of_the_folder(&self) -> bool {
        use io::ErrorKind::{
            AlreadyExists, NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem,
        };
        matches!(
            self.source.kind(),
            // The first two: a file of that name.
            AlreadyExists | NotADirectory | NotFound | PermissionDenied | ReadOnlyFilesystem
        )
    }
}

/// A file of the spool.
#[derive(Debug)]
pub struct Spooled<T> {
    /// The content, or why it can't be read.
    pub content: Result<T, String>,
    /// The file's size.
    pub bytes: usize,
}

impl Spool {
    /// Opens the spool in `folder`, and makes it if it is not there.
    ///
    /// # Errors
    /// The folder can't be made.
    pub fn open(folder: &Path) -> Result<Self, SpoolError> {
        fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
        let spool = Self {
            folder: folder.to_owned(),
        };
        spool.sweep();
        Ok(spool)
    }

    /// Opens the spool to write measurements into it.
    ///
    /// # Errors
    /// The folder can't be made, or nothing can be written to it. A full disk is no error: the files in it can still be
    /// sent, which makes room.
    pub fn open_to_write(folder: &Path) -> Result<Self, SpoolError> {
        let spool = Self::open(folder)?;
        let mut file = tempfile::Builder::new();
        let new = file.prefix(TEMPORARY).tempfile_in(folder);
        let is_full = |error: &io::Error| {
            let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
            full.contains(&error.kind())
        };
        match new {
            Err(error) if !is_full(&error) => Err(io_error("write to the folder", folder)(error)),
            _ => Ok(spool),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Stores a sample: when this returns, the sample survives a power failure.
    ///
    /// # Errors
    /// The disk is full, or read-only.
    pub fn put_sample(&self, sample: &NewSample) -> Result<(), SpoolError> {
        self.write(&format!("{}.{SAMPLE}", sample.id), sample)
    }

    /// Stores a device's ceilings, as safely as a sample.
    ///
    /// # Errors
    /// The disk is full, or read-only.
    pub fn put_ceilings(&self, ceilings: &NewCeilings) -> Result<(), SpoolError> {
        self.write(&format!("{}.{CEILINGS}", ceilings.id), ceilings)
    }

    /// Stores the sources that have this hash, as safely as a sample.
    ///
    /// # Errors
    /// The disk is full, or read-only.
    pub fn put_source(&self, hash: &str, source: &KernelSource) -> Result<(), SpoolError> {
        self.write(&format!("{hash}.{SOURCE}"), source)
    }

    fn write(&self, name: &str, content: &impl Serialize) -> Result<(), SpoolError> {
        let path = self.folder.join(name);
        let write = || -> io::Result<()> {
            let mut file = tempfile::Builder::new();
            let mut file = file.prefix(TEMPORARY).tempfile_in(&self.folder)?;
            file.write_all(&serde_json::to_vec(content)?)?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            File::open(&self.folder)?.sync_all()
        };
        write().map_err(io_error("write", &path))
    }

    /// The files of samples, oldest first.
    ///
    /// # Errors
    /// The folder can't be read.
    pub fn samples(&self) -> Result<Vec<PathBuf>, SpoolError> {
        self.list(SAMPLE)
    }

    /// The files of ceilings, oldest first.
    ///
    /// # Errors
    /// The folder can't be read.
    pub fn ceilings(&self) -> Result<Vec<PathBuf>, SpoolError> {
        self.list(CEILINGS)
    }

    /// The files of samples and of ceilings.
    ///
    /// # Errors
    /// The folder can't be read.
    pub fn samples_and_ceilings(&self) -> Result<Vec<PathBuf>, SpoolError> {
        Ok([self.samples()?, self.ceilings()?].concat())
    }

    /// The files of sources, each with its hash.
    ///
    /// # Errors
    /// The folder can't be read.
    pub fn sources(&self) -> Result<Vec<(PathBuf, String)>, SpoolError> {
        let hash = |path: &PathBuf| Some(path.file_stem()?.to_string_lossy().into_owned());
        let sources = self.list(SOURCE)?.into_iter();
        let sources = sources.filter_map(|path| Some((path.clone(), hash(&path)?)));
        Ok(sources.collect())
    }

    /// When the oldest sample or ceilings were written; none where none waits, or the time is unknown.
    pub fn waiting_since(&self) -> Option<SystemTime> {
        let files = self.samples_and_ceilings().into_iter().flatten();
        let put = files.filter_map(|path| fs::metadata(path).ok()?.modified().ok());
        put.min()
    }

    /// The number of files that the server refused and nobody has removed yet.
    ///
    /// # Errors
    /// The folder can't be read.
    pub fn rejected(&self) -> Result<usize, SpoolError> {
        Ok(self.rejected_files()?.len())
    }

    /// The files in the folder of rejected files, without their problems.
    fn rejected_files(&self) -> Result<Vec<PathBuf>, SpoolError> {
        let folder = self.folder.join(REJECTED);
        let files = match paths(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            files => files.map_err(io_error("read", &folder))?,
        };
        let is_about = |path: &PathBuf| path.to_string_lossy().ends_with(PROBLEMS);
        Ok(files.into_iter().filter(|it| !is_about(it)).collect())
    }

    fn list(&self, kind: &str) -> Result<Vec<PathBuf>, SpoolError> {
        let mut files = paths(&self.folder).map_err(io_error("read", &self.folder))?;
        files.retain(|it| it.extension().is_some_and(|extension| extension == kind));
        // Ids begin with their time.
        files.sort();
        Ok(files)
    }

    /// Reads a file of the spool; none if another agent has sent it meanwhile.
    pub fn read<T: DeserializeOwned>(&self, path: &Path) -> Option<Spooled<T>> {
        let text = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            text => text,
        };
        let bytes = text.as_ref().map_or(0, Vec::len);
        let content = text
            .map_err(|error| error.to_string())
            .and_then(|text| serde_json::from_slice(&text).map_err(|error| error.to_string()));
        Some(Spooled { content, bytes })
    }

    /// Removes a file after the server has stored its content.
    ///
    /// # Errors
    /// The file can't be removed.
    pub fn remove(&self, path: &Path) -> Result<(), SpoolError> {
        unless_gone(fs::remove_file(path)).map_err(io_error("remove", path))?;
        Ok(())
    }

    /// Moves a file that the server refused to the folder of rejected files, with the problems beside it. Returns its
    /// new path.
    ///
    /// # Errors
    /// The disk is full, or read-only.
    pub fn reject(&self, path: &Path, problems: &[FieldProblem]) -> Result<PathBuf, SpoolError> {
        let folder = self.folder.join(REJECTED);
        let aside = folder.join(path.file_name().unwrap_or_default());
        let write = || -> io::Result<()> {
            fs::create_dir_all(&folder)?;
            let problems = serde_json::to_vec_pretty(problems)?;
            fs::write(aside.with_extension(PROBLEMS), problems)?;
            unless_gone(fs::rename(path, &aside)).map(drop)
        };
        write().map_err(io_error("put aside", path))?;
        Ok(aside)
    }

    /// Whether the disk has too little room for a run's samples.
    pub fn is_full(&self) -> bool {
        let disk = rustix::fs::statvfs(&self.folder);
        disk.is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < FULL_BELOW_BYTES)
    }

    /// Puts files back that were refused only because their time lay in the future, if that time is past now: a clock
    /// was wrong, the server's or this machine's. Returns their number.
    ///
    /// # Errors
    /// The folder can't be read.
    pub fn retry_refused_for_their_time(&self) -> Result<usize, SpoolError> {
        let mut retried = 0;
        for path in self.rejected_files()? {
            let problems = path.with_extension(PROBLEMS);
            if !problems.exists() || !refused_for_its_time(&problems) || !is_past(&path) {
                continue;
            }
            let back = self.folder.join(path.file_name().unwrap_or_default());
            if unless_gone(fs::rename(&path, &back)).map_err(io_error("retry", &path))? {
                let _ = fs::remove_file(&problems);
                retried += 1;
            }
        }
        Ok(retried)
    }

    /// Removes half-written files of agents that died.
    fn sweep(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in entries {
            let half_written = entry.file_name().to_string_lossy().starts_with(TEMPORARY);
            let modified = entry.metadata().and_then(|it| it.modified());
            let age = modified.ok().and_then(|it| it.elapsed().ok());
            if half_written && age.is_some_and(|age| age > STALE) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Whether a file was moved or removed; false where another agent did so before.
fn unless_gone(result: io::Result<()>) -> io::Result<bool> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        result => result.map(|()| true),
    }
}

fn refused_for_its_time(problems: &Path) -> bool {
    let problems: Option<Vec<FieldProblem>> = read_json(problems);
    problems.is_some_and(|problems| {
        !problems.is_empty() && problems.iter().all(|it| it.field.ends_with(CLOCK))
    })
}

/// Whether the time in the file is past by this machine's clock.
fn is_past(path: &Path) -> bool {
    #[derive(Deserialize)]
    struct Measured {
        measured_at: DateTime<Utc>,
    }
    read_json(path).is_some_and(|Measured { measured_at }| measured_at <= Utc::now())
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> SpoolError {
    let path = path.to_owned();
    move |source| SpoolError {
        action,
        path,
        source,
    }
}
