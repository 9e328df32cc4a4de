//! Rates of streams, from the command line into the server's answers.

use std::{fs, thread};

use kerncast_e2e::{Lab, expect_exit};
use serde_json::{Value, json};

/// Elements of the array.
const MANY: u32 = 1 << 20;

fn json_of(lab: &Lab, arguments: &[&str]) -> Value {
    let output = expect_exit(lab.kerncast(arguments), 0);
    serde_json::from_slice(&output.stdout).expect("JSON alone on stdout")
}

/// Puts rates where `kerncast` keeps its own: what a processor may do, of sorts alone.
fn keep_rates(lab: &Lab, device: &Value) {
    let line = json!({ "bytes_per_s": 1e9, "piece_s": 1e-5 });
    let moves =
        |way: &str| json!({ "way": way, "to_device": line, "from_device": line, "both": line });
    let sorted = |ns: f64| json!([{ "work": "sort", "element": "u32", "elements": MANY, "seconds": ns * 1e-9 * f64::from(MANY) }]);
    let check = |n: u32| {
        json!({ "work": "sort", "element": "u32", "elements": n, "by": "file", "passes": 1, "forecast_s": 1.0,
            "measured_s": 1.1, "first": { "forecast_s": 1.0, "measured_s": 1.1 } })
    };
    let rates = json!({
        "device": device["name"], "driver": device["driver_version"], "is_host": true,
        "threads": thread::available_parallelism().map_or(1, usize::from), "lanes": 2,
        "pinning_bytes_per_s": 1e9, "trip_s": 1e-4, "chunk_s": 1e-5, "mapped_chunk_s": 1e-5,
        "allocating_bytes_per_s": 1e10,
        "starts": [{ "work": "sort", "new_s": 100, "kept_s": 0.1 }],
        "moves": [moves("staged"), moves("file")],
        "kernels": sorted(50.0), "one_core": sorted(40.0), "all_cores": sorted(20.0),
        "checks": [check(1 << 12), check(1 << 16), check(1 << 21)],
    });
    let name = device["name"].as_str().expect("a name");
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = lab.path("cache/kerncast/streams");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join(format!("{name}.json")), rates.to_string()).expect("written");
}

#[test]
fn rates_that_are_uploaded_answer_on_the_server() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let device = json_of(&lab, &["devices", "--json"])[0].clone();
    keep_rates(&lab, &device);
    let ask = ["offload", "sort", "--type", "u32", "--bytes", "4MiB"];
    json_of(&lab, &[&ask[..], &["--upload", "--json"]].concat());
    let id = lab.list("/v1/streams")[0]["device"].clone();
    let question = json!({ "device": id, "work": "sort", "element": "u32", "bytes": 1 << 22 });
    let answer = lab.post("/v1/offload", &question);
    assert!(answer["offers"][0]["seconds"].is_f64(), "{answer}");
}
