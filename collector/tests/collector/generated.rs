//! Generated kernels on real OpenCL: the same outputs as Oclgrind's, which watches for races
//! and for places outside of buffers. All 500 of seed 1 were run so when the generator was last changed
//! (docs/notebook/generated.md).

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use crate::common::{Place, expect_exit, rows};
use kerncast_collector::{generated, workload::WorkloadKey};
use kerncast_suite::Kernel;
use kerncast_wire::DeviceKind;
use serde_json::{Value, json};

/// With 26 themes in turn half of them come up, each once, at different places of its sequence.
const APART: usize = 38;

/// Launches a kernel once in a child and says what it found, with outputs kept or compared.
fn launch(mut command: Command, place: &Place, kernel: &Kernel, outputs: &Value) -> Value {
    let here =
        |size: &&kerncast_suite::Size| size.on.is_empty() || size.on.contains(&DeviceKind::Cpu);
    let size = kernel.sizes.iter().find(here).expect("a size for CPUs");
    let workload = WorkloadKey {
        folder: kernel.folder.clone(),
        variant: kernel.reference().name.clone(),
        parameters: size.parameters.clone(),
    };
    let report = place.path("report.json");
    let request = json!({
        "parent": std::process::id(),
        "report": report,
        "job": { "Launch": { "device": 0, "workload": workload, "outputs": outputs } },
    });
    let mut child = command.stdin(Stdio::piped()).spawn().expect("starts");
    let mut input = child.stdin.take().expect("piped");
    input
        .write_all(request.to_string().as_bytes())
        .expect("reads its request");
    drop(input);
    assert!(child.wait().expect("ends").success(), "{}", kernel.name);
    serde_json::from_slice(&fs::read(report).expect("a report")).expect("JSON")
}

#[test]
fn they_agree_with_oclgrind_which_finds_no_race() {
    let place = Place::new();
    let kernels = generated::kernels(&place.path("generated"), 500).expect("generated");
    let oclgrind = Path::new("/usr/lib/oclgrind/liboclgrind-rt.so");
    for kernel in kernels.iter().step_by(APART) {
        let (outputs_folder, log) = (place.path("kept"), place.path("oclgrind.log"));
        let _ = fs::remove_dir_all(&outputs_folder);
        fs::create_dir(&outputs_folder).expect("a folder");
        let child = || place.kerncast(&["child"]);
        let report = launch(child(), &place, kernel, &json!({ "Keep": outputs_folder }));
        assert!(report["Found"].is_number(), "{}: {report}", kernel.name);

        let mut simulated = child();
        simulated
            .env("OPENCL_DYLIB_PATH", oclgrind)
            .env("OCLGRIND_DATA_RACES", "1")
            .env("OCLGRIND_MAX_WGSIZE", "1024")
            .env("OCLGRIND_LOG", &log);
        let simulated = launch(
            simulated,
            &place,
            kernel,
            &json!({ "Compare": outputs_folder }),
        );
        assert!(
            simulated["Found"].is_number(),
            "{}: {simulated}",
            kernel.name
        );
        let messages = fs::read_to_string(&log).unwrap_or_default();
        assert_eq!(messages, "", "{}", kernel.name);
    }
}

#[test]
fn a_run_measures_them_without_files_to_handle() {
    let place = Place::new();
    let arguments = [
        "run",
        "--json",
        "--no-upload",
        "--generated",
        "3",
        "--timing",
        "20ms",
        "--provider",
        "launch",
    ];
    let output = expect_exit(place.kerncast(&arguments), 0);
    let rows = rows(&output);
    let names: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["kernel"].as_str())
        .collect();
    let expected = [
        "generated_v1_s1_0000",
        "generated_v1_s1_0001",
        "generated_v1_s1_0002",
    ];
    assert_eq!(names, expected);
    for sample in place.spooled() {
        assert_eq!(sample["workload"]["generated"], true);
    }

    let scale = crate::common::fixture("kernels/scale");
    let beside = ["--kernels", &scale, "--size", "n=64"];
    let wrong = expect_exit(place.kerncast(&[&arguments[..], &beside].concat()), 2);
    assert!(crate::common::text(&wrong.stderr).contains("has the parameters"));
    let beside = ["--kernels", &scale, "--variant", "global"];
    let output = expect_exit(place.kerncast(&[&arguments[..], &beside].concat()), 0);
    // As it says while it runs; the report is in order of names.
    let stderr = crate::common::text(&output.stderr);
    let order: Vec<bool> = stderr
        .lines()
        .filter(|line| line.starts_with('['))
        .map(|line| line.contains(" generated_"))
        .collect();
    // After the smallest sizes of others, before their larger ones.
    let first = order.iter().position(|it| *it).expect("some are generated");
    assert!(first > 0 && !order[order.len() - 1], "{order:?}");
}
