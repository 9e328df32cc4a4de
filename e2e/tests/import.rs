//! Files of other people's profilers, tidy tables and JSON Lines, through the command line into the server
//! and, as tables, out again.

use std::{fs, path::PathBuf, process::Output};

use kerncast_e2e::{Lab, expect_exit, root};
use serde_json::{Value, json};

fn captured(name: &str) -> PathBuf {
    root().join("profilers/tests/captured").join(name)
}

/// Exit status and what was printed on standard output.
fn import(lab: &Lab, code: i32, arguments: &[&str]) -> String {
    let mut command = lab.kerncast(&["import"]);
    command.args(arguments);
    let Output { stdout, .. } = expect_exit(command, code);
    String::from_utf8(stdout).expect("UTF-8")
}

#[test]
fn a_profilers_file_is_stored_once_whoever_imports_it() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let file = captured("ncu_2025.3_raw_h200_ptx_replay.csv.txt");
    let file = file.to_str().expect("UTF-8");
    let would: Value =
        serde_json::from_str(&import(&lab, 0, &["--dry-run", "--json", file])).expect("JSON");
    assert_eq!(would[0]["would_send"].as_array().map(Vec::len), Some(3));
    assert_eq!(lab.list("/v1/samples"), [] as [Value; 0]);

    let printed = import(&lab, 0, &[file]);
    assert!(
        printed.contains("3 samples: 3 new, 0 there already"),
        "{printed}"
    );
    // A copy is written later, and by another agent.
    let copy = lab.path("copy.csv");
    fs::copy(file, &copy).expect("a copy");
    let mut another = lab.kerncast(&["import", "--json", copy.to_str().expect("UTF-8")]);
    another.env("KERNCAST_AGENT", "another");
    let printed = String::from_utf8(expect_exit(another, 0).stdout).expect("UTF-8");
    let sent: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(
        (&sent[0]["stored"], &sent[0]["repeated"]),
        (&json!(0), &json!(3))
    );

    let samples = lab.list("/v1/samples");
    assert_eq!(samples.len(), 3);
    let mm = samples
        .iter()
        .find(|sample| sample["workload"]["kernel"] == "mm")
        .expect("mm");
    assert_eq!(mm["origin"], "imported");
    assert_eq!(mm["time"]["n"], 3);
    assert_eq!(mm["device"]["name"], "NVIDIA H200");
    assert_eq!(mm["provenance"]["tools"]["time_from"], "profiler");
}

#[test]
fn launches_without_a_time_are_no_samples() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let file = captured("amd_HPCTrainingExamples_finite-difference_data_movement.csv");
    let printed = import(
        &lab,
        1,
        &["--device", "gfx90a", file.to_str().expect("UTF-8")],
    );
    assert!(
        printed.contains("none of its 3 launches has a time"),
        "{printed}"
    );
    assert!(
        printed.contains("`kerncast predict` forecasts them"),
        "{printed}"
    );
}

#[test]
fn a_tidy_table_becomes_models_and_comes_back_as_it_was() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let mut table = String::from("device,vendor,kernel,family,variant,time_s,param:n,mine:loads\n");
    for (kernel, cost) in [("a", 1.0), ("b", 1.25), ("c", 1.5), ("d", 2.0)] {
        for n in 1..=4 {
            let (loads, time) = (100 * n * n, 1e-6 * cost * f64::from(n * n));
            table.push_str(&format!(
                "Device,Vendor,{kernel},small,global,{time},{n},{loads}\n"
            ));
        }
    }
    let (file, exported) = (lab.path("table.csv"), lab.path("exported.csv"));
    fs::write(&file, &table).expect("a table");
    let file = file.to_str().expect("UTF-8");
    let printed = import(&lab, 0, &[file]);
    assert!(printed.contains("16 samples: 16 new"), "{printed}");

    // The same measurements have the same ids, also out of the server's own export.
    let csv = lab.text("/v1/samples?format=csv");
    fs::write(&exported, csv).expect("an export");
    let printed = import(&lab, 0, &[exported.to_str().expect("UTF-8")]);
    assert!(
        printed.contains("16 samples: 0 new, 16 there already"),
        "{printed}"
    );

    expect_exit(lab.kerncast(&["models", "--wait", "60s"]), 0);
    let printed = expect_exit(lab.kerncast(&["predict", file, "--json"]), 0);
    let answer: Value = serde_json::from_slice(&printed.stdout).expect("JSON on stdout alone");
    assert_eq!(answer["predictions"].as_array().map(Vec::len), Some(16));
    assert_eq!(answer["predictions"][0]["name"], "a global n=1 (line 2)");
    assert_eq!(answer["predictions"][0]["measured_s"], 1e-6);

    // A file larger than a request is read here, and sent as counter sets.
    let mut table = String::from("device,kernel,variant,time_s,param:n,mine:loads\n");
    for n in 0..110 {
        let kernel = "k".repeat(60_000);
        table.push_str(&format!("Device,{kernel},global,1e-6,{n},100\n"));
    }
    let large = lab.path("large.csv");
    fs::write(&large, &table).expect("a table");
    let large = large.to_str().expect("UTF-8");
    let printed = expect_exit(lab.kerncast(&["predict", large, "--json"]), 0);
    let answer: Value = serde_json::from_slice(&printed.stdout).expect("JSON");
    let last = &answer["predictions"][109];
    assert_eq!(
        (&last["counter_set"], &last["measured_s"]),
        (&json!(109), &json!(1e-6))
    );
    assert!(
        last["name"]
            .as_str()
            .is_some_and(|it| it.ends_with("n=109 (line 111)")),
        "{last}"
    );
}

/// A kernel's sizes on a device, as an agent uploads them.
fn own_sample(device: &str, kernel: u32, n: u32) -> Value {
    let loads = 1000 * (n + 1) * (kernel + 1);
    json!({
        "id": uuid::Uuid::now_v7(), "measured_at": "2026-11-01T12:00:00Z",
        "agent": { "name": "there", "version": "0.1.0" },
        "device": { "vendor": "Vendor", "name": device, "kind": "gpu" },
        "workload": { "kernel": format!("k{kernel}"), "variant": "global", "parameters": { "n": n } },
        "times": { "repetitions_s": [1e-9 * f64::from(loads), 2e-9 * f64::from(loads), 1e-9 * f64::from(loads)] },
        "readings": { "oclgrind": { "counters": { "load_global": loads } } },
    })
}

#[test]
fn own_samples_are_forecast_beside_what_they_took() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let all = (0..4).flat_map(|kernel| (0..4).map(move |n| own_sample("Device", kernel, n)));
    let all: Vec<String> = all.map(|it| it.to_string()).collect();
    let learned = lab.path("learned.jsonl");
    fs::write(&learned, all.join("\n")).expect("a file");
    import(&lab, 0, &[learned.to_str().expect("UTF-8")]);
    expect_exit(lab.kerncast(&["models", "--wait", "60s"]), 0);

    let predict = |path: &PathBuf| {
        let path = path.to_str().expect("UTF-8");
        let printed = expect_exit(lab.kerncast(&["predict", path, "--json"]), 0);
        let answer: Value = serde_json::from_slice(&printed.stdout).expect("JSON");
        answer["predictions"]
            .as_array()
            .expect("predictions")
            .clone()
    };
    // A point of the microbenchmark is no kernel, another device's time says nothing of this one's.
    let mut point = own_sample("Device", 7, 0);
    point["readings"] = json!({ "local_memory": { "counters": { "product": 3 } } });
    let lines = [
        own_sample("Device", 1, 2).to_string(),
        point.to_string(),
        String::new(),
        own_sample("Other", 2, 3).to_string(),
    ];
    let text = lines.join("\n");
    let (plain, compressed) = (lab.path("own.jsonl"), lab.path("own.jsonl.zst"));
    fs::write(&plain, &text).expect("a file");
    let zstd = zstd::encode_all(text.as_bytes(), 0).expect("zstd");
    fs::write(&compressed, zstd).expect("a file");
    let predictions = predict(&plain);
    assert_eq!(predictions.len(), 2);
    assert_eq!(predictions[0]["name"], "k1 global n=2 (line 1)");
    assert_eq!(predictions[0]["measured_s"], 6e-6);
    assert!(predictions[0]["time_s"].is_number(), "{}", predictions[0]);
    assert_eq!(predictions[1]["name"], "k2 global n=3 (line 4)");
    assert_eq!(predictions[1].get("measured_s"), None);
    assert_eq!(predict(&compressed), predictions);

    // A spool's folder, with what else lies there; and one file of it.
    let spool = lab.path("a spool");
    fs::create_dir(&spool).expect("a folder");
    fs::write(spool.join("b.ceilings"), "{}").expect("a file");
    fs::write(spool.join("a.json"), &lines[0]).expect("a file");
    let predictions = predict(&spool);
    assert_eq!(predictions[0]["name"], "k1 global n=2 (a.json)");
    assert_eq!(predict(&spool.join("a.json"))[0]["measured_s"], 6e-6);
}

#[test]
fn mistakes_in_own_samples_are_named_by_file_line_and_field() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut sample = own_sample("Device", 0, 0);
        change(&mut sample);
        let text = format!("{}\n{sample}\n", own_sample("Device", 1, 1));
        let path = lab.path("wrong.jsonl");
        fs::write(&path, text).expect("a file");
        let path = path.to_str().expect("UTF-8");
        let Output { stderr, .. } = expect_exit(lab.kerncast(&["predict", path]), 2);
        let message = String::from_utf8(stderr).expect("UTF-8");
        assert!(message.contains("wrong.jsonl: line 2"), "{message}");
        message
    };
    let message = wrong(&|it| it["workload"]["kernel"] = json!(3));
    assert!(message.contains("field workload.kernel"), "{message}");
    let message = wrong(&|it| it["times"]["repetitions_s"] = json!([]));
    assert!(message.contains("field times.repetitions_s"), "{message}");
    let message = wrong(&|it| it["readings"]["oclgrind"]["counters"]["load_global"] = json!(-1));
    assert!(
        message.contains("field readings.oclgrind.counters.load_global"),
        "{message}"
    );
}

#[test]
fn json_lines_keep_ids_and_origin() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let device = json!({ "vendor": "Vendor", "name": "Device", "kind": "gpu" });
    let agent = json!({ "name": "there", "version": "0.1.0" });
    let sample = json!({
        "id": "01a1fda4-10ed-7070-8e1d-56dbc73ef2a1", "measured_at": "2026-11-01T12:00:00Z",
        "agent": agent, "device": device,
        "workload": { "kernel": "k", "variant": "global" },
        "times": { "repetitions_s": [1e-3] }, "origin": "shipped",
    });
    let ceilings = json!({
        "id": "01a1fda4-10ed-7070-8e1d-56dbc73ef2a2", "measured_at": "2026-11-01T12:00:00Z",
        "agent": agent, "device": device, "ceilings": { "copy_bytes_per_s": 4e12 }, "origin": "shipped",
    });
    let mut wrong = sample.clone();
    wrong["id"] = json!("01a1fda4-10ed-7070-8e1d-56dbc73ef2a3");
    wrong["times"]["repetitions_s"] = json!([-1.0]);
    let text = format!("{sample}\n{ceilings}\n");
    let file = lab.path("data.jsonl.zst");
    fs::write(&file, zstd::encode_all(text.as_bytes(), 3).expect("zstd")).expect("a file");
    let file = file.to_str().expect("UTF-8");
    for stored in ["1 new, 0 there already", "0 new, 1 there already"] {
        let printed = import(&lab, 0, &[file]);
        assert!(
            printed.contains(stored) && printed.contains("ceilings of 1 device"),
            "{printed}"
        );
    }
    let streams = root().join("data/streams/nvidia-h200-streams.jsonl.zst");
    import(&lab, 0, &[streams.to_str().expect("UTF-8")]);
    assert_eq!(lab.list("/v1/streams").len(), 1);
    assert_eq!(lab.list("/v1/samples")[0]["id"], sample["id"]);
    assert_eq!(lab.get("/v1/samples?origin=measured")["items"], json!([]));
    let devices = lab.list("/v1/devices");
    let device = devices
        .iter()
        .find(|it| it["name"] == "Device")
        .expect("it");
    assert_eq!(device["shipped"], true);
    assert_eq!(device["ceilings"]["copy_bytes_per_s"], 4e12);

    // What the server refuses is named by its line; the others are stored.
    let file = lab.path("wrong.jsonl");
    fs::write(&file, format!("{sample}\n{wrong}\n")).expect("a file");
    let printed = import(&lab, 1, &[file.to_str().expect("UTF-8")]);
    assert!(printed.contains("1 there already, 1 rejected"), "{printed}");
    assert!(
        printed.contains("rejected: line 2: /times/repetitions_s/0 is -1.0; expected"),
        "{printed}"
    );
}
