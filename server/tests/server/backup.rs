//! All data in a file, and back.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
};

use crate::common::{Server, sample, samples};
use kerncast_server::upkeep::backup::{BackupError, Source, back_up, restore};
use sqlx::{PgPool, postgres::PgConnectOptions};

const BINARY: &str = env!("CARGO_BIN_EXE_kerncast-server");

/// A database of the test's Postgres, by name.
fn source(name: &str) -> Source {
    let url = std::env::var("DATABASE_URL").unwrap();
    let mut url = url::Url::parse(&url).unwrap();
    url.set_path(name);
    Source {
        options: url.as_str().parse::<PgConnectOptions>().unwrap(),
        url: Some(url.into()),
        folder: "/nowhere".into(),
    }
}

/// Everything that the tables say, in the order of their rows.
async fn content(pool: &PgPool) -> String {
    let mut all = String::new();
    for table in [
        "devices",
        "samples",
        "readings",
        "standings",
        "series",
        "models",
        "hold_outs",
        "fitted_inputs",
        "tokens",
    ] {
        let query = format!(
            "SELECT coalesce(string_agg(it::text, E'\\n' ORDER BY it::text), '') FROM {table} AS it"
        );
        let text: String = sqlx::query_scalar(sqlx::AssertSqlSafe(query))
            .fetch_one(pool)
            .await
            .unwrap();
        all += &format!("{table}\n{text}\n");
    }
    all
}

#[sqlx::test(migrations = "../migrations")]
async fn a_backup_comes_back_whole_into_an_empty_database_only(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.fit(&samples()).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lab.kerncast");
    let name = pool.connect_options().get_database().unwrap().to_owned();
    let (from, empty) = (source(&name), format!("restored_{}", std::process::id()));

    // Whoever uploads meanwhile is in it whole or not at all.
    let before = content(&pool).await;
    back_up(&from, &file).await.unwrap();
    server.upload(&[sample(5, 1)]).await;
    assert!(matches!(
        back_up(&from, &file).await,
        Err(BackupError::Exists(_))
    ));
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );

    let create = format!("CREATE DATABASE \"{empty}\"");
    sqlx::query(sqlx::AssertSqlSafe(create))
        .execute(&pool)
        .await
        .unwrap();
    let to = source(&empty);
    // Files that are no backups, or damaged, leave it empty.
    let bytes = fs::read(&file).unwrap();
    let other = folder.path().join("other");
    let put = |bytes: &[u8]| fs::write(&other, bytes).unwrap();
    for no_backup in [b"something else", &bytes[..1000]] {
        put(no_backup);
        assert!(matches!(
            restore(&to, &other).await,
            Err(BackupError::NoBackup(_))
        ));
    }
    let mut flipped = bytes.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for damaged in [&bytes[..middle], &flipped] {
        put(damaged);
        let refused = restore(&to, &other).await;
        assert!(refused.is_err(), "{refused:?}");
    }
    restore(&to, &file).await.unwrap();
    let restored = PgPool::connect_with(to.options.clone()).await.unwrap();
    assert_eq!(content(&restored).await, before);
    let again = restore(&to, &file).await;
    assert!(matches!(again, Err(BackupError::NotEmpty)), "{again:?}");
    // It goes on from there.
    let elsewhere = Server::new(restored.clone()).await;
    elsewhere.fit(&[sample(6, 1)]).await;
    drop(elsewhere);
    restored.close().await;
    let drop = format!("DROP DATABASE \"{empty}\" WITH (FORCE)");
    sqlx::query(sqlx::AssertSqlSafe(drop))
        .execute(&pool)
        .await
        .unwrap();
}

fn command(data: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    command.arg("--data").arg(data).args(arguments);
    command
        .env_remove("DATABASE_URL")
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

#[test]
fn the_commands_work_on_a_private_postgres() {
    let folder = tempfile::tempdir().unwrap();
    // As root, Postgres runs as another user, who must be able to pass.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    let file = folder.path().join("lab.kerncast");
    let text = |output: &Output| {
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)
    };

    let none = command(&old, &["backup", file.to_str().unwrap()]);
    assert!(
        !none.status.success() && text(&none).contains("no tables"),
        "{}",
        text(&none)
    );
    assert!(!file.exists());
    // Makes the tables.
    assert!(command(&old, &["token", "list"]).status.success());
    let output = command(&old, &["backup", file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output));
    let restored = command(&new, &["restore", file.to_str().unwrap()]);
    assert!(restored.status.success(), "{}", text(&restored));
    let refused = command(&old, &["restore", file.to_str().unwrap()]);
    assert!(!refused.status.success());
    assert!(
        text(&refused).contains("has tables already"),
        "{}",
        text(&refused)
    );
}
