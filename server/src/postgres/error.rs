use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// Why there is no private Postgres.
#[derive(Debug, Error)]
pub enum PostgresError {
    /// Its programs are not installed.
    #[error(
        "no PostgreSQL programs in /usr/lib/postgresql. Install Debian's package: apt-get install \
         postgresql. Or name a database: --database-url postgres://USER@HOST/NAME"
    )]
    NotInstalled,
    /// Programs of another version are installed.
    #[error(
        "{} was made by PostgreSQL {version}, and that version is not in /usr/lib/postgresql. Install \
         Debian's package postgresql-{version}",
        cluster.display()
    )]
    OtherVersion {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The major version that it needs.
        version: String,
    },
    /// There is no user to drop to.
    #[error(
        "Postgres refuses to run as root, and there is no user `postgres` to run it as. Debian's \
         package postgresql makes one"
    )]
    NoUser,
    /// The user to drop to can't get at the data.
    #[error(
        "the user `postgres` can't reach {}: it must be able to pass through every folder above it. \
         Choose another folder with --data, or chmod o+x those folders",
        .0.display()
    )]
    Unreachable(PathBuf),
    /// `initdb` failed.
    #[error("initdb could not make {}: {said}", cluster.display())]
    Initdb {
        /// The cluster's folder.
        cluster: PathBuf,
        /// What it said.
        said: String,
    },
    /// It ended before it was ready.
    #[error("Postgres ended before it was ready. The last lines of {}:\n{tail}", log.display())]
    Ended {
        /// Its log.
        log: PathBuf,
        /// The log's end.
        tail: String,
    },
    /// A Postgres that an earlier server left would not end.
    #[error("another Postgres (process {0}) still runs on this cluster and does not end")]
    Previous(u32),
    /// Ours would not end.
    #[error("Postgres (process {0}) does not end; it was told to, and the next start waits for it")]
    Lingers(u32),
    /// A program could not be run.
    #[error("{program} could not be run")]
    Program {
        /// Its name.
        program: &'static str,
        /// Why.
        source: io::Error,
    },
    /// A file or folder could not be used.
    #[error("{} can't be used", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl PostgresError {
    pub(super) fn program(program: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Program { program, source }
    }

    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}
