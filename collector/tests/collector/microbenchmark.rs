//! Local-memory loads, as they are measured where no clock can be read.

use std::collections::BTreeSet;

use crate::common::{Place, expect_exit, fixture, text};
use serde_json::Value;

#[test]
fn every_point_becomes_a_sample_with_what_the_model_needs() {
    let place = Place::new();
    let command = place.kerncast(&["microbenchmark", "--no-upload", "--json"]);
    let output = expect_exit(command, 0);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON alone on stdout");
    assert_eq!(report[0]["unit"], "µs");
    assert_eq!(report[0]["line"]["n"], 216);

    let samples = place.spooled();
    let mut points = BTreeSet::new();
    for sample in &samples {
        assert_is_a_point(sample);
        points.insert(sample["workload"]["parameters"].to_string());
    }
    // i, w and c of 1, 2, 4, 8, 16, 32: PoCL takes 32 warps and more in a work-group.
    assert_eq!((samples.len(), points.len()), (216, 216));
}

fn assert_is_a_point(sample: &Value) {
    let workload = &sample["workload"];
    assert_eq!(workload["kernel"], "local_memory");
    assert_eq!(workload["family"], "microbenchmark");
    assert_eq!(workload["variant"], "local");
    let number = |name: &str| {
        workload["parameters"][name]
            .as_i64()
            .expect("a whole number")
    };
    let (i, w, c) = (number("i"), number("w"), number("c"));
    // No other reading, so no other model learns from it; no cycles, since no clock was read.
    let counters = serde_json::json!({
        "local_memory": { "scope": "full", "counters": {
            "instructions": i as f64,
            "warps": w as f64,
            "congestion": c as f64,
            "product": (i * w * c) as f64,
        }}
    });
    assert_eq!(sample["readings"], counters);
    let times = sample["times"]["repetitions_s"].as_array().expect("times");
    assert!(
        times.iter().all(|time| time.as_f64() > Some(0.0)),
        "{times:?}"
    );
    let options = sample["provenance"]["build_options"]
        .as_str()
        .expect("options");
    assert_eq!(options, format!("-DLOADS={i} -DROUNDS=1000"));
}

#[test]
fn a_run_measures_them_too_and_draws_nothing() {
    let place = Place::new();
    let scale = fixture("kernels/scale");
    let arguments = ["--no-upload", "--no-ceilings", "--kernels", &scale];
    let output = expect_exit(place.run(&arguments), 0);
    let of_kernel = |sample: &Value| sample["workload"]["kernel"] == "local_memory";
    let (points, others): (Vec<Value>, Vec<Value>) =
        place.spooled().into_iter().partition(of_kernel);
    assert_eq!(points.len(), 216);
    assert!(!others.is_empty());
    assert!(!text(&output.stdout).contains("iwc"));
}

#[test]
fn a_simulator_is_not_measured() {
    let place = Place::new();
    let mut command = place.kerncast(&["microbenchmark", "--no-upload", "--device", "0"]);
    command.env("OPENCL_DYLIB_PATH", "/usr/lib/oclgrind/liboclgrind-rt.so");
    let stderr = text(&expect_exit(command, 2).stderr);
    assert!(
        stderr.contains("a simulator's times mean nothing"),
        "{stderr}"
    );
}
