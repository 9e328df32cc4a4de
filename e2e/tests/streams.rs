//! Rates of streams, and streams that they forecast, from the command line into the server's answers.

use std::{fs, thread, time::SystemTime};

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
    // So long a start that these runs, whose trips are hardly longer, are checks of first calls alone: three, of fewer there is
    // no interval.
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

/// A numpy file of one dimension.
fn write_array(path: &std::path::Path) {
    let header = format!("{{'descr': '<u4', 'fortran_order': False, 'shape': ({MANY},), }}");
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(format!("{header:<117}\n").bytes());
    for place in 0..MANY {
        file.extend(place.wrapping_mul(2_654_435_761).to_le_bytes());
    }
    fs::write(path, file).expect("written");
}

#[test]
fn a_stream_is_forecast_done_and_judged() {
    let lab = Lab::set_up();
    let server = lab.serve();
    let device = json_of(&lab, &["devices", "--json"])[0].clone();
    keep_rates(&lab, &device);
    let (from, to) = (lab.path("from.npy"), lab.path("to.npy"));
    write_array(&from);
    let [from, to_] = [&from, &to].map(|it| it.to_str().expect("UTF-8"));

    // The run comes before the rates: it is kept, and counts once they are there.
    let sort = ["stream", "sort", from, to_, "--device", "0"];
    let told = expect_exit(lab.kerncast(&sort), 0);
    let said = String::from_utf8_lossy(&told.stderr);
    assert!(said.contains("it has 1 runs of streams now"), "{said}");
    let ask = ["offload", "sort", "--type", "u32", "--bytes", "4MiB"];
    json_of(&lab, &[&ask[..], &["--upload", "--json"]].concat());
    let id = lab.list("/v1/streams")[0]["device"].clone();
    let runs = lab.get(&format!("/v1/devices/{id}/stream_runs"));
    let run = &runs["newest"][0]["run"];
    assert_eq!(
        (&runs["record"]["runs"], &run["by"]),
        (&json!(1), &json!("file"))
    );
    let seconds = |of: &Value| of.as_f64().expect("seconds");
    let took = seconds(&run["told"]["measured_s"]);

    // By now it is known how far such a forecast is off.
    fs::remove_file(&to).expect("removed");
    let explained = json_of(&lab, &[&sort[..], &["--explain", "--json"]].concat());
    let [low, high] = [0, 1].map(|end| seconds(&explained["interval_s"][end]));
    assert!(
        low / 1.01 < took && took < 1.01 * high,
        "{took} s and {low} to {high} s"
    );

    // Without the server a run waits, and a stream is none the worse for it.
    drop(server);
    let told = expect_exit(lab.kerncast(&sort), 0);
    let said = String::from_utf8_lossy(&told.stderr);
    assert!(said.contains("1 runs of streams stay in"), "{said}");
    assert!(to.metadata().and_then(|it| it.modified()).expect("a file") <= SystemTime::now());
    let _server = lab.serve();
    expect_exit(lab.kerncast(&["upload"]), 0);
    let runs = lab.get(&format!("/v1/devices/{id}/stream_runs"));
    assert_eq!(runs["record"]["runs"], 2);
    assert_eq!(runs["record"]["with_interval"], 2, "{runs}");
}
