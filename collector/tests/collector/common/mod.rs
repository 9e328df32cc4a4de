//! `kerncast` as a person runs it, with a spool and a cache that go away.

pub(crate) mod npy;
pub(crate) mod run_once;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
};

use kerncast_opencl::{DeviceKind, devices};
use kerncast_primitives::{
    ElementType, ForecastAndTime, MoveRate, RateLine, StreamCheck, StreamRates, StreamStart,
    StreamWay, StreamWork, TimedWork,
};
use serde_json::Value;

/// A place for one test.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `kerncast` with this place's spool and cache, and no server; a run of workloads alone.
    pub(crate) fn kerncast(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kerncast"));
        command.args(arguments);
        if arguments.first() == Some(&"run") {
            command.args(["--no-ceilings", "--no-microbenchmark"]);
        }
        self.surround(command)
    }

    /// [Workloads alone](Self::kerncast), of a folder of kernels, with these further arguments: neither counted nor
    /// uploaded, and its rows on stdout.
    pub(crate) fn times(&self, kernels: &str, further: &[&str]) -> Command {
        let mut arguments = vec!["run", "--json", "--no-upload", "--provider", "launch"];
        arguments.extend(["--kernels", kernels]);
        arguments.extend(further);
        self.kerncast(&arguments)
    }

    /// `kerncast run` as it is, its ceilings and microbenchmark too.
    pub(crate) fn run(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kerncast"));
        command.arg("run").args(arguments);
        self.surround(command)
    }

    fn surround(&self, mut command: Command) -> Command {
        command
            .env("KERNCAST_SPOOL", self.path("spool"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("KERNCAST_STATE", self.path("state"))
            .env("POCL_CACHE_DIR", self.path("pocl"))
            .env_remove("KERNCAST_SERVER")
            .env_remove("KERNCAST_KERNELS")
            .stdin(Stdio::null());
        fs::create_dir_all(self.path("pocl")).expect("PoCL's cache");
        command
    }

    /// The spool's samples.
    pub(crate) fn spooled(&self) -> Vec<Value> {
        let Ok(entries) = fs::read_dir(self.path("spool")) else {
            return Vec::new();
        };
        let paths = entries.map(|entry| entry.expect("entry").path());
        paths
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .map(|path| serde_json::from_slice(&fs::read(path).expect("reads")).expect("JSON"))
            .collect()
    }
}

/// Runs to the end and demands the exit status.
pub(crate) fn expect_exit(mut command: Command, code: i32) -> Output {
    let output = command.output().expect("starts");
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(
        output.status.code(),
        Some(code),
        "{command:?}\n{stdout}\n{stderr}"
    );
    output
}

/// The rows of `kerncast run --json`: at least one, so that a test of each row is a test.
pub(crate) fn rows(output: &Output) -> Vec<Value> {
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON alone on stdout");
    let rows = report["rows"].as_array().expect("rows").clone();
    assert!(!rows.is_empty(), "nothing was run: {report}");
    rows
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder below `tests/`.
pub(crate) fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name);
    path.to_str().expect("UTF-8").to_owned()
}

/// Rates of the first device where `kerncast` keeps its own: round ones, as measuring them takes minutes.
pub(crate) fn keep_rates(place: &Place) {
    let facts = devices().expect("an OpenCL device").remove(0).facts;
    let line = RateLine {
        bytes_per_s: 1e9,
        piece_s: 1e-6,
    };
    let moved = |way| MoveRate {
        way,
        to_device: line,
        from_device: line,
        both: line,
    };
    let started = |work| StreamStart {
        work,
        new_s: 0.2,
        kept_s: 0.01,
    };
    let mut checks = Vec::new();
    for (by, trip_count) in [
        ("mapped", 1),
        ("staged", 1),
        ("staged", 2),
        ("file", 1),
        ("file", 2),
    ] {
        checks.extend(checks_of(by, trip_count));
    }
    for by in ["one core", "all cores"] {
        checks.extend(checks_of(by, 0));
    }
    let rates = StreamRates {
        device: facts.name.clone(),
        driver: facts.driver_version,
        is_host: facts.kind == DeviceKind::Cpu,
        threads: thread::available_parallelism().map_or(1, usize::from),
        copying_threads: 2,
        pinning_bytes_per_s: 1e9,
        trip_s: 1e-4,
        chunk_s: 1e-5,
        mapped_chunk_s: Some(1e-5),
        allocating_bytes_per_s: Some(1e10),
        starts: StreamWork::ALL.map(started).into(),
        moves: [StreamWay::Staged, StreamWay::Pinned, StreamWay::File]
            .map(moved)
            .into(),
        kernels: timed(1e-9),
        one_core: timed(4e-8),
        all_cores: timed(2e-8),
        checks,
        ..StreamRates::default()
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = rates.device.chars().map(plain).collect();
    let folder = place.path("cache/kerncast/streams");
    fs::create_dir_all(&folder).expect("a folder");
    let json = serde_json::to_vec(&rates).expect("JSON");
    fs::write(folder.join(format!("{name}.json")), json).expect("written");
}

/// So many seconds an element.
fn timed(each_s: f64) -> Vec<TimedWork> {
    let of = |(work, elements): (StreamWork, u32)| TimedWork {
        work,
        element: element(work),
        elements: elements.into(),
        seconds: f64::from(elements) * each_s,
    };
    let lengths = |work| [(work, 1 << 10), (work, 1 << 20)];
    StreamWork::ALL
        .into_iter()
        .flat_map(lengths)
        .map(of)
        .collect()
}

/// Of arrays of 16 KiB to 1 MiB, which took a tenth longer than was forecast.
fn checks_of(by: &str, trip_count: usize) -> Vec<StreamCheck> {
    let took = ForecastAndTime {
        forecast_s: 1.0,
        measured_s: 1.1,
    };
    let of = |(work, elements)| StreamCheck {
        work,
        element: element(work),
        elements,
        by: by.to_owned(),
        trip_count,
        forecast_s: took.forecast_s,
        measured_s: took.measured_s,
        first: (trip_count > 0).then_some(took),
    };
    let lengths = |work| [(work, 1 << 12), (work, 1 << 16), (work, 1 << 18)];
    StreamWork::ALL
        .into_iter()
        .flat_map(lengths)
        .map(of)
        .collect()
}

fn element(work: StreamWork) -> ElementType {
    match work {
        StreamWork::Sine => ElementType::F64,
        _ => ElementType::U32,
    }
}
