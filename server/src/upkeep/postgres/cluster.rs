use std::{fs, io, path::Path};

use anyhow::{Context, bail};

use super::{Account, Programs, unusable};

/// Makes the cluster where there is none. Killed in between, it leaves none: the next start begins anew.
pub(super) fn make_if_missing(
    cluster: &Path,
    account: &Account,
    programs: &Programs,
) -> anyhow::Result<()> {
    if !cluster.exists() {
        tracing::info!("making a database in {}", cluster.display());
        let unfinished = cluster.with_extension("new");
        make(&unfinished, account, programs)?;
        fs::rename(&unfinished, cluster).with_context(|| unusable(cluster))?;
    }
    check_reached(cluster, account)
}

fn check_reached(folder: &Path, account: &Account) -> anyhow::Result<()> {
    if account.reaches(folder)? {
        return Ok(());
    }
    bail!(
        "the user `postgres` can't reach {}: it must be able to pass through every folder above it. Choose another folder \
         with --data, or chmod o+x those folders",
        folder.display()
    )
}

fn make(folder: &Path, account: &Account, programs: &Programs) -> anyhow::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error).with_context(|| unusable(folder));
        }
        _ => {}
    }
    let prepared = fs::create_dir(folder).and_then(|()| account.own(folder));
    prepared.with_context(|| unusable(folder))?;
    check_reached(folder, account)?;
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
        .context("initdb could not be run")?;
    if output.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let (folder, errors) = (folder.display(), errors.trim());
    bail!("initdb could not make {folder}: {errors}")
}
