//! `kerncast doctor`, and `ncu` where there is nothing for it to count. What it counts is in
//! docs/counters.md; how replays are made is tested on captured PTX (ptx.rs).

use std::{fs, process};

use crate::common::{Place, expect_exit, fixture, rows, text};
use kerncast_collector::{
    replay::{Outcome, ReplayRequest, Through},
    workload::WorkloadKey,
};
use kerncast_suite::Parameters;

const SCALE: &str = "kernels/scale";
/// Only PoCL, also where there is a GPU.
const POCL: (&str, &str) = ("OCL_ICD_VENDORS", "/etc/OpenCL/vendors/pocl.icd");

#[test]
fn the_doctor_says_what_is_there() {
    let place = Place::new();
    let mut command = place.kerncast(&["doctor"]);
    command.env(POCL.0, POCL.1);
    let stdout = text(&expect_exit(command, 0).stdout);
    let lines: Vec<Vec<&str>> = stdout
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    for (line, what) in lines
        .iter()
        .zip(["OpenCL", "oclgrind", "clang", "ncu", "rocprofv3"])
    {
        assert_eq!(line[..2], ["good", what], "{stdout}");
    }
    assert_eq!(lines[1][2..], ["Oclgrind", "21.10"], "{stdout}");
    assert!(stdout.contains("there is no NVIDIA device"), "{stdout}");
    assert!(stdout.contains("there is no AMD device"), "{stdout}");
}

#[test]
fn the_doctor_says_what_is_missing_and_what_to_do() {
    let place = Place::new();
    let mut command = place.kerncast(&["doctor"]);
    command
        .env(POCL.0, POCL.1)
        .env("KERNCAST_OCLGRIND", "/nowhere");
    let stdout = text(&expect_exit(command, 1).stdout);
    let line = "PROBLEM  oclgrind    KERNCAST_OCLGRIND: there is no file /nowhere";
    assert!(stdout.contains(line), "{stdout}");

    let mut command = place.kerncast(&["doctor"]);
    command.env("OCL_ICD_VENDORS", place.path(""));
    let stdout = text(&expect_exit(command, 1).stdout);
    assert!(stdout.starts_with("PROBLEM  OpenCL"), "{stdout}");
    assert!(stdout.contains("pocl-opencl-icd"), "{stdout}");
}

#[test]
fn another_makers_device_is_refused_with_a_reason() {
    let place = Place::new();
    let kernels = fixture(SCALE);
    let arguments = ["run", "--json", "--no-upload", "--kernels", &kernels];
    let mut command = place.kerncast(&arguments);
    command.args(["--provider", "ncu", "--provider", "rocprofv3"]);
    command.env(POCL.0, POCL.1);
    let refused = rows(&expect_exit(command, 0));
    assert_eq!(refused.len(), 4);
    for row in refused {
        for (provider, says) in [
            ("ncu", "counts on NVIDIA"),
            ("rocprofv3", "counts on Advanced Micro Devices"),
        ] {
            let reading = &row["sample"]["readings"][provider];
            let refusal = reading["refusal"].as_str().expect("a refusal");
            assert!(refusal.starts_with(says), "{row}");
            assert!(reading.get("counters").is_none(), "{row}");
        }
    }
    // Nobody asked: then it does not even refuse.
    let mut command = place.kerncast(&arguments);
    command.env(POCL.0, POCL.1);
    for row in rows(&expect_exit(command, 0)) {
        for provider in ["ncu", "rocprofv3"] {
            assert!(row["sample"]["readings"].get(provider).is_none(), "{row}");
        }
    }
}

#[test]
fn a_replay_without_cuda_says_so_for_each_workload() {
    let place = Place::new();
    let workload = |n| WorkloadKey {
        folder: fixture(SCALE).into(),
        variant: "global".to_owned(),
        parameters: Parameters::from([("n".to_owned(), n)]),
    };
    let request = ReplayRequest {
        parent: process::id(),
        outcomes: place.path("outcomes"),
        through: Through::Cuda,
        device: 0,
        workloads: vec![workload(64), workload(128)],
    };
    let json = serde_json::to_vec(&request).expect("JSON");
    fs::write(place.path("request"), json).expect("writes");
    let path = place.path("request");
    let mut command = place.kerncast(&["replay", path.to_str().expect("UTF-8")]);
    command.env(POCL.0, POCL.1);
    expect_exit(command, 0);
    let outcomes = fs::read_to_string(&request.outcomes).expect("outcomes");
    let outcomes: Vec<Outcome> = outcomes
        .lines()
        .map(|line| serde_json::from_str(line).expect("an outcome"))
        .collect();
    assert_eq!(outcomes.len(), 2);
    for outcome in outcomes {
        assert_eq!(outcome.profiled, None);
        assert!(outcome.time_s.expect_err("no CUDA").contains("CUDA"));
    }
}
