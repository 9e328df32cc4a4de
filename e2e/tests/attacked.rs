//! A server under attack keeps its size, answers everybody else, and loses nothing.

use std::{
    io::{Read, Write},
    net::TcpStream,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use kerncast_e2e::Lab;
use serde_json::{Value, json};
use uuid::Uuid;

const MIB: usize = 1 << 20;
/// Connections that ask for nothing.
const IDLE: usize = 10_000;

#[test]
#[ignore = "takes the machine for itself, for minutes: make attacks"]
fn all_attacks_at_once_take_less_than_a_gigabyte() {
    let lab = Lab::set_up();
    let server = lab.serve();
    // For this process's end of the idle connections; where it may not have so many there are fewer.
    let own = std::process::id().to_string();
    let _ = Command::new("prlimit")
        .args(["--nofile=12000:", "--pid", &own])
        .status();
    let token = std::fs::read_to_string(lab.path("data/token")).expect("the token");
    let upload = |body: Vec<u8>| {
        send(
            &lab,
            "/v1/samples",
            "application/json",
            Some(token.trim()),
            body,
        )
    };
    let first_samples = batch((0..24).map(|n| sample(n / 6, n % 6, 3)));
    assert_eq!(upload(first_samples), 200);
    for n in 0..20 {
        assert_eq!(upload(batch([sample(9, n, 100_000)])), 200);
    }
    let before = lab.list("/v1/samples").len();

    let predict =
        |media_type, body: &[u8]| send(&lab, "/v1/predictions", media_type, None, body.to_vec());
    let bodies = Bodies::new();

    let over = AtomicBool::new(false);
    let (slowest, database) = thread::scope(|scope| {
        let watched = scope.spawn(|| slowest_health(&lab, &over));
        let postgres = scope.spawn(|| postgres_peak(&lab, &over));
        let mut attacks: Vec<thread::ScopedJoinHandle<u16>> = Vec::new();
        for _ in 0..3 {
            attacks.push(scope.spawn(|| predict("text/plain", &bodies.rows)));
            attacks.push(scope.spawn(|| predict("text/plain", &bodies.rows[..8 * MIB - 4])));
            attacks.push(scope.spawn(|| predict("text/csv", bodies.wide.as_bytes())));
            attacks.push(scope.spawn(|| predict("application/json", bodies.one_set.as_bytes())));
            attacks.push(scope.spawn(|| predict("application/json", bodies.many_sets.as_bytes())));
            attacks.push(scope.spawn(|| upload(bodies.times.clone().into_bytes())));
            attacks.push(scope.spawn(|| upload(bodies.new_names.clone())));
            attacks.push(scope.spawn(|| predict("application/json", bodies.real_sets.as_bytes())));
            attacks.push(scope.spawn(|| predict("text/plain", &bodies.many_rows)));
            attacks.push(scope.spawn(|| get_listing(&lab)));
            attacks.push(scope.spawn(|| get_repeatedly(&lab, "/v1/samples?format=csv", 1)));
            attacks.push(scope.spawn(|| get_repeatedly(&lab, "/metrics", 20)));
        }
        for _ in 0..20 {
            attacks.push(scope.spawn(|| get_repeatedly(&lab, "/v1/overview", 10)));
        }
        attacks.push(scope.spawn(|| hold_idle_connections(&lab)));
        for attack in attacks {
            let status = attack.join().expect("no attack ends this test");
            assert_ne!(status, 500, "nothing fails");
        }
        over.store(true, Ordering::Relaxed);
        let slowest = watched.join().expect("healthy");
        (slowest, postgres.join().expect("Postgres runs"))
    });
    let peak = server.peak_memory();
    eprintln!(
        "peak {} MiB, Postgres's {} MiB, slowest /healthz {slowest:?}",
        peak >> 20,
        database >> 20
    );
    assert!(peak < 1024 << 20, "{} MiB", peak >> 20);
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");

    let waited = Instant::now();
    while lab.get("/v1/jobs")["pending"] != 0 {
        assert!(
            waited.elapsed() < Duration::from_secs(300),
            "fits go on and on"
        );
        thread::sleep(Duration::from_millis(200));
    }
    assert!(lab.list("/v1/samples").len() >= before, "nothing is lost");
    let answer = lab.post("/v1/predictions", &a_set());
    assert!(answer["predictions"][0]["time_s"].is_number(), "{answer}");
}

/// What attackers send.
struct Bodies {
    /// A table of two million rows, and four times as many.
    rows: Vec<u8>,
    many_rows: Vec<u8>,
    /// Ten thousand counter sets that can be forecast.
    real_sets: String,
    /// A table of long names.
    wide: String,
    /// One set of many counters.
    one_set: String,
    /// Many empty sets, cut off.
    many_sets: String,
    /// A sample of many repetitions.
    times: String,
    /// Samples of names that nobody has used.
    new_names: Vec<u8>,
}

impl Bodies {
    fn new() -> Self {
        let rows = [
            b"device,kernel,variant,time_s\n".to_vec(),
            b"a,b,c,1\n".repeat(2 * MIB),
        ]
        .concat();
        let many_rows = rows.repeat(4);
        let real_sets = json!({ "device": 1, "counter_sets": vec![a_set(); 10_000] }).to_string();
        let names: String = (0..4900)
            .map(|n| format!(",ncu:{}{n}", "x".repeat(200)))
            .collect();
        let wide = format!(
            "device,kernel,variant,time_s{names}\n{}",
            format!("a,b,c,1{}\n", ",1".repeat(4900)).repeat(100)
        );
        let counters: String = (0..600_000).map(|n| format!("\"{n:x}\":1,")).collect();
        let counters = counters.trim_end_matches(',');
        let one_set = format!(r#"{{"device":1,"counters":{{"ncu":{{{counters}}}}}}}"#);
        let many_sets = format!(
            r#"{{"device":1,"counter_sets":[{}"#,
            r#"{"counters":{}},"#.repeat(MIB / 4)
        );
        let times = sample(1, 1, 1)
            .to_string()
            .replace("[0.001]", &format!("[{}1]", "1,".repeat(20 * MIB)));
        let times = format!(r#"{{"samples":[{times}]}}"#);
        let new_names = batch((0..600).map(|n| {
            let mut sample = sample(n, 1, 1);
            let counters: serde_json::Map<String, Value> = (0..4000)
                .map(|name| (format!("{:x}", 4000 * n + name), json!(1)))
                .collect();
            sample["readings"] = json!({ "attack": { "counters": counters } });
            sample
        }));
        Self {
            rows,
            many_rows,
            real_sets,
            wide,
            one_set,
            many_sets,
            times,
            new_names,
        }
    }
}

/// Gets a page of samples.
fn get_listing(lab: &Lab) -> u16 {
    let page = ureq::get(lab.url("/v1/samples?limit=1000")).call();
    let text = page.map(|mut page| page.body_mut().with_config().limit(1 << 30).read_to_vec());
    assert!(
        !matches!(text, Ok(Ok(text)) if text.len() > 16 * MIB),
        "a page has its bounds"
    );
    0
}

/// Opens connections that ask for nothing, or send no more than a part, and leaves them for a while.
fn hold_idle_connections(lab: &Lab) -> u16 {
    let start =
        b"POST /v1/predictions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let open = |n: usize| {
        let mut stream = TcpStream::connect(lab.address()).ok()?;
        stream
            .set_write_timeout(Some(Duration::from_millis(100)))
            .ok()?;
        stream.write_all(&start[..10 + n % 60]).ok()?;
        if n.is_multiple_of(8) {
            stream.write_all(&start[10 + n % 60..]).ok()?;
            stream.write_all(b"content-length: 8000000\r\n\r\n").ok()?;
            let _ = stream.write_all(&vec![b' '; 4 * MIB]);
        }
        Some(stream)
    };
    let open: Vec<TcpStream> = (0..IDLE).filter_map(open).collect();
    thread::sleep(Duration::from_secs(5));
    drop(open);
    0
}

/// Gets a path again and again.
fn get_repeatedly(lab: &Lab, path: &str, times: usize) -> u16 {
    for _ in 0..times {
        let answer = ureq::get(lab.url(path))
            .config()
            .http_status_as_error(false)
            .build();
        if let Ok(mut answer) = answer.call() {
            assert_ne!(answer.status(), 500, "{path}");
            let _ = answer.body_mut().with_config().limit(1 << 30).read_to_vec();
        }
    }
    0
}

#[test]
fn with_few_files_idle_connections_still_lock_nobody_out() {
    let lab = Lab::set_up();
    let _server = lab.serve_with_files(128, 128);
    let mut idle = Vec::new();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(lab.address()).expect("a connection");
        let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
        idle.push(stream);
    }
    assert_eq!(lab.text("/healthz"), "ok\n");
    let mut ended = 0;
    for stream in &mut idle {
        stream
            .set_read_timeout(Some(Duration::from_millis(10)))
            .expect("a timeout");
        ended += usize::from(matches!(stream.read(&mut [0]), Ok(0)));
    }
    assert!(ended >= 100, "{ended} of the idle made room");
}

#[test]
fn a_server_takes_as_many_files_as_it_may_have() {
    let lab = Lab::set_up();
    let server = lab.serve_with_files(128, 2048);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id()));
    let limits = limits.expect("Linux's /proc");
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let files: Vec<&str> = files.expect("a limit").split_whitespace().collect();
    assert_eq!(files[3..5], ["2048", "2048"], "{files:?}");
}

/// The longest that anybody waited for `/healthz`, who asks again where thousands of newcomers took its connection.
fn slowest_health(lab: &Lab, over: &AtomicBool) -> Duration {
    let mut slowest = Duration::ZERO;
    while !over.load(Ordering::Relaxed) {
        let start = Instant::now();
        while let Err(error) = ureq::get(lab.url("/healthz")).call() {
            assert!(matches!(error, ureq::Error::Io(_)), "{error}");
        }
        slowest = slowest.max(start.elapsed());
        thread::sleep(Duration::from_millis(50));
    }
    slowest
}

/// The most memory that Postgres's processes had together, what they share counted once, bytes.
fn postgres_peak(lab: &Lab, over: &AtomicBool) -> u64 {
    let postmaster = std::fs::read_to_string(lab.path("data/postgres/postmaster.pid"));
    let postmaster = postmaster.expect("it runs");
    let postmaster = postmaster.lines().next().expect("its process");
    let mut peak = 0;
    while !over.load(Ordering::Relaxed) {
        let children =
            std::fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children"));
        let children = children.expect("Linux's /proc");
        let all = [postmaster].into_iter().chain(children.split_whitespace());
        let kib = all.filter_map(|process| {
            // A backend may have ended meanwhile.
            let memory = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
            let own = memory.lines().find_map(|line| line.strip_prefix("Pss:"))?;
            own.trim().trim_end_matches(" kB").parse::<u64>().ok()
        });
        peak = peak.max(1024 * kib.sum::<u64>());
        thread::sleep(Duration::from_millis(200));
    }
    peak
}

/// A counter set that the models have forecasts for.
fn a_set() -> Value {
    json!({ "counters": { "oclgrind": { "load_global": 2500.0, "store_global": 40.0 } } })
}

/// The status of the answer, 0 where the connection was cut.
fn send(lab: &Lab, path: &str, media_type: &str, token: Option<&str>, body: Vec<u8>) -> u16 {
    let mut request = ureq::post(lab.url(path))
        .config()
        .http_status_as_error(false)
        .build()
        .header("content-type", media_type);
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    request
        .send(body)
        .map_or(0, |answer| answer.status().as_u16())
}

fn batch(samples: impl IntoIterator<Item = Value>) -> Vec<u8> {
    let samples: Vec<Value> = samples.into_iter().collect();
    json!({ "samples": samples }).to_string().into_bytes()
}

fn sample(kernel: u32, n: u32, repetitions: usize) -> Value {
    let loads = f64::from(1000 * (n + 1));
    json!({
        "id": Uuid::now_v7(),
        "measured_at": "2026-11-01T12:00:00Z",
        "agent": { "name": "attacker", "version": "0" },
        "device": { "vendor": "Vendor", "name": "Device", "kind": "cpu" },
        "workload": { "kernel": format!("kernel_{kernel}"), "variant": "global", "parameters": { "n": n } },
        "times": { "repetitions_s": vec![0.001 * f64::from(n + 1); repetitions] },
        "readings": { "oclgrind": { "counters": { "load_global": loads, "store_global": f64::from(n * n + kernel) } } },
    })
}
