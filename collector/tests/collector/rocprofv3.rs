//! The provider `rocprofv3` with a stand-in for the tool, which needs an AMD GPU (tests/rocprofv3.sh):
//! it runs what it is asked to run on this machine's first device, and writes captured rows with the
//! names of what was launched and asked for.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use crate::common::{Place, fixture};
use kerncast_collector::{
    child::Children,
    device::AMD,
    providers::{CountedWorkload, Profiler, Provider, Rocprofv3, rocprofv3::Rocprof},
    replay::{Batch, Through, replay},
    workload::{Workload, WorkloadKey},
};
use kerncast_opencl::{DeviceFacts, devices};
use kerncast_suite::{self as suite, Kernel, Parameters};
use kerncast_wire::Reading;

const SCALE: &str = "kernels/scale";
/// Counters that are asked for: the catalogue's, without metrics derived from several.
const COUNTERS: usize = 60;
/// The check alone, and five with all others.
const PASSES: usize = 6;

/// A script in place of rocprofv3: `quirk` is run in it before the program.
fn stand_in(place: &Place, quirk: &str) -> PathBuf {
    let script = include_str!("../rocprofv3.sh");
    let captured = Path::new(env!("CARGO_MANIFEST_DIR")).join("../profilers/tests/captured");
    let script = script
        .replace("@KERNCAST@", env!("CARGO_BIN_EXE_kerncast"))
        .replace("@CAPTURED@", captured.to_str().expect("UTF-8"))
        .replace("@ASKED@", place.path("asked").to_str().expect("UTF-8"))
        .replace("@QUIRK@", quirk);
    let (text, path) = (place.path("rocprofv3.sh"), place.path("rocprofv3"));
    fs::write(&text, script).expect("writes");
    // Another process writes what is run: a child that another test starts meanwhile would inherit a
    // file that this one has open for writing, and Linux runs no such file (ETXTBSY).
    let mut install = Command::new("install");
    let installed = install.args(["-m", "755"]).args([&text, &path]).status();
    assert!(installed.expect("coreutils").success());
    path
}

/// What the stand-in was asked to count, a line a pass.
fn requested_counters(place: &Place) -> Vec<String> {
    let text = fs::read_to_string(place.path("asked")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// The machine's first device, as if AMD's driver gave it.
fn device() -> DeviceFacts {
    let mut facts = devices().expect("a device").remove(0).facts;
    facts.vendor = AMD.to_owned();
    facts
}

/// Readings of three workloads, in order, as a collection asks for them; and what was asked after the
/// first.
fn read_with(quirk: &str) -> (Vec<Reading>, Vec<String>, usize) {
    let place = Place::new();
    let rocprof = Rocprof::at(stand_in(&place, quirk)).expect("says its version");
    assert_eq!(rocprof.version(), "1.0.0 (ROCm 7.0.2)");
    let (children, device) = (Children::new().expect("a folder"), device());
    let provider = Rocprofv3::new(&children, Ok(rocprof));
    let kernel = &suite::load(Path::new(&fixture(SCALE))).expect("loads")[0];
    let workloads = [("global", 256), ("local", 256), ("global", 1024)];
    let workloads = workloads.map(|(variant, n)| workload(kernel, variant, n));
    let mut readings = Vec::new();
    let mut first_passes = 0;
    for (place_of, workload) in workloads.iter().enumerate() {
        let launch = workload.launch().expect("valid");
        let subject = CountedWorkload {
            device: &device,
            workload,
            rest: &workloads[place_of + 1..],
            launch: &launch,
            local_bytes: 0,
        };
        readings.push(provider.read(subject, Duration::from_secs(60)));
        if place_of == 0 {
            first_passes = requested_counters(&place).len();
        }
    }
    (readings, requested_counters(&place), first_passes)
}

fn workload<'k>(kernel: &'k Kernel, variant: &str, n: i64) -> Workload<'k> {
    Workload {
        kernel,
        variant: kernel.variant(variant).expect("the variant"),
        parameters: Parameters::from([("n".to_owned(), n)]),
    }
}

fn refusals(readings: &[Reading]) -> Vec<&str> {
    let refusals = readings
        .iter()
        .map(|it| it.refusal.as_deref().unwrap_or("none"));
    refusals.collect()
}

/// What the stand-in says of a counter in the launch with this number.
fn expected(dispatch: usize, counter: &str) -> f64 {
    (dispatch * 1000 + counter.len()) as f64
}

#[test]
fn passes_are_merged_and_workloads_share_processes() {
    // A chip like MI300, which has other names for some counters.
    let (readings, passes, first_passes) = read_with("unknown='TCC_EA_*'");
    assert_eq!(refusals(&readings), ["none"; 3]);
    // The first workload alone, to see which passes work; then the others together.
    assert_eq!((first_passes, passes.len()), (PASSES, 2 * PASSES));
    for (reading, dispatch) in readings.iter().zip([1, 1, 2]) {
        let counters: &BTreeMap<String, f64> = &reading.counters;
        assert_eq!(counters.len(), COUNTERS + 1);
        for (name, value) in [
            ("SQ_WAVES", 16_384.0),
            ("SQ_INSTS_LDS", expected(dispatch, "SQ_INSTS_LDS")),
            ("TCC_HIT_sum", expected(dispatch, "TCC_HIT_sum")),
            ("TCC_EA_RDREQ_sum", expected(dispatch, "TCC_EA0_RDREQ_sum")),
            ("kernel_trace.duration", 11_640.0),
        ] {
            assert!(
                (counters[name] - value).abs() < 1e-6,
                "{name}: {}",
                counters[name]
            );
        }
    }
    assert!(
        passes.iter().all(|pass| pass.starts_with("SQ_WAVES")),
        "{passes:?}"
    );
}

#[test]
fn an_older_schema_is_read() {
    // No chip has both of a counter's names.
    let (readings, ..) = read_with("schema=older; unknown='TCC_EA0_*'");
    assert_eq!(refusals(&readings), ["none"; 3]);
    assert_eq!(readings[2].counters.len(), COUNTERS + 1);
}

#[test]
fn a_pass_that_asks_too_much_is_split_once_and_for_all() {
    let (readings, passes, first_passes) = read_with(
        "unknown='TCC_EA0_*'; case $counters in *SQ_INSTS_MFMA*) exceeds;; esac; [ $(echo $counters | wc -w) -le 6 ] || exceeds",
    );
    assert_eq!(refusals(&readings), ["none"; 3]);
    for reading in &readings {
        assert_eq!(
            reading.counters.len(),
            COUNTERS,
            "all but one, and the duration"
        );
        assert_eq!(reading.counters.get("SQ_INSTS_MFMA"), None);
    }
    let later = &passes[first_passes..];
    let fits = |pass: &String| pass.split_whitespace().count() <= 6;
    assert!(later.iter().all(fits), "{later:?}");
}

#[test]
fn passes_that_saw_other_launches_are_refused() {
    let (readings, ..) = read_with("case $counters in *TCC_HIT_sum*) waves='16384 16385';; esac");
    let differ = "SQ_WAVES is 16384 in one pass and 16385 in another";
    for (refusal, expected) in refusals(&readings).iter().zip(["none", "none", differ]) {
        assert!(refusal.starts_with(expected), "{refusal}");
    }
    assert!(readings[2].counters.is_empty());
}

#[test]
fn what_rocprofv3_did_not_give_is_said() {
    for (quirk, says) in [
        ("schema=zeros", "RDNA gates its counters' clock"),
        (
            "schema=none",
            "rocprofv3 ended with exit status 0 (its last words: W1 tool.cpp: nothing to write) and \
             wrote no counter_collection.csv",
        ),
        ("schema=header", "no kernel launches in this rocprofv3 file"),
        (
            "schema=foreign",
            "unknown format, first line `Dispatch,Kernel`",
        ),
        (
            "launches=2",
            "there are 2 launches of our kernels, and 1 were made",
        ),
        (
            "echo 'E1 hsa.cpp: HSA_STATUS_ERROR' >&2; kill -SEGV $$",
            "rocprofv3 ended with signal: 11",
        ),
    ] {
        let (readings, ..) = read_with(quirk);
        for (reading, refusal) in readings.iter().zip(refusals(&readings)) {
            assert!(refusal.contains(says), "{quirk}: {refusal}");
            assert!(reading.counters.is_empty(), "{quirk}");
        }
    }
}

#[test]
fn what_a_profiler_leaves_behind_is_ended() {
    let place = Place::new();
    let pid = place.path("pid");
    let leave = format!("sleep 1000 & echo $! > {}; exit 3", pid.display());
    let before = ["/bin/sh", "-c", &leave].map(Into::into);
    let children = Children::new().expect("a folder");
    let workload = WorkloadKey {
        folder: fixture(SCALE).into(),
        variant: "global".to_owned(),
        parameters: Parameters::from([("n".to_owned(), 256)]),
    };
    let limit = Duration::from_secs(60);
    let batch = Batch {
        children: &children,
        device: 0,
        workloads: &[workload],
        limit,
    };
    let ended = replay(batch, &before, Through::OpenCl).expect("starts");
    assert_eq!(ended.status.and_then(|status| status.code()), Some(3));
    assert!(ended.outcomes.is_empty());
    let pid = fs::read_to_string(pid).expect("it was started");
    let stat = PathBuf::from(format!("/proc/{}/stat", pid.trim()));
    let is_alive = || fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    // Killed, it may take its time to die. It would have slept for longer.
    let start = Instant::now();
    while is_alive() && start.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(10));
    }
    assert!(!is_alive());
}
