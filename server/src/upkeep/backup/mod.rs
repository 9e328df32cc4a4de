//! The whole database in one file, and back, by `pg_dump` and `pg_restore` in their custom format. A checksum follows,
//! which they pass over: it says whether the file is whole. Nothing is ever replaced.

mod checksum;
mod source;

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::Command,
};

pub use source::Source;

use crate::db::{self, ConnectError, upkeep};

/// Why there is no backup, or nothing was restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file can't be read or written.
    #[error("{} can't be used", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is one already.
    #[error("{} is there already; a backup replaces nothing", .0.display())]
    Exists(PathBuf),
    /// Some other file, or a damaged one.
    #[error("{} is no backup of `kerncast-server backup`, or a damaged one: its checksum does not fit its content", .0.display())]
    NoBackup(PathBuf),
    /// There is something in the database.
    #[error(
        "the database has tables already, and a backup is restored into an empty one only: give another folder with --data, or \
         another database with --database-url"
    )]
    NotEmpty,
    /// There is nothing to back up.
    #[error("the database has no tables of Kerncast's")]
    Nothing,
    /// A program of Postgres failed.
    #[error("{program} failed: {message}")]
    Failed {
        /// The program.
        program: &'static str,
        /// Its last line that speaks of an error, or its last line.
        message: String,
    },
    /// There are no programs.
    #[error(transparent)]
    Postgres(#[from] anyhow::Error),
    /// The restored tables can't be brought up to date.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] db::Error),
}

impl BackupError {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}

/// Writes all that is committed at this moment into `file`, whoever reads and writes meanwhile. The file appears when
/// it is whole; whoever runs this owns it, and nobody else may read it.
///
/// # Errors
/// [`BackupError`]; then there is no file.
pub async fn back_up(source: &Source, file: &Path) -> Result<(), BackupError> {
    if file.exists() {
        return Err(BackupError::Exists(file.to_owned()));
    }
    let mut connection = upkeep::connect(&source.options).await?;
    if !upkeep::is_ours(&mut connection).await? {
        return Err(BackupError::Nothing);
    }
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    // pg_dump writes into it as it is, and syncs it at the end.
    let mut private = OpenOptions::new();
    let private = private.write(true).create(true).truncate(true).mode(0o600);
    private.open(&part).map_err(BackupError::file(&part))?;
    let mut command = source.command("pg_dump")?;
    command
        .args(["--format=custom", "--compress=1"])
        .args(["--no-owner", "--no-privileges", "--file"])
        .arg(&part);
    let dumped = output("pg_dump", command).await.and_then(|_| {
        checksum::append(&part)
            .and_then(|()| fs::rename(&part, file))
            .and_then(|()| sync_folder(file))
            .map_err(BackupError::file(file))
    });
    if dumped.is_err() {
        let _ = fs::remove_file(&part);
    }
    dumped
}

/// Fills an empty database from a backup, in one transaction, and brings its tables up to date.
///
/// # Errors
/// [`BackupError`]; unless it is that of bringing them up to date, the database is still empty.
pub async fn restore(source: &Source, file: &Path) -> Result<(), BackupError> {
    if !checksum::fits(file).map_err(BackupError::file(file))? {
        return Err(BackupError::NoBackup(file.to_owned()));
    }
    let mut connection = upkeep::connect(&source.options).await?;
    if !upkeep::is_empty(&mut connection).await? {
        return Err(BackupError::NotEmpty);
    }
    let mut command = source.command("pg_restore")?;
    command
        .args(["--single-transaction", "--exit-on-error"])
        .args(["--no-owner", "--no-privileges"])
        .arg(file)
        // Indexes are built from sorted rows; memory for that is this session's alone.
        .env("PGOPTIONS", "-c maintenance_work_mem=256MB");
    output("pg_restore", command).await?;
    db::connect(source.options.clone()).await?.close().await;
    // Nothing has looked at the new tables yet, and plans would be made as if they were empty.
    Ok(upkeep::analyse(&mut connection).await?)
}

/// What a program of Postgres writes.
async fn output(program: &'static str, mut command: Command) -> Result<Vec<u8>, BackupError> {
    let run = tokio::task::spawn_blocking(move || command.output()).await;
    let run = run.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    let output = run.map_err(BackupError::file(Path::new(program)))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let error = text.lines().rev().find(|line| line.contains("error"));
    let message = error.or(text.lines().last()).unwrap_or_default().to_owned();
    Err(BackupError::Failed { program, message })
}

/// Without that a power cut may take the file's name back.
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
