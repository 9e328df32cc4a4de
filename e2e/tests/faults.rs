//! A database that is stopped and disks without room: who asks is told, nothing is lost, and all goes on by itself.

use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use kerncast_e2e::{Lab, binary, expect_exit};
use serde_json::{Value, json};
use uuid::Uuid;

const MIB: u64 = 1 << 20;

#[test]
fn while_postgres_is_stopped_everybody_is_told_in_seconds_and_nothing_is_lost() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let mut acknowledged = upload(&lab).expect("stored");

    let postgres = Stopped::all_of(&lab);
    thread::scope(|scope| {
        for path in ["/v1/samples", "/v1/overview", "/readyz", "/v1/jobs"] {
            let lab = &lab;
            scope.spawn(move || {
                let (took, status, retry) = timed(|| get(lab, path));
                assert_eq!((status, retry), (503, true), "{path}");
                assert!(took < Duration::from_secs(9), "{path} took {took:?}");
            });
        }
        scope.spawn(|| {
            let (took, status, retry) = timed(|| post(&lab, &samples()).0);
            assert_eq!((status, retry), (503, true), "an upload");
            assert!(took < Duration::from_secs(9), "an upload took {took:?}");
        });
        assert_eq!(lab.text("/healthz"), "ok\n");
    });
    thread::sleep(Duration::from_secs(5));
    drop(postgres);

    wait("it is ready", || get(&lab, "/readyz").0 == 200);
    acknowledged.extend(upload(&lab).expect("stored"));
    assert!(acknowledged.is_subset(&lab.ids()), "samples are lost");
    wait("everything is fitted", || {
        let jobs = lab.get("/v1/jobs");
        let jobs = jobs["items"].as_array().expect("jobs");
        assert!(jobs.iter().all(|job| job["attempts"] == 0), "{jobs:?}");
        jobs.is_empty()
    });
    assert!(!lab.list("/v1/models").is_empty());
}

#[test]
fn an_upload_for_which_a_busy_server_has_no_memory_is_stored_when_it_has() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let token = lab.token();
    // Bodies that never end have all the memory that there is for bodies.
    let bodies = [(); 2].map(|()| {
        let mut stream = TcpStream::connect(lab.address()).expect("connects");
        let head = format!(
            "POST /v1/samples HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            lab.address(),
            token,
            64 * MIB
        );
        stream.write_all(head.as_bytes()).expect("sent");
        stream
    });
    // What was sent is read, too.
    thread::sleep(Duration::from_secs(1));
    let samples: Vec<Value> = (0..24).map(|n| sample(n, 300)).collect();
    fs::create_dir_all(lab.path("spool")).expect("a folder");
    keep(&lab, &samples);
    let mut upload = lab.kerncast(&["upload"]).spawn().expect("starts");
    thread::sleep(Duration::from_secs(2));
    let ended = upload.try_wait().expect("its state");
    assert!(ended.is_none(), "it does not wait: {ended:?}");
    assert!(lab.list("/v1/samples").is_empty());
    drop(bodies);
    assert!(upload.wait().expect("ends").success());
    assert_eq!(lab.list("/v1/samples").len(), 24);
}

#[test]
fn a_disk_that_fills_is_told_of_beforehand_and_takes_uploads_again_when_it_has_room() {
    let lab = Lab::set_up();
    let Some(disk) = Disk::mount(&lab.path("data"), 4096 * MIB) else {
        return;
    };
    let server = lab.serve();
    let mut acknowledged = upload(&lab).expect("stored");
    assert_eq!(attention(&lab), [] as [String; 0]);

    disk.leave(1024 * MIB);
    assert_eq!(attention(&lab), ["disk_low"], "before anything is refused");
    acknowledged.extend(upload(&lab).expect("stored"));
    assert_eq!(get(&lab, "/readyz").0, 200);

    disk.leave(100 * MIB);
    assert_eq!(upload(&lab).expect_err("no room"), 507);
    assert_eq!(get(&lab, "/readyz").0, 503);
    assert_eq!(attention(&lab), ["disk_low"]);
    assert_eq!(lab.ids(), acknowledged, "reading goes on");

    disk.leave(4096 * MIB);
    assert_eq!(get(&lab, "/readyz").0, 200);
    acknowledged.extend(upload(&lab).expect("stored"));

    // Not a byte is left, and the power fails.
    disk.leave(0);
    assert_eq!(upload(&lab).expect_err("no room"), 507);
    server.kill();
    let mut start = Command::new(binary("kerncast-server"));
    start
        .args(["--listen", lab.address(), "--data"])
        .arg(lab.path("data"))
        .env_remove("DATABASE_URL");
    let message = String::from_utf8(expect_exit(start, 1).stderr).expect("text");
    let folder = lab.path("data").display().to_string();
    for word in [&folder, "0 MiB", "64 MiB"] {
        assert!(message.contains(word), "{message}");
    }

    disk.leave(4096 * MIB);
    let server = lab.serve();
    assert_eq!(lab.ids(), acknowledged);
    upload(&lab).expect("stored");
    server.kill();
}

#[test]
fn a_full_spool_is_uploaded_before_anything_is_measured() {
    let lab = Lab::set_up();
    let Some(disk) = Disk::mount(&lab.path("spool"), 64 * MIB) else {
        return;
    };
    let waiting: Vec<Value> = (0..8).map(|n| sample(n, 50_000)).collect();
    keep(&lab, &waiting);
    // With less than eight mebibytes a spool is full; what waits there has four.
    disk.leave(6 * MIB);
    let run = || {
        lab.kerncast(&[
            "run",
            "--no-ceilings",
            "--no-microbenchmark",
            "--first-sizes",
            "1",
            "--provider",
            "launch",
            "--kernel",
            "vector_copy",
        ])
    };
    // The token is made at the first start.
    lab.serve().kill();
    expect_exit(run(), 75);
    assert_eq!(lab.spooled("spool"), waiting.len(), "nothing is measured");

    let _server = lab.serve();
    let message = String::from_utf8(expect_exit(run(), 0).stderr).expect("text");
    assert!(message.contains("uploading before measuring"), "{message}");
    let stored_ids = lab.ids();
    let waited = waiting.iter().all(|it| stored_ids.contains(id(it)));
    assert!(waited && stored_ids.len() > waiting.len(), "{message}");
    assert_eq!(lab.spooled("spool"), 0);
}

#[test]
fn what_a_wrong_clock_got_refused_is_sent_again_when_its_time_is_past() {
    let lab = Lab::set_up();
    fs::create_dir(lab.path("spool")).expect("a folder");
    let _server = lab.serve();
    let mut ahead = sample(1, 3);
    // The agent's clock is two days ahead, or the server's behind.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("now");
    ahead["measured_at"] = json!(utc(now + Duration::from_secs(2 * 86_400)));
    keep(&lab, std::slice::from_ref(&ahead));
    expect_exit(lab.kerncast(&["upload"]), 1);
    assert_eq!((lab.spooled("spool"), lab.ids().len()), (0, 0));
    expect_exit(lab.kerncast(&["upload"]), 0);
    let aside = lab
        .path("spool/rejected")
        .join(format!("{}.json", id(&ahead)));
    assert!(aside.exists(), "its time has not come");

    // Two days later.
    let text = fs::read_to_string(&aside).expect("it is there");
    let then = ahead["measured_at"].as_str().expect("text");
    fs::write(&aside, text.replace(then, &utc(now))).expect("written");
    expect_exit(lab.kerncast(&["upload"]), 0);
    assert_eq!(lab.ids(), BTreeSet::from([id(&ahead).to_owned()]));
    assert_eq!(lab.spooled("spool/rejected"), 0);
}

/// Postgres, all of it, stopped until this is dropped.
struct Stopped(Vec<String>);

impl Stopped {
    fn all_of(lab: &Lab) -> Self {
        let postmaster = fs::read_to_string(lab.path("data/postgres/postmaster.pid"));
        let postmaster = postmaster.expect("it runs");
        let postmaster = postmaster.lines().next().expect("its process").to_owned();
        let backends = format!("/proc/{postmaster}/task/{postmaster}/children");
        let backends = fs::read_to_string(backends).expect("Linux's /proc");
        let backends = backends.split_whitespace().map(str::to_owned);
        let all = Self([postmaster].into_iter().chain(backends).collect());
        all.signal("-STOP");
        all
    }

    fn signal(&self, signal: &str) {
        let mut kill = Command::new("kill");
        kill.arg(signal).args(&self.0);
        // A backend may have ended by itself.
        kill.stderr(Stdio::null()).status().expect("kill");
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        self.signal("-CONT");
    }
}

/// A disk of its own: a file system in memory, which is as large as it is told to be.
struct Disk(PathBuf);

impl Disk {
    /// None where this process may not mount.
    fn mount(folder: &Path, bytes: u64) -> Option<Self> {
        fs::create_dir_all(folder).expect("a folder");
        let disk = Self(folder.to_owned());
        if disk.mounted(&format!("size={bytes},mode=755")) {
            return Some(disk);
        }
        eprintln!("skipped: a disk to fill has to be mounted, and only root may do that");
        None
    }

    /// Leaves so many bytes free.
    fn leave(&self, bytes: u64) {
        let blocks = Command::new("stat")
            .args(["--file-system", "--format=%b %f %S"])
            .arg(&self.0)
            .output()
            .expect("stat");
        let blocks = String::from_utf8(blocks.stdout).expect("text");
        let mut numbers = blocks
            .split_whitespace()
            .map(|it| it.parse::<u64>().expect("a number"));
        let mut next = || numbers.next().expect("three numbers");
        let used_bytes = (next() - next()) * next();
        assert!(self.mounted(&format!("remount,size={}", used_bytes + bytes)));
    }

    fn mounted(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "kerncast-test"]);
        let status = mount.arg(&self.0).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: whatever a failed test has left there still runs.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// How long it took, and a status with whether it says when to come again.
fn timed(ask: impl FnOnce() -> (u16, bool)) -> (Duration, u16, bool) {
    let start = Instant::now();
    let (status, retry) = ask();
    (start.elapsed(), status, retry)
}

fn wait(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{what} not in 60 s"
        );
        thread::sleep(Duration::from_millis(100));
    }
}

/// A status, and whether the answer says when to come again.
fn get(lab: &Lab, path: &str) -> (u16, bool) {
    let request = ureq::get(lab.url(path))
        .config()
        .http_status_as_error(false)
        .build();
    let answer = request.call().expect("an answer");
    (
        answer.status().as_u16(),
        answer.headers().contains_key("retry-after"),
    )
}

/// The same of an upload, and what it says.
fn post(lab: &Lab, samples: &[Value]) -> ((u16, bool), Value) {
    let request = ureq::post(lab.url("/v1/samples"))
        .config()
        .http_status_as_error(false)
        .build();
    let mut answer = request
        .header("authorization", format!("Bearer {}", lab.token()))
        .send_json(json!({ "samples": samples }))
        .expect("an answer");
    let retry = answer.headers().contains_key("retry-after");
    let status = answer.status().as_u16();
    (
        (status, retry),
        answer.body_mut().read_json().expect("JSON"),
    )
}

/// Uploads new samples: their ids, or the status where they are not stored.
fn upload(lab: &Lab) -> Result<BTreeSet<String>, u16> {
    let samples = samples();
    let ((status, _), answer) = post(lab, &samples);
    if status != 200 {
        return Err(status);
    }
    assert_eq!(answer["stored"], samples.len(), "{answer}");
    Ok(samples.iter().map(|it| id(it).to_owned()).collect())
}

/// Samples into the spool.
fn keep(lab: &Lab, samples: &[Value]) {
    for sample in samples {
        let path = lab.path("spool").join(format!("{}.json", id(sample)));
        fs::write(path, sample.to_string()).expect("written");
    }
}

fn attention(lab: &Lab) -> Vec<String> {
    let overview = lab.get("/v1/overview");
    let attention = overview["attention"].as_array().expect("attention").iter();
    let kinds = attention.map(|it| it["because"]["kind"].as_str().expect("a kind").to_owned());
    kinds.filter(|kind| kind.starts_with("disk")).collect()
}

fn id(sample: &Value) -> &str {
    sample["id"].as_str().expect("an id")
}

fn samples() -> Vec<Value> {
    (0..24).map(|n| sample(n, 3)).collect()
}

/// Number `n` of those that could be real, with so many repetitions.
fn sample(n: u32, repetitions: usize) -> Value {
    let loads = f64::from(1000 * (n % 6 + 1) + 100 * (n / 6));
    json!({
        "id": Uuid::now_v7(),
        "measured_at": "2026-11-01T12:00:00Z",
        "agent": { "name": "test", "version": "0.1.0" },
        "device": { "vendor": "Vendor", "name": "Device", "kind": "cpu" },
        "workload": { "kernel": format!("kernel_{}", n / 6), "variant": "global", "parameters": { "n": n } },
        "times": { "repetitions_s": vec![1e-3 + 1e-6 * loads; repetitions] },
        "readings": { "oclgrind": { "counters": { "load_global": loads, "store_global": 10 + n * n } } },
    })
}

/// RFC 3339, by `date`.
fn utc(since_1970: Duration) -> String {
    let seconds = format!("@{}", since_1970.as_secs());
    let date = Command::new("date")
        .args(["--utc", "--date", &seconds, "+%Y-%m-%dT%H:%M:%SZ"])
        .output();
    String::from_utf8(date.expect("date").stdout)
        .expect("text")
        .trim()
        .to_owned()
}
