//! The whole database in one file, and back.
//!
//! The file is a line that says what it is, a line of JSON ([`Header`]), what `pg_dump` writes, and the SHA-256 of all
//! of it. The values that a shard has are in a file of the same form beside it, NAME.SHARD, made after it: a sample's
//! values are there before the sample is. Postgres's own programs do the work; what is ours is what they do not know: whether the file is whole, and
//! whether this server knows its tables.

mod dump;
mod file;
mod restore;
mod source;

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

pub use dump::back_up;
pub use restore::restore;
pub use source::Source;

pub use crate::db::backup::Header;
use crate::{db::ConnectError, postgres::PostgresError};

/// Why there is no backup, or nothing was restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file can't be read or written.
    #[error("{} can't be used", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is one already.
    #[error("{} is there already; a backup replaces nothing", .0.display())]
    Exists(PathBuf),
    /// Some other file.
    #[error("{} is no backup of `kerncast-server backup`", .0.display())]
    NoBackup(PathBuf),
    /// It was cut off or changed.
    #[error(
        "{} is damaged: its checksum does not fit its content. Nothing was restored; use another backup",
        .0.display()
    )]
    Damaged(PathBuf),
    /// A newer server made it.
    #[error(
        "the backup is newer than this server: kerncast-server {version} made it of tables with migration {found}, \
         and this server knows them up to {newest}. Restore it with that version, or a later one"
    )]
    Newer {
        /// Of the server that made it.
        version: String,
        /// The last migration of its tables.
        found: i64,
        /// The last one that this server knows.
        newest: i64,
    },
    /// There is something in the database.
    #[error(
        "the database has tables already ({0} samples), and a backup is restored into an empty one only: give another \
         folder with --data, or another database with --database-url"
    )]
    NotEmpty(i64),
    /// There is nothing to back up.
    #[error("the database has no tables of Kerncast's")]
    Nothing,
    /// What was restored is not what was backed up.
    #[error("{restored} samples were restored, and the backup says {expected}")]
    Incomplete {
        /// What is there now.
        restored: i64,
        /// What should be.
        expected: i64,
    },
    /// The values on shards would be missing.
    #[error(
        "counters' values are on the shards {}: name the file that has their addresses with --shards", .0.join(", ")
    )]
    Shards(Vec<String>),
    /// Another backup is being made, or values are being moved.
    #[error(
        "a backup is being made, or a device is being moved between shards; try again when that is done"
    )]
    UnderWay,
    /// The file of a shard is of another backup.
    #[error("{} is of another backup than {}", .0.display(), .1.display())]
    Mixed(PathBuf, PathBuf),
    /// A shard's database has tables.
    #[error(
        "the database of the shard {0} has tables already, and a backup is restored into an empty one only"
    )]
    ShardNotEmpty(String),
    /// A program of Postgres failed.
    #[error("{program} failed: {said}")]
    Failed {
        /// Its name.
        program: &'static str,
        /// Its last words.
        said: String,
    },
    /// There are no programs.
    #[error(transparent)]
    Postgres(#[from] PostgresError),
    /// The restored tables can't be brought up to date.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
}

impl BackupError {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}

/// The file of a shard, beside the backup's.
fn of_shard(path: &Path, shard: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(shard);
    name.into()
}

/// Those of these shards that are wanted.
///
/// # Errors
/// Where one is not there.
fn wanted<'a>(
    header: &'a Header,
    sources: &'a BTreeMap<String, Source>,
) -> Result<Vec<(&'a String, &'a Source)>, BackupError> {
    let found = header.shards.iter();
    let found = found.map(|name| sources.get(name).map(|source| (name, source)));
    let found: Option<Vec<_>> = found.collect();
    found.ok_or_else(|| BackupError::Shards(header.shards.clone()))
}

/// What the last error of a program was.
fn last_words(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let error = text.lines().rev().find(|line| line.contains("error"));
    error.or(text.lines().last()).unwrap_or_default().to_owned()
}
