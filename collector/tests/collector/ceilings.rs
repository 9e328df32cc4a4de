//! What this machine's CPU can do at most, by PoCL: real measurements, and orders of magnitude that any
//! CPU keeps to.

use std::{collections::BTreeSet, ops::RangeInclusive};

use crate::common::{Place, expect_exit, fixture, text};
use kerncast_collector::spool::Spool;
use kerncast_wire::NewCeilings;
use serde_json::Value;

const GIGA: f64 = 1e9;
/// From a slow and busy core to the largest servers.
const PLAUSIBLE: [(&str, RangeInclusive<f64>); 8] = [
    ("copy_bytes_per_s", 0.1 * GIGA..=10e3 * GIGA),
    ("host_to_device_bytes_per_s", 0.1 * GIGA..=10e3 * GIGA),
    ("device_to_host_bytes_per_s", 0.1 * GIGA..=10e3 * GIGA),
    ("fp32_flop_per_s", GIGA..=100e3 * GIGA),
    ("fp64_flop_per_s", 0.5 * GIGA..=100e3 * GIGA),
    ("int32_op_per_s", 0.5 * GIGA..=100e3 * GIGA),
    ("local_bytes_per_s", GIGA..=1e6 * GIGA),
    ("launch_latency_s", 1e-8..=1e-2),
];

fn assert_plausible(named: &Value) {
    let ceilings = &named["ceilings"]["ceilings"];
    for (name, range) in PLAUSIBLE {
        let value = ceilings[name].as_f64();
        // On a busy machine, after a second attempt: what is doubtful is no ceiling.
        let missing = named["missing"][name].as_str();
        if missing.is_some_and(|why| why.starts_with("doubtful: ")) {
            assert!(value.is_none() && named["ways"][name].is_null(), "{named}");
            continue;
        }
        assert!(
            value.is_some_and(|value| range.contains(&value)),
            "{name}: {value:?}, {}",
            named["missing"][name]
        );
        assert!(named["ways"][name][0]["value"] == ceilings[name], "{named}");
    }
}

#[test]
fn all_are_measured_and_wait_in_the_spool() {
    let place = Place::new();
    let output = expect_exit(place.kerncast(&["ceilings", "--json", "--no-upload"]), 0);
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON alone on stdout");
    let printed = printed.as_array().expect("one a device");
    let spool = Spool::open(&place.path("spool")).expect("opens");
    let files = spool.ceilings().expect("lists");
    assert_eq!(files.len(), printed.len());
    assert!(spool.samples().expect("lists").is_empty(), "no sample");
    for (file, printed) in files.iter().zip(printed) {
        assert_plausible(printed);
        let spooled = spool.read::<NewCeilings>(file).expect("there").content;
        let sent: NewCeilings =
            serde_json::from_value(printed["ceilings"].clone()).expect("as it is sent");
        assert_eq!(spooled.expect("whole"), sent);
        assert!(sent.provenance.driver_version.is_some());
    }
}

#[test]
fn a_run_measures_them_before_its_workloads() {
    let place = Place::new();
    let scale = fixture("kernels/scale");
    let arguments = [
        "--json",
        "--no-upload",
        "--no-microbenchmark",
        "--provider",
        "launch",
        "--budget",
        "60s",
        "--kernels",
        &scale,
    ];
    let output = expect_exit(place.run(&arguments), 0);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON alone on stdout");
    let device = |value: &Value| value["device"]["name"].as_str().map(str::to_owned);
    let all = report["ceilings"].as_array().expect("ceilings");
    for named in all {
        assert_plausible(named);
    }
    let with_ceilings: BTreeSet<_> = all.iter().map(|it| device(&it["ceilings"])).collect();
    let rows = report["rows"].as_array().expect("rows");
    let with_samples: BTreeSet<_> = rows.iter().map(|row| device(&row["sample"])).collect();
    assert_eq!(with_ceilings, with_samples);
    let newest = |kind: &str| all_ids(&place, kind).last().cloned();
    assert!(
        all_ids(&place, "ceilings").first() < newest("json").as_ref(),
        "ids begin with their time"
    );
}

#[test]
fn a_simulator_has_none() {
    let place = Place::new();
    let mut command = place.kerncast(&["ceilings", "--device", "0"]);
    command.env("OPENCL_DYLIB_PATH", "/usr/lib/oclgrind/liboclgrind-rt.so");
    let output = expect_exit(command, 2);
    assert!(text(&output.stderr).contains("a simulator's times mean nothing"));
}

/// The names of the spool's files of a kind, oldest first.
fn all_ids(place: &Place, kind: &str) -> Vec<String> {
    let spool = Spool::open(&place.path("spool")).expect("opens");
    let files = if kind == "json" {
        spool.samples()
    } else {
        spool.ceilings()
    };
    let names = files.expect("lists").into_iter();
    names
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect()
}
