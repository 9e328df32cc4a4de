//! One command from a kernel to a forecast, and devices by the names that people give them.

use std::{fs, path::PathBuf, process::Output};

use kerncast_e2e::{Lab, expect_exit, root};
use serde_json::Value;

/// Times that are work-items and loads times a cost, so that a model of them is right.
fn table(lab: &Lab) -> PathBuf {
    let mut table = String::from(
        "device,vendor,kernel,family,variant,time_s,param:n,launch:work_items,launch:work_groups,\
         oclgrind:load_global,oclgrind:store_global,oclgrind:instructions,ncu:smsp__inst_executed.sum,\
         ncu:dram__sectors_read.sum\n",
    );
    for kernel in 0..12 {
        for size in 1..=5 {
            let n = 1000 * size;
            let (loads, instructions) = ((kernel + 1) * n, 20 * (kernel + 2) * n);
            let time = 1e-6 + 1e-9 * f64::from(loads) + 1e-10 * f64::from(instructions);
            let counted = format!(
                "{n},{},{loads},{n},{instructions},{},{}",
                n / 64,
                instructions / 32,
                loads / 8
            );
            table.push_str(&format!(
                "NVIDIA H200,NVIDIA Corporation,k{kernel},f{kernel},global,{time},{n},{counted}\n"
            ));
        }
    }
    let file = lab.path("table.csv");
    fs::write(&file, table).expect("a table");
    file
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON alone on stdout")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A server with the table's samples, fitted.
fn lab_with_models() -> (Lab, kerncast_e2e::Server) {
    let lab = Lab::set_up();
    let server = lab.serve();
    let file = table(&lab);
    expect_exit(lab.kerncast(&["import", file.to_str().expect("UTF-8")]), 0);
    expect_exit(lab.kerncast(&["models", "--wait", "300s"]), 0);
    (lab, server)
}

#[test]
fn a_kernels_folder_is_counted_here_and_forecast_there() {
    let (lab, _server) = lab_with_models();
    let folder = root().join("docs/examples/moving_average");
    let folder = folder.to_str().expect("UTF-8");
    let ask = |more: &[&str], code| {
        let arguments = [&["forecast", folder, "--on", "h200"][..], more].concat();
        expect_exit(lab.kerncast(&arguments), code)
    };
    let answers = json(&ask(&["--size", "n=1000,radius=3", "--json"], 0));
    let answers = answers.as_array().expect("answers");
    assert_eq!(answers.len(), 2, "both variants");
    for answer in answers {
        assert!(answer["prediction"]["time_s"].as_f64().expect("a time") > 0.0);
        let counted = answer["counted"].as_array().expect("providers");
        assert!(counted.iter().any(|it| it == "launch"), "{answer}");
        let could_count = counted.iter().any(|it| it == "oclgrind");
        assert_ne!(could_count, answer["uncounted"]["oclgrind"].is_string());
        let trust = &answer["prediction"]["trust"];
        assert!(trust["word"].is_string() && trust["why"].is_string());
        // The device's ncu models can't answer, and nobody has measured it there.
        let record = answer["record"].as_array().expect("advice");
        let last = record.last().expect("advice").as_str().expect("text");
        assert!(
            last.starts_with("its time on the H200 (there: kerncast run --kernels "),
            "{record:?}"
        );
    }
    let beside = answers
        .iter()
        .filter(|it| it["speedup"]["speedup"].is_f64());
    assert_eq!(beside.count(), 1, "the second stands beside the first");
    let words = text(&ask(&["--variant", "parallel"], 0).stdout);
    // The launch file's largest size.
    assert!(
        words.starts_with("moving_average parallel n=4096 radius=8 on H200\n"),
        "{words}"
    );
    for part in ["\ntrust: ", "where the time goes", "\n- its time on"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    let all = text(&ask(&["--variant", "parallel", "--verbose"], 0).stdout);
    assert!(all.len() > words.len(), "{all}");
    for part in ["counters that the model does not use", "\ncounters of "] {
        assert!(all.contains(part) && !words.contains(part), "{part}: {all}");
    }
    assert!(
        words.lines().all(|line| line.chars().count() <= 80),
        "{words}"
    );
    let wrong = ask(&["--size", "n=1000"], 2);
    assert!(text(&wrong.stderr).contains("parameters n, radius"));
}

#[test]
fn what_leaves_its_buffers_is_not_forecast() {
    let (lab, _server) = lab_with_models();
    let folder = root().join("collector/tests/outside/edges");
    let folder = folder.to_str().expect("UTF-8");
    let ask = |variant: &str, code| {
        let arguments = ["forecast", folder, "--on", "h200", "--variant", variant];
        expect_exit(lab.kerncast(&[&arguments[..], &["--json"]].concat()), code)
    };
    let refused = json(&ask("after", 1));
    let refusal = refused[0]["prediction"]["refusal"].as_str();
    let refusal = refusal.expect("a refusal");
    assert!(
        refusal.starts_with("argument `in` is read beyond its buffer: element 4101 of 4096"),
        "{refusal}"
    );
    let sound = json(&ask("global", 0));
    assert!(sound[0]["prediction"]["time_s"].as_f64().expect("a time") > 0.0);

    let folder = root().join("collector/tests/unlawful/barriers");
    let folder = folder.to_str().expect("UTF-8");
    let ask = |variant: &str, code| {
        let arguments = ["forecast", folder, "--on", "h200", "--variant", variant];
        let answer = expect_exit(lab.kerncast(&[&arguments[..], &["--json"]].concat()), code);
        json(&answer)[0]["prediction"].clone()
    };
    for (variant, expected) in [
        (
            "some",
            "a barrier that not all work-items of a work-group reach alike, at barriers.cl:23:9",
        ),
        ("turns", "`even` calls itself, at barriers.cl:62:25"),
    ] {
        let refusal = ask(variant, 1)["refusal"].clone();
        let refusal = refusal.as_str().expect("a refusal");
        assert!(refusal.starts_with(expected), "{refusal}");
    }
    // What may be wrong has a time, and no trust.
    let doubted = ask("data", 0);
    assert!(doubted["time_s"].as_f64().expect("a time") > 0.0);
    let trust = &doubted["trust"];
    let why = trust["why"].as_str().expect("why");
    assert!(
        why.starts_with("a barrier that not all work-items may reach alike, at barriers.cl:50:9"),
        "{why}"
    );
    assert!(trust["word"] == "low" || trust["word"] == "none", "{trust}");
    let calm = ask("global", 0);
    let why = calm["trust"]["why"].as_str().expect("why");
    assert!(!why.contains("barrier"), "{why}");
}

#[test]
fn an_empty_file_and_a_loop_without_end_are_said_to_be_so() {
    let (lab, _server) = lab_with_models();
    let folder = lab.path("endless");
    fs::create_dir(&folder).expect("a folder");
    let launch = "title = \"endless\"\n[[sizes]]\nn = 256\n[[arguments]]\nname = \"a\"\nbuffer = \"float\"\n\
                  length = \"n\"\naccess = \"write\"\n[variants.global]\nfunction = \"endless\"\n\
                  global = [\"n\"]\nlocal = [\"64\"]\n";
    fs::write(folder.join("launch.toml"), launch).expect("writes");
    let source = folder.join("endless.cl");
    let path = folder.to_str().expect("UTF-8");
    let ask = |code| {
        let arguments = ["forecast", path, "--on", "h200"];
        expect_exit(lab.kerncast(&arguments), code)
    };
    fs::write(&source, "").expect("writes");
    let message = text(&ask(2).stderr);
    assert!(
        message.contains("there is no OpenCL function `endless`: ")
            && message.contains(" is empty"),
        "{message}"
    );
    let endless = |pass: &str| {
        format!(
            "__kernel void endless(__global float *a)\n{{\n    float x = 0;\n    \
             for (int i = 0; i >= 0; i = (i + 1) & 1023)\n        {pass};\n    \
             a[get_global_id(0)] = x;\n}}\n"
        )
    };
    // Nothing comes of it.
    fs::write(&source, endless("x += a[i & 255]")).expect("writes");
    let words = text(&ask(1).stdout);
    let refusal = words.lines().nth(1).expect("a refusal");
    assert!(
        refusal.starts_with("no forecast: a compiler leaves nothing of it"),
        "{words}"
    );
    fs::write(&source, endless("a[i & 255] += 1")).expect("writes");
    let answer = ask(1);
    let words = text(&answer.stdout);
    let refusal = words.lines().nth(1).expect("a refusal");
    assert!(
        refusal.starts_with(
            "no forecast: what it does could not be counted: analysis: a work-group takes"
        ),
        "{words}"
    );
    assert!(!words.contains("/counter_sets"), "{words}");
    // Oclgrind has four times the limit for its first work-groups.
    assert!(
        text(&answer.stderr).contains("still counting instructions"),
        "{}",
        text(&answer.stderr)
    );
}

#[test]
fn what_nobody_could_simulate_is_counted_and_what_has_no_room_is_refused() {
    let (lab, _server) = lab_with_models();
    let ceilings = serde_json::json!({
        "id": "01a1ffd0-fb76-72e9-a1fb-efb341f100f8", "measured_at": "2026-11-01T12:00:00Z",
        "agent": { "name": "h200", "version": "0.3.0" },
        "device": {
            "vendor": "NVIDIA Corporation", "name": "NVIDIA H200", "kind": "gpu",
            "global_memory_bytes": 150_109_880_320_u64, "max_work_group_size": 1024,
        },
        "ceilings": { "fp32_flop_per_s": 6e13 },
    });
    let file = lab.path("ceilings.jsonl");
    fs::write(&file, format!("{ceilings}\n")).expect("writes");
    expect_exit(lab.kerncast(&["import", file.to_str().expect("UTF-8")]), 0);
    lab.kerncast(&["models", "--wait", "300s"]);
    let ask = |size: &str, code| {
        let matmul = [
            "forecast",
            "matmul_float",
            "--variant",
            "global",
            "--on",
            "h200",
        ];
        let arguments = [&matmul[..], &["--size", size, "--json"]].concat();
        json(&expect_exit(lab.kerncast(&arguments), code))[0].clone()
    };
    let large = ask("n=16384", 0);
    let counted = serde_json::json!(["analysis", "launch", "oclgrind"]);
    assert_eq!(large["counted"], counted, "{large}");
    assert_eq!(large["estimated"], serde_json::json!([]), "{large}");
    let least = 2.0 * 16_384_f64.powi(3) / 6e13;
    let prediction = &large["prediction"];
    let floor = prediction["floor"]["time_s"].as_f64().expect("a floor");
    assert!((least..2.0 * least).contains(&floor), "{large}");
    assert!(
        prediction["time_s"].as_f64().expect("a time") >= floor,
        "{large}"
    );

    let too_large = ask("n=131072", 1);
    assert_eq!(too_large["counted"], serde_json::json!([]), "{too_large}");
    let refusal = too_large["prediction"]["refusal"]
        .as_str()
        .expect("a refusal");
    assert!(
        refusal.contains("global memory needs 206158430208 bytes; the device has 150109880320"),
        "{refusal}"
    );
    // For `kerncast predict`, and whoever else asks the server.
    let analyse = [
        "analyse",
        "matmul_float",
        "--variant",
        "global",
        "--counters",
        "oclgrind",
        "--json",
    ];
    let counted = json(&expect_exit(lab.kerncast(&analyse), 0));
    let launch = &counted["counter_sets"][0]["counters"]["launch"];
    assert_eq!(launch["work_items"], 4096.0 * 4096.0, "{launch}");
}

#[test]
fn devices_go_by_name_short_name_and_id_everywhere() {
    let (lab, _server) = lab_with_models();
    let id = lab.get("/v1/devices")["items"][0]["id"].to_string();
    let counters = lab.path("counters.json");
    fs::write(
        &counters,
        r#"{"oclgrind": {"load_global": 5000, "store_global": 1000, "instructions": 90000}}"#,
    )
    .expect("writes");
    let counters = counters.to_str().expect("UTF-8");
    for name in ["NVIDIA H200", "h200", &id] {
        expect_exit(
            lab.kerncast(&["predict", "--counters", counters, "--on", name]),
            0,
        );
        let metrics = lab.kerncast(&["metrics", "ncu", "--on", name, "--json"]);
        let metrics = json(&expect_exit(metrics, 0));
        let listed = metrics["counters"].as_array().expect("counters");
        // What the model uses, and the time; not the whole catalogue.
        assert!(listed.iter().any(|it| it == "gpu__time_duration.sum"));
        assert!((2..=3).contains(&listed.len()), "{listed:?}");
    }
    for wrong in ["h20O", "77"] {
        for command in [
            &["predict", "--counters", counters, "--on", wrong][..],
            &["metrics", "ncu", "--on", wrong],
        ] {
            let message = text(&expect_exit(lab.kerncast(command), 2).stderr);
            assert!(message.contains(wrong), "{command:?}: {message}");
        }
    }
    let message = expect_exit(
        lab.kerncast(&["forecast", "matmul_float", "--on", "h20O"]),
        2,
    );
    assert!(text(&message.stderr).contains("Did you mean `H200`?"));
    let message = expect_exit(
        lab.kerncast(&["forecast", "matmul_flaot", "--on", "h200"]),
        2,
    );
    assert!(text(&message.stderr).contains("Did you mean `matmul_float`?"));
    // Also where no suite is found: what was asked is named, and what was expected.
    let mut nothing = lab.kerncast(&["forecast", "nodir", "--on", "h200"]);
    nothing
        .current_dir(lab.path(""))
        .env("KERNCAST_KERNELS", lab.path("none"));
    let message = text(&expect_exit(nothing, 2).stderr);
    assert!(
        message.starts_with("kerncast: nodir: nothing is called so; expected a kernel's folder"),
        "{message}"
    );
    let message = expect_exit(lab.kerncast(&["metrics", "rocprofv3", "--on", "h200"]), 2);
    assert!(text(&message.stderr).contains("no model of it on counters of rocprofv3"));
}

#[test]
fn the_machines_devices_are_listed_with_the_servers_ids() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let listed = || json(&expect_exit(lab.kerncast(&["devices", "--json"]), 0));
    let here = listed();
    assert!(here[0]["id"].is_null(), "the server has no samples: {here}");
    assert!(here[0]["short_name"].is_string());
    let row = |field: &str| here[0]["device"][field].as_str().expect("text").to_owned();
    let table = format!(
        "device,vendor,kernel,variant,time_s\n\"{}\",\"{}\",k,global,0.5\n",
        row("name"),
        row("vendor")
    );
    let file = lab.path("table.csv");
    fs::write(&file, table).expect("a table");
    let file = file.to_str().expect("UTF-8");
    expect_exit(lab.kerncast(&["import", "--device-kind", "cpu", file]), 0);
    assert_eq!(listed()[0]["id"], lab.get("/v1/devices")["items"][0]["id"]);
}
