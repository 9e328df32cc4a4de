use std::{
    collections::BTreeMap,
    io::{self, Read, Write},
    path::Path,
    process::Stdio,
    time::Instant,
};

use sqlx::{Connection, PgConnection};

use super::{
    BackupError, Header, Source,
    dump::{TOLD, words},
    file, last_words, of_shard, wanted,
};
use crate::db::{self, backup, newest_migration};

/// Fills an empty database from a backup, in one transaction, and brings its tables up to date; before it the databases of
/// its shards, each in one transaction. `shards`: where they are.
///
/// # Errors
/// [`BackupError`]; unless it is that of bringing them up to date or of counting them, the database is still empty. What was
/// restored of shards stays there.
pub async fn restore(
    source: &Source,
    path: &Path,
    shards: &BTreeMap<String, Source>,
) -> Result<Header, BackupError> {
    let (header, ..) = file::open(path)?;
    let newest = newest_migration();
    if header.migration > newest {
        return Err(BackupError::Newer {
            version: header.server,
            found: header.migration,
            newest,
        });
    }
    file::check(path)?;
    let mut connection = PgConnection::connect_with(&source.options).await?;
    if let Some(samples) = backup::samples_where_tables_are(&mut connection).await? {
        return Err(BackupError::NotEmpty(samples));
    }
    let shards = wanted(&header, shards)?;
    for (name, source) in &shards {
        check_shard(&header, path, name, source).await?;
    }
    for (name, source) in shards {
        fill(source, &of_shard(path, name)).await?;
    }
    fill(source, path).await?;

    let pool = db::connect(source.options.clone()).await?;
    pool.close().await;
    // Nothing has looked at the new tables yet, and plans would be made as if they were empty.
    backup::analyse(&mut connection).await?;
    let restored = backup::samples_where_tables_are(&mut connection).await?;
    let restored = restored.unwrap_or(0);
    match restored == header.samples {
        true => Ok(header),
        false => Err(BackupError::Incomplete {
            restored,
            expected: header.samples,
        }),
    }
}

/// Whether there is a file of the shard, of this backup and whole, and nothing where it goes.
async fn check_shard(
    header: &Header,
    path: &Path,
    name: &str,
    source: &Source,
) -> Result<(), BackupError> {
    let file = of_shard(path, name);
    let (of_shard, ..) = file::open(&file)?;
    if of_shard.made_at != header.made_at {
        return Err(BackupError::Mixed(file, path.to_owned()));
    }
    file::check(&file)?;
    let mut connection = PgConnection::connect_with(&source.options).await?;
    match backup::samples_where_tables_are(&mut connection).await? {
        None => Ok(()),
        Some(_) => Err(BackupError::ShardNotEmpty(name.to_owned())),
    }
}

async fn fill(source: &Source, path: &Path) -> Result<(), BackupError> {
    let mut command = source.command("pg_restore")?;
    command
        .args([
            "--single-transaction",
            "--exit-on-error",
            "--no-owner",
            "--no-privileges",
        ])
        // Indexes are built from sorted rows; memory for that is this session's alone.
        .env("PGOPTIONS", "-c maintenance_work_mem=256MB")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let from = path.to_owned();
    let fed = tokio::task::spawn_blocking(move || feed(command, &from)).await;
    fed.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
}

fn feed(mut command: std::process::Command, path: &Path) -> Result<(), BackupError> {
    let (_, mut dump, length) = file::open(path)?;
    let of_program = || BackupError::file(Path::new("pg_restore"));
    let mut child = command.spawn().map_err(of_program())?;
    let words = words(child.stderr.take());
    let fed = match child.stdin.take() {
        Some(mut to) => copy(&mut dump, &mut to, length),
        None => Ok(()),
    };
    let status = child.wait().map_err(of_program())?;
    if !status.success() {
        let said = words.join().unwrap_or_default();
        return Err(BackupError::Failed {
            program: "pg_restore",
            said: last_words(&said),
        });
    }
    match fed {
        // It has read all that it wanted.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(BackupError::file(path)),
    }
}

fn copy(from: &mut impl Read, to: &mut impl Write, length: u64) -> io::Result<()> {
    let (mut told, mut done) = (Instant::now(), 0);
    let mut buffer = vec![0; 1 << 18];
    loop {
        match from.read(&mut buffer)? {
            0 => break,
            n => {
                to.write_all(&buffer[..n])?;
                done += n as u64;
            }
        }
        if told.elapsed() > TOLD {
            tracing::info!(
                "{} % of {} MiB read",
                100 * done / length.max(1),
                length >> 20
            );
            told = Instant::now();
        }
    }
    tracing::info!("all read; indexes and keys are built");
    Ok(())
}
