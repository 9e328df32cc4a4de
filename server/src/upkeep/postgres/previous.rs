//! Ending a Postgres, and waiting for one that an earlier server left behind.

use std::{
    fs,
    path::Path,
    process::Stdio,
    thread::sleep,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

use super::{Account, LOOK_PAUSE, Programs};

/// A killed server's Postgres ends by itself within this time, or is stopped.
const LONGEST_OWN_END: Duration = Duration::from_secs(5);
/// A shutdown writes out what is in memory, which takes its time on a slow disk.
pub(super) const LONGEST_STOP: Duration = Duration::from_secs(120);

/// Waits for the Postgres of a server that was killed a moment ago.
pub(super) fn wait_until_gone(
    cluster: &Path,
    account: &Account,
    programs: &Programs,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let (mut announced, mut stopped) = (false, false);
    while let Some(process) = running(cluster) {
        if !announced {
            tracing::info!(
                "waiting for the Postgres of an earlier server (process {process}) to end"
            );
            announced = true;
        }
        if !stopped && start.elapsed() > LONGEST_OWN_END {
            stop(cluster, account, programs, LONGEST_STOP)?;
            stopped = true;
        }
        if start.elapsed() > LONGEST_STOP {
            bail!(
                "another Postgres (process {process}) still runs on this cluster and does not end"
            );
        }
        sleep(LOOK_PAUSE);
    }
    Ok(())
}

/// Tells the cluster's Postgres to end its sessions and itself, cleanly, and waits for it, at most for
/// `limit`.
pub(super) fn stop(
    cluster: &Path,
    account: &Account,
    programs: &Programs,
    limit: Duration,
) -> anyhow::Result<()> {
    // Its exit status is of no use: Postgres may have ended just before.
    account
        .command(&programs.path("pg_ctl"), None)
        .args(["stop", "--silent", "--mode=fast", "--wait", "--timeout"])
        .arg(limit.as_secs().to_string())
        .arg("--pgdata")
        .arg(cluster)
        .stderr(Stdio::null())
        .status()
        .map(|_| ())
        .context("pg_ctl could not be run")
}

/// The process that runs on the cluster. Its number alone proves nothing, as numbers come back after a
/// reboot; Postgres works in its cluster's folder.
fn running(cluster: &Path) -> Option<u32> {
    let file = fs::read_to_string(cluster.join("postmaster.pid")).ok()?;
    let process: u32 = file.lines().next()?.trim().parse().ok()?;
    let folder = fs::read_link(format!("/proc/{process}/cwd")).ok()?;
    (folder == fs::canonicalize(cluster).ok()?).then_some(process)
}
