//! The private Postgres: Debian's programs on a cluster in the data folder, reached by a socket only.
//!
//! It belongs to this process: it ends cleanly with it, also when the process is killed, because
//! `setpriv --pdeathsig` makes the kernel send it SIGINT ("fast shutdown") when its parent dies. The
//! kernel means the parent *thread*, so [`PrivatePostgres::start`] is for the main thread, before the
//! asynchronous runtime.

mod account;
mod cluster;
mod previous;
mod programs;
mod socket;

use std::{
    fs::{File, rename},
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use sqlx::postgres::PgConnectOptions;

use account::Account;
use programs::Programs;
use socket::Socket;
pub use socket::running;

const LOOK_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_NOTING: Duration = Duration::from_secs(1);

/// A running private Postgres.
pub struct PrivatePostgres {
    child: Child,
    account: Account,
    programs: Programs,
    cluster: PathBuf,
    socket: Socket,
}

impl PrivatePostgres {
    /// Starts it on the cluster in `data`, which is made where there is none, and waits until it is
    /// ready. The caller holds the data folder's lock.
    ///
    /// # Errors
    /// Which say what to do.
    pub fn start(data: &Path) -> anyhow::Result<Self> {
        let account = Account::find()?;
        let cluster = data.join("postgres");
        let programs = Programs::find(&cluster)?;
        cluster::make_if_missing(&cluster, &account, &programs)?;
        previous::wait_until_gone(&cluster, &account, &programs)?;
        let socket = Socket::make(data, &account)?;
        let log = data.join("postgres.log");
        // The log of the run before is kept, and no older one.
        let _ = rename(&log, data.join("postgres.log.1"));
        let output = File::create(&log).with_context(|| unusable(&log))?;
        let errors = output.try_clone().with_context(|| unusable(&log))?;
        let child = account
            .command(&programs.path("postgres"), Some("INT"))
            .arg("-D")
            .arg(&cluster)
            .args(settings(&socket))
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn()
            .context("postgres could not be run")?;
        let mut postgres = Self {
            child,
            account,
            programs,
            cluster,
            socket,
        };
        postgres.wait_until_ready(&log)?;
        Ok(postgres)
    }

    /// How to connect to it.
    #[must_use]
    pub fn options(&self) -> PgConnectOptions {
        socket::options(self.socket.folder())
    }

    /// Waits until it ends although nobody told it to.
    pub async fn ended(&mut self) {
        while matches!(self.child.try_wait(), Ok(None)) {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Ends it cleanly, and waits for that.
    ///
    /// # Errors
    /// Where `pg_ctl` can't be run, or Postgres does not end.
    pub fn stop(self) -> anyhow::Result<()> {
        self.stop_within(previous::LONGEST_STOP)
    }

    fn stop_within(mut self, limit: Duration) -> anyhow::Result<()> {
        previous::stop(&self.cluster, &self.account, &self.programs, limit)?;
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(_)) => return Ok(()),
                // pg_ctl has waited already; what is left is to take note of the end.
                Ok(None) if start.elapsed() < LONGEST_NOTING => sleep(LOOK_PAUSE),
                Ok(None) => bail!(
                    "Postgres (process {}) does not end; it was told to, and the next start waits for it",
                    self.child.id()
                ),
                Err(error) => return Err(error).context("Postgres can't be waited for"),
            }
        }
    }

    fn wait_until_ready(&mut self, log: &Path) -> anyhow::Result<()> {
        let start = Instant::now();
        let mut announced = false;
        loop {
            if let Ok(Some(_)) = self.child.try_wait() {
                bail!(
                    "Postgres ended before it was ready. The last lines of {}:\n{}",
                    log.display(),
                    tail(log)
                );
            }
            let ready = self
                .account
                .command(&self.programs.path("pg_isready"), None)
                .args(["--quiet", "--port", socket::PORT, "--host"])
                .arg(self.socket.folder())
                .status()
                .context("pg_isready could not be run")?;
            if ready.success() {
                return Ok(());
            }
            if !announced && start.elapsed() > Duration::from_secs(3) {
                tracing::info!("waiting for Postgres; after a crash it first repairs its files");
                announced = true;
            }
            sleep(LOOK_PAUSE);
        }
    }
}

/// The path of one of Postgres's programs, of the version that made a cluster, or of the newest.
///
/// # Errors
/// Where that is not installed.
pub fn program(cluster: Option<&Path>, name: &str) -> anyhow::Result<PathBuf> {
    // No cluster is in the folder of no name.
    Programs::find(cluster.unwrap_or(Path::new(""))).map(|programs| programs.path(name))
}

/// Socket only, durable.
fn settings(socket: &Socket) -> Vec<String> {
    // The setting is a list; quotes keep a comma in the path from dividing it.
    let folder = format!("\"{}\"", socket.folder().display());
    [
        ("listen_addresses", ""),
        ("unix_socket_directories", &folder),
        ("unix_socket_permissions", "0700"),
        ("port", socket::PORT),
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("max_connections", "64"),
        ("cluster_name", "kerncast"),
    ]
    .into_iter()
    .flat_map(|(name, value)| ["-c".to_owned(), format!("{name}={value}")])
    .collect()
}

fn unusable(path: &Path) -> String {
    format!("{} can't be used", path.display())
}

/// The last words of a log.
fn tail(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(10)..].join("\n")
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt, process::Command};

    use super::*;

    #[test]
    fn a_postgres_that_does_not_end_is_not_waited_for_for_ever() {
        let folder = tempfile::tempdir().expect("a folder");
        // As root, Postgres runs as another user, who must be able to pass.
        let all_may_pass = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), all_may_pass).expect("its owner's right");
        let postgres = PrivatePostgres::start(folder.path()).expect("a Postgres");
        let process = postgres.child.id();
        let signal = |name: &str| {
            let mut kill = Command::new("kill");
            kill.args(["-s", name]).arg(process.to_string());
            assert!(kill.status().expect("kill").success());
        };
        signal("STOP");
        let stopped = postgres.stop_within(Duration::from_secs(1));
        signal("CONT");
        let why = stopped.expect_err("it is stopped").to_string();
        let named = format!("(process {process}) does not end");
        assert!(why.contains(&named), "{why}");
        // Now that it runs again it obeys.
        previous::wait_until_gone(
            &folder.path().join("postgres"),
            &Account::find().expect("a user"),
            &Programs::find(&folder.path().join("postgres")).expect("programs"),
        )
        .expect("its end");
    }
}
