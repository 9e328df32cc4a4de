//! The binary and its private Postgres: started, killed, started again.

use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::common::sample;
use serde_json::{Value, json};

const BINARY: &str = env!("CARGO_BIN_EXE_kerncast-server");

/// A running server; killed when dropped.
struct Server {
    child: Child,
    url: String,
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    // As root, Postgres runs as another user, who must be able to pass.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn command(data: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command
        .args(["--listen", "127.0.0.1:0", "--data"])
        .arg(data);
    command
        .env_remove("DATABASE_URL")
        .env_remove("RUST_LOG")
        .stderr(Stdio::piped());
    command
}

impl Server {
    /// Starts it and waits for its address.
    fn start(data: &Path) -> Self {
        let mut child = command(data).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap())
            .lines()
            .map(Result::unwrap);
        let line = log
            .find(|line| line.contains("listening on"))
            .expect("the server ended");
        let url = line
            .split("listening on ")
            .nth(1)
            .unwrap()
            .trim_end_matches('/')
            .to_owned();
        // The rest is read too, lest the pipe fills.
        std::thread::spawn(move || log.for_each(drop));
        Self { child, url }
    }

    fn get(&self, path: &str) -> Value {
        let url = format!("{}{path}", self.url);
        ureq::get(url)
            .call()
            .unwrap()
            .body_mut()
            .read_json()
            .unwrap()
    }

    fn upload(&self, data: &Path, batch: &Value) -> Value {
        let token = fs::read_to_string(data.join("token")).unwrap();
        ureq::post(format!("{}/v1/samples", self.url))
            .header("authorization", format!("Bearer {}", token.trim()))
            .send_json(batch)
            .unwrap()
            .body_mut()
            .read_json()
            .unwrap()
    }

    fn ids(&self) -> BTreeSet<String> {
        let page = self.get("/v1/samples?limit=1000");
        let items = page["items"].as_array().unwrap();
        let ids: BTreeSet<_> = items
            .iter()
            .map(|it| it["id"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(ids.len(), items.len(), "a sample is there twice");
        ids
    }

    /// SIGTERM, and wait for a clean end.
    fn terminate(mut self) {
        let pid = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &pid])
                .status()
                .unwrap()
                .success()
        );
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The folder that Postgres's main process works in; absent once it has ended.
fn postgres(data: &Path) -> Option<PathBuf> {
    let file = fs::read_to_string(data.join("postgres/postmaster.pid")).ok()?;
    fs::read_link(format!("/proc/{}/cwd", file.lines().next()?)).ok()
}

fn wait_until_gone(data: &Path) {
    let start = Instant::now();
    while postgres(data).is_some() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "Postgres outlives its server"
        );
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_kill_loses_no_accepted_sample_and_leaves_no_postgres() {
    let folder = folder();
    let data = folder.path().join("data");
    let batch = json!({ "samples": (0..30).map(|i| sample(i % 5, i)).collect::<Vec<_>>() });

    let mut server = Server::start(&data);
    assert_eq!(server.upload(&data, &batch)["stored"], 30);
    assert!(postgres(&data).is_some());
    server.child.kill().unwrap();
    server.child.wait().unwrap();

    // At once, while the old Postgres may still be ending.
    let server = Server::start(&data);
    assert_eq!(server.ids().len(), 30);
    assert_eq!(server.upload(&data, &batch)["repeated"], 30);
    assert_eq!(server.ids().len(), 30);
    // The fit that the upload asked for survives too.
    while server.get("/v1/jobs")["pending"] != 0 {
        sleep(Duration::from_millis(50));
    }
    assert!(
        !server.get("/v1/models")["items"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    drop(server);
    wait_until_gone(&data);
}

#[test]
fn it_ends_cleanly_on_sigterm() {
    let folder = folder();
    let data = folder.path().join("data");
    Server::start(&data).terminate();
    assert_eq!(postgres(&data), None, "the server waits for its Postgres");
    let log = fs::read_to_string(data.join("postgres.log")).unwrap();
    assert!(log.contains("database system is shut down"), "{log}");
}

#[test]
fn a_second_server_on_the_same_data_is_refused() {
    let folder = folder();
    let data = folder.path().join("data");
    let _server = Server::start(&data);
    let second = command(&data).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&second.stderr);
    assert!(errors.contains("another kerncast-server uses"), "{errors}");
}

#[test]
fn a_long_path_gets_a_short_socket() {
    let folder = folder();
    let data = folder.path().join("d".repeat(120));
    let server = Server::start(&data);
    assert_eq!(server.ids(), BTreeSet::new());
    let file = fs::read_to_string(data.join("postgres/postmaster.pid")).unwrap();
    let socket = PathBuf::from(file.lines().nth(4).unwrap());
    assert!(socket.exists());
    server.terminate();
    assert!(!socket.exists(), "{} is left behind", socket.display());
}

#[test]
fn only_its_owner_reads_the_token_and_a_new_one_works_at_once() {
    let folder = folder();
    let data = folder.path().join("data");
    let server = Server::start(&data);
    let file = data.join("token");
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let first = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let output = command(&data).args(["token", "--new"]).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_ne!(fs::read_to_string(&file).unwrap(), first);
    assert_eq!(
        server.upload(&data, &json!({ "samples": [sample(0, 1)] }))["stored"],
        1
    );
}

#[test]
fn a_token_that_the_database_does_not_know_is_warned_of_at_the_start() {
    let folder = folder();
    let data = folder.path().join("data");
    Server::start(&data).terminate();
    fs::write(data.join("token"), "another database's\n").unwrap();
    let mut child = command(&data).spawn().unwrap();
    let log = BufReader::new(child.stderr.take().unwrap());
    let lines: Vec<String> = log
        .lines()
        .map(Result::unwrap)
        .take_while(|line| !line.contains("listening on"))
        .collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let warning = "the database does not know the token in";
    assert!(lines.iter().any(|line| line.contains(warning)), "{lines:?}");
}

#[test]
fn a_cluster_of_a_version_that_is_not_installed_is_refused() {
    let folder = folder();
    let data = folder.path().join("data");
    fs::create_dir_all(data.join("postgres")).unwrap();
    fs::write(data.join("postgres/PG_VERSION"), "9.6\n").unwrap();
    let refused = command(&data).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(
        errors.contains("Install Debian's package postgresql-9.6"),
        "{errors}"
    );
}
