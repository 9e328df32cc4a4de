use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use sqlx::{Connection, PgConnection};

use super::{BackupError, Header, Source, file::Writer, last_words};
use crate::db::backup;

/// Between two lines about how far it is.
pub(super) const TOLD: Duration = Duration::from_secs(5);

/// Writes all that is committed at this moment into `file`, whoever reads and writes meanwhile. The file appears when
/// it is whole; whoever runs this owns it, and nobody else may read it.
///
/// # Errors
/// [`BackupError`]; then there is no file.
pub async fn back_up(source: &Source, file: &Path) -> Result<Header, BackupError> {
    if file.exists() {
        return Err(BackupError::Exists(file.to_owned()));
    }
    let mut connection = PgConnection::connect_with(&source.options).await?;
    let mut transaction = connection.begin().await?;
    // What is counted here is what pg_dump sees, until the transaction ends.
    let Some((header, snapshot)) = backup::snapshot(&mut transaction).await? else {
        return Err(BackupError::Nothing);
    };
    let mut command = source.command("pg_dump")?;
    command
        .args([
            "--format=custom",
            "--compress=1",
            "--no-owner",
            "--no-privileges",
        ])
        .args(["--snapshot", &snapshot])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let part = part(file);
    let written = {
        let (part, header) = (part.clone(), header.clone());
        tokio::task::spawn_blocking(move || write(command, &part, &header)).await
    };
    let written = written.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    let written = written.and_then(|()| fs::rename(&part, file).map_err(BackupError::file(file)));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written?;
    transaction.rollback().await?;
    Ok(header)
}

/// Beside the file, until it is whole.
fn part(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn write(
    mut command: std::process::Command,
    part: &Path,
    header: &Header,
) -> Result<(), BackupError> {
    use std::os::unix::fs::OpenOptionsExt;
    let failed = || BackupError::file(part);
    let mut options = OpenOptions::new();
    let file: File = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(part)
        .map_err(failed())?;
    let mut child = command
        .spawn()
        .map_err(BackupError::file(Path::new("pg_dump")))?;
    let words = words(child.stderr.take());
    let mut writer = Writer::new(BufWriter::new(file), header).map_err(failed())?;
    let copied = match child.stdout.take() {
        Some(mut out) => copy(&mut out, &mut writer),
        None => Ok(()),
    };
    if let Err(error) = copied {
        let _ = child.kill();
        let _ = child.wait();
        return Err(failed()(error));
    }
    let status = child
        .wait()
        .map_err(BackupError::file(Path::new("pg_dump")))?;
    if !status.success() {
        let said = words.join().unwrap_or_default();
        return Err(BackupError::Failed {
            program: "pg_dump",
            said: last_words(&said),
        });
    }
    let out = writer.end().map_err(failed())?;
    let file = out
        .into_inner()
        .map_err(|error| failed()(error.into_error()))?;
    file.sync_all().map_err(failed())
}

fn copy(from: &mut impl Read, to: &mut Writer<impl Write>) -> io::Result<()> {
    let mut told = Instant::now();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(()),
            n => to.write_all(&buffer[..n])?,
        }
        if told.elapsed() > TOLD {
            tracing::info!("{} MiB written", to.bytes >> 20);
            told = Instant::now();
        }
    }
}

/// What a program says, read beside it: it would wait for ever where nobody reads.
pub(super) fn words(stderr: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(mut stderr) = stderr {
            let _ = stderr.read_to_end(&mut said);
        }
        said
    })
}
