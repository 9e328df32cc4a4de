//! Kerncast's two binaries, run as a person would run them, in a folder that goes away. For this
//! crate's tests.

#![expect(
    clippy::missing_panics_doc,
    reason = "a test's helper panics where its test should fail"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::atomic::{AtomicU16, Ordering},
    time::{Duration, Instant},
};

use serde_json::Value;

/// A place with a server's data and an agent's spool and cache.
pub struct Lab {
    folder: tempfile::TempDir,
    address: String,
}

impl Lab {
    /// A fresh one, with a free port for its server.
    pub fn set_up() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        // As root the server's Postgres runs as another user, who must be able to pass.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755))
            .expect("permissions");
        Self {
            folder,
            address: format!("127.0.0.1:{}", free_port()),
        }
    }

    /// A place in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts the server and waits until it answers.
    pub fn serve(&self) -> Server {
        self.serve_by(Command::new(binary("kerncast-server")))
    }

    /// The same with so few open files: now, and at most.
    pub fn serve_with_files(&self, now: u32, most: u32) -> Server {
        let mut prlimit = Command::new("prlimit");
        prlimit
            .arg(format!("--nofile={now}:{most}"))
            .arg(binary("kerncast-server"));
        self.serve_by(prlimit)
    }

    /// The same with validations that were made before; it logs to `log` of this place.
    pub fn serve_with_validations(&self, file: &Path) -> Server {
        let mut server = Command::new(binary("kerncast-server"));
        let log = std::fs::File::create(self.path("log")).expect("a file");
        server.arg("--validations").arg(file).stderr(log);
        // On a busy machine batches of one import are seconds apart.
        server.args(["--fit-after", "5s"]);
        self.serve_by(server)
    }

    fn serve_by(&self, mut server: Command) -> Server {
        let child = server
            .args(["--listen", &self.address, "--data"])
            .arg(self.path("data"))
            .env_remove("DATABASE_URL")
            .env("KERNCAST_FIT_AFTER", "500ms")
            .stdin(Stdio::null())
            .spawn()
            .expect("kerncast-server starts");
        let mut server = Server(child);
        let start = Instant::now();
        while ureq::get(self.url("/readyz")).call().is_err() {
            let ended = server.0.try_wait().expect("status");
            assert!(
                ended.is_none(),
                "the server ended before it was ready: {ended:?}"
            );
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "the server is not ready in 60 s"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        server
    }

    /// `kerncast` with this lab's server, token, spool and cache.
    pub fn kerncast(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary("kerncast"));
        command
            .args(arguments)
            .env("KERNCAST_SERVER", self.url(""))
            .env("KERNCAST_TOKEN_FILE", self.path("data/token"))
            .env("KERNCAST_SPOOL", self.path("spool"))
            .env("KERNCAST_KERNELS", root().join("kernels"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("KERNCAST_STATE", self.path("state"))
            .stdin(Stdio::null());
        command
    }

    /// A file with what shipped devices (files of `data/`) measured of some kernels at their first sizes, and their
    /// ceilings.
    pub fn shipped(&self, devices: &[&str], kernels: &[&str], sizes: usize) -> PathBuf {
        let mut lines = String::new();
        for name in devices {
            let file = root().join(format!("data/{name}.jsonl.zst"));
            let file = std::fs::read(file).expect("shipped");
            let text = zstd::decode_all(file.as_slice()).expect("zstd");
            let mut counts: BTreeMap<[String; 2], usize> = BTreeMap::new();
            for line in String::from_utf8(text).expect("UTF-8").lines() {
                let value: Value = serde_json::from_str(line).expect("JSON");
                let workload = ["kernel", "variant"].map(|it| {
                    let word = value["workload"][it].as_str();
                    word.unwrap_or_default().to_owned()
                });
                let is_small = kernels.contains(&workload[0].as_str()) && {
                    let count = counts.entry(workload).or_default();
                    *count += 1;
                    *count <= sizes
                };
                if is_small || value.get("ceilings").is_some() {
                    lines.push_str(line);
                    lines.push('\n');
                }
            }
        }
        let path = self.path("shipped.jsonl");
        std::fs::write(&path, lines).expect("writes");
        path
    }

    /// The answer's JSON.
    pub fn get(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).expect("JSON")
    }

    /// The answer as it is.
    pub fn text(&self, path: &str) -> String {
        ureq::get(self.url(path))
            .call()
            .unwrap_or_else(|error| panic!("GET {path}: {error}"))
            .body_mut()
            .read_to_string()
            .expect("text")
    }

    /// The answer's JSON.
    pub fn post(&self, path: &str, body: &Value) -> Value {
        ureq::post(self.url(path))
            .send_json(body)
            .unwrap_or_else(|error| panic!("POST {path}: {error}"))
            .body_mut()
            .read_json()
            .expect("JSON")
    }

    /// Every item of a listing, page by page.
    pub fn list(&self, path: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = self.get(&format!("{path}?limit=100{cursor}"));
            items.extend(page["items"].as_array().expect("items").iter().cloned());
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return items,
            }
        }
    }

    /// Of all stored samples; none is there twice.
    pub fn ids(&self) -> BTreeSet<String> {
        let samples = self.list("/v1/samples");
        let ids = samples.iter().map(|it| it["id"].as_str().expect("an id"));
        let ids: BTreeSet<String> = ids.map(str::to_owned).collect();
        assert_eq!(ids.len(), samples.len(), "a sample is there twice");
        ids
    }

    /// How many files of samples, or of what is wrong with them, a folder of it has.
    pub fn spooled(&self, folder: &str) -> usize {
        let Ok(entries) = std::fs::read_dir(self.path(folder)) else {
            return 0;
        };
        let names = entries.map(|entry| entry.expect("entry").file_name());
        let names = names.filter(|name| name.to_string_lossy().ends_with(".json"));
        names.count()
    }

    /// An admin's, as its server has made it.
    pub fn token(&self) -> String {
        let token = std::fs::read_to_string(self.path("data/token"));
        token.expect("the token's file").trim().to_owned()
    }

    /// Of its server: an address and a port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Of its server.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

/// A port that nobody else takes until a lab's server listens on it, however late. Linux gives ports from 32768 on to
/// whoever asks for any (`ip_local_port_range`), so one of those would be taken in between; and each of this process's
/// labs has its own.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = std::process::id() % 100 * 100;
    for _ in 0..100 {
        let of_process = u32::from(NEXT.fetch_add(1, Ordering::Relaxed) % 100);
        let port = u16::try_from(20_000 + first + of_process).expect("below 30000");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port from {} on is free", 20_000 + first);
}

/// A running server; killed when it goes out of scope.
pub struct Server(Child);

impl Server {
    /// The most memory that it has ever taken, bytes.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id()));
        let status = status.expect("Linux's /proc");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = peak.expect("VmHWM").trim().trim_end_matches(" kB");
        1024 * kib.parse::<u64>().expect("a number")
    }

    /// Of its process.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// SIGKILL, and wait until it is gone.
    pub fn kill(mut self) {
        self.0.kill().expect("SIGKILL");
        self.0.wait().expect("wait");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs to the end and demands the exit status.
pub fn expect_exit(mut command: Command, code: i32) -> Output {
    let output = command.output().expect("kerncast starts");
    assert_eq!(
        output.status.code(),
        Some(code),
        "{command:?}\n--- stdout\n{}\n--- stderr\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// This workspace's folder.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("workspace")
}

/// A binary of this workspace, beside the running test: `cargo build --workspace` made it.
#[must_use]
pub fn binary(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("this test's path");
    let path = test.ancestors().nth(2).expect("target/PROFILE").join(name);
    assert!(
        path.exists(),
        "{} is missing: run `cargo build --workspace` first",
        path.display()
    );
    path
}
