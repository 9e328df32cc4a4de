use std::{fs, io, path::Path};

use super::{Account, PostgresError, Programs};

/// Makes the cluster where there is none. Killed in between, it leaves none: the next start begins anew.
pub(super) fn make_if_missing(
    cluster: &Path,
    account: &Account,
    programs: &Programs,
) -> Result<(), PostgresError> {
    let unfinished = cluster.with_extension("new");
    let result = if cluster.exists() {
        Ok(())
    } else {
        tracing::info!("making a database in {}", cluster.display());
        make(&unfinished, account, programs)
            .and_then(|()| fs::rename(&unfinished, cluster).map_err(PostgresError::file(cluster)))
    };
    result?;
    if account.reaches(cluster)? {
        Ok(())
    } else {
        Err(PostgresError::Unreachable(cluster.to_owned()))
    }
}

fn make(folder: &Path, account: &Account, programs: &Programs) -> Result<(), PostgresError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(PostgresError::file(folder)(error));
        }
        _ => {}
    }
    let made = fs::create_dir(folder).and_then(|()| account.own(folder));
    made.map_err(PostgresError::file(folder))?;
    if !account.reaches(folder)? {
        return Err(PostgresError::Unreachable(folder.to_owned()));
    }
    // A fixed locale: sorting must not change with the machine's language. `trust` is for the socket,
    // whose folder only we may enter.
    let output = account
        .command(&programs.path("initdb"), Some("KILL"))
        .args([
            "--username=kerncast",
            "--auth-local=trust",
            "--auth-host=reject",
            "--data-checksums",
        ])
        .args(["--encoding=UTF8", "--locale=C.UTF-8", "--pgdata"])
        .arg(folder)
        .output()
        .map_err(PostgresError::program("initdb"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(PostgresError::Initdb {
        cluster: folder.to_owned(),
        said,
    })
}
