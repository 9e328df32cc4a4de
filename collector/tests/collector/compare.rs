//! `kerncast compare` on two collections whose differences were made by hand.

use std::fs;

use crate::common::{Place, expect_exit, fixture, text};
use serde_json::{Value, json};

#[test]
fn medians_are_compared_workload_by_workload() {
    let place = Place::new();
    let kernels = fixture("kernels/scale");
    let run = [
        "run",
        "--no-upload",
        "--provider",
        "launch",
        "--kernels",
        &kernels,
    ];
    expect_exit(place.kerncast(&run), 0);
    let mut samples = place.spooled();
    assert_eq!(samples.len(), 4);

    // A is the spool; B has one workload less, in a compressed file.
    let (mut a, mut b) = (samples.split_off(1), Vec::new());
    for (sample, (before, after, clock)) in a.iter_mut().zip([
        (10e-6, 11e-6, 1980),
        (100e-6, 98e-6, 1980),
        (1e-3, 1.01e-3, 1755),
    ]) {
        sample["times"] = json!({"repetitions_s": [before], "settled": true});
        sample["conditions"] = json!({"compute_clock_mhz": 1980.0, "temperature_c": 40.0});
        let mut other = sample.clone();
        other["times"]["repetitions_s"] = json!([after / 2.0, after, after * 2.0]);
        other["conditions"]["compute_clock_mhz"] = json!(f64::from(clock));
        other["flags"] = json!(["throttled"]);
        b.push(other);
    }
    a.extend(samples);
    for sample in &a {
        let file = place.path(&format!(
            "spool/{}.json",
            sample["id"].as_str().expect("an id")
        ));
        fs::write(file, sample.to_string()).expect("writes");
    }
    let lines: Vec<String> = b.iter().map(Value::to_string).collect();
    let compressed = zstd::encode_all(lines.join("\n").as_bytes(), 3).expect("compresses");
    fs::write(place.path("b.jsonl.zst"), compressed).expect("writes");

    let (spool, file) = (place.path("spool"), place.path("b.jsonl.zst"));
    let paths = [&spool, &file].map(|path| path.to_str().expect("UTF-8"));
    let found = expect_exit(place.kerncast(&["compare", paths[0], paths[1]]), 0);
    let found = text(&found.stdout);
    let json = place.kerncast(&["compare", "--json", paths[0], paths[1]]);
    let json: Value = serde_json::from_slice(&expect_exit(json, 0).stdout).expect("JSON");
    assert_eq!(
        (json["pairs"].as_array().map(Vec::len), &json["only_in_a"]),
        (Some(3), &json!(1))
    );
    let says = |words: &[&str]| {
        found
            .lines()
            .any(|line| words.iter().all(|word| line.contains(word)))
    };
    assert!(
        says(&["3 workloads are in both, 1 only in A, 0 only in B"]),
        "{found}"
    );
    assert!(says(&["all", " 3 ", "2.00 %", "10.00 %"]), "{found}");
    assert!(says(&["those below 20 µs", " 1 ", "10.00 %"]), "{found}");
    assert!(says(&["the others", " 2 ", "1.50 %", "2.00 %"]), "{found}");
    // The worst first, with what may explain it.
    let worst: Vec<&str> = found
        .lines()
        .filter(|line| line.contains("scale"))
        .collect();
    assert!(
        worst[0].contains("10.00 %") && worst[1].contains("-2.00 %"),
        "{found}"
    );
    assert!(says(&["1.00 %", "1980 → 1755"]), "{found}");
    assert!(found.contains("throttled"), "{found}");
}

#[test]
fn what_is_no_collection_is_refused() {
    let place = Place::new();
    fs::write(place.path("text"), "\n{\"workload\": 7}\n").expect("writes");
    fs::create_dir(place.path("empty")).expect("folder");
    let path = |name: &str| place.path(name).to_str().expect("UTF-8").to_owned();
    for (name, problem) in [
        ("absent", "cannot read"),
        ("text", "text: line 2: column 14, field workload"),
        ("empty", "holds no sample; expected a spool's folder"),
    ] {
        let (this, that) = (path(name), path("empty"));
        let stderr = text(&expect_exit(place.kerncast(&["compare", &this, &that]), 1).stderr);
        assert!(stderr.contains(problem), "{stderr}");
    }
}
