use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use sqlx::{Connection, PgConnection};

use super::{BackupError, Header, Source, file::Writer, last_words, of_shard, wanted};
use crate::db::{backup, shards::try_lock_places};

/// Between two lines about how far it is.
pub(super) const TOLD: Duration = Duration::from_secs(5);

/// Writes all that is committed at this moment into `file`, whoever reads and writes meanwhile. The file appears when
/// it is whole; whoever runs this owns it, and nobody else may read it. So do files of the shards beside it; `shards`:
/// where they are.
///
/// # Errors
/// [`BackupError`]; then there is no file.
pub async fn back_up(
    source: &Source,
    file: &Path,
    shards: &BTreeMap<String, Source>,
) -> Result<Header, BackupError> {
    if file.exists() {
        return Err(BackupError::Exists(file.to_owned()));
    }
    let mut connection = PgConnection::connect_with(&source.options).await?;
    // Where values are is part of what is backed up, and has to stay true until the shards are.
    if !try_lock_places(&mut connection).await? {
        return Err(BackupError::UnderWay);
    }
    let mut transaction = connection.begin().await?;
    // What is counted here is what pg_dump sees, until the transaction ends.
    let Some((header, snapshot)) = backup::snapshot(&mut transaction).await? else {
        return Err(BackupError::Nothing);
    };
    let shards = wanted(&header, shards)?;
    let mut parts = vec![(file.to_owned(), dump(source, &["--snapshot", &snapshot])?)];
    for (name, source) in shards {
        let file = of_shard(file, name);
        if file.exists() {
            return Err(BackupError::Exists(file));
        }
        parts.push((file, dump(source, &[])?));
    }
    let files: Vec<PathBuf> = parts.iter().map(|(file, _)| file.clone()).collect();
    let mut written = Ok(());
    for (file, command) in parts {
        let (part, header) = (part(&file), header.clone());
        let writing = tokio::task::spawn_blocking(move || write(command, &part, &header)).await;
        written = writing.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
        if written.is_err() {
            break;
        }
    }
    // The backup's own comes last: where it is, all are.
    for file in files.iter().rev() {
        written =
            written.and_then(|()| fs::rename(part(file), file).map_err(BackupError::file(file)));
    }
    // Without that a power cut may take the names back.
    written = written.and_then(|()| sync_folder(file).map_err(BackupError::file(file)));
    if written.is_err() {
        for file in &files {
            let _ = fs::remove_file(part(file));
        }
    }
    written?;
    transaction.rollback().await?;
    Ok(header)
}

fn dump(source: &Source, more: &[&str]) -> Result<Command, BackupError> {
    let mut command = source.command("pg_dump")?;
    command
        .args([
            "--format=custom",
            "--compress=1",
            "--no-owner",
            "--no-privileges",
        ])
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

/// Those of shards are in the same one.
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Beside the file, until it is whole.
fn part(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn write(mut command: Command, part: &Path, header: &Header) -> Result<(), BackupError> {
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
