use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context;
use sqlx::postgres::PgConnectOptions;
use tempfile::TempDir;

use super::{Account, unusable};

/// Part of the socket's file name; no TCP port is opened.
pub(super) const PORT: &str = "5432";

/// `sun_path` of Linux holds 108 bytes, the last of them 0.
const LONGEST_PATH: usize = 107;

/// The folder with the socket, which only Postgres's user (and root) may enter.
pub(super) enum Socket {
    /// In the data folder.
    Beside(PathBuf),
    /// Elsewhere, where the data folder's path is too long for a socket.
    Short(TempDir),
}

impl Socket {
    pub(super) fn make(data: &Path, account: &Account) -> anyhow::Result<Self> {
        let beside = data.join("socket");
        let file = beside.join(format!(".s.PGSQL.{PORT}.lock"));
        let socket = if file.as_os_str().len() <= LONGEST_PATH {
            match fs::create_dir(&beside) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(error).with_context(|| unusable(&beside));
                }
                _ => Self::Beside(beside),
            }
        } else {
            let short = TempDir::with_prefix_in("kerncast-", "/tmp");
            Self::Short(short.context("/tmp can't be used")?)
        };
        let owned = account.own(socket.folder());
        owned.with_context(|| unusable(socket.folder()))?;
        Ok(socket)
    }

    pub(super) fn folder(&self) -> &Path {
        match self {
            Self::Beside(folder) => folder,
            Self::Short(folder) => folder.path(),
        }
    }
}

/// How to connect to the private Postgres whose socket is in `folder`.
pub(super) fn options(folder: &Path) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(folder)
        .username("kerncast")
        .database("postgres")
}

/// How to connect to the private Postgres that another process runs in `data`, where one does.
#[must_use]
pub fn running(data: &Path) -> Option<PgConnectOptions> {
    // The fifth line of the file is the socket's folder.
    let file = fs::read_to_string(data.join("postgres/postmaster.pid")).ok()?;
    Some(options(Path::new(file.lines().nth(4)?)))
}
