//! Which arrays, by which rule, for which work-groups: what people choose of `kerncast localize`.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

const LAUNCH: &str = r#"
title = "t"
family = "f"
[[sizes]]
n = 32
[[sizes]]
n = 64
[[arguments]]
name = "a"
buffer = "float"
length = "n * n"
fill = { uniform = [-1.0, 1.0] }
[[arguments]]
name = "b"
buffer = "float"
length = "n * n"
fill = { uniform = [-1.0, 1.0] }
[[arguments]]
name = "c"
buffer = "float"
length = "n * n"
access = "write"
[[arguments]]
name = "n"
scalar = "int"
value = "n"
[variants.global]
function = "tried"
global = ["n", "n"]
local = ["16", "16"]
[tolerance]
absolute = 1e-5
"#;

fn kernel(folder: &Path, y: &str) {
    let body = "float s = 0; for (int k = 0; k < n; ++k) s += a[y * n + k] * b[k * n + x]; c[y * n + x] = s;";
    let head = "__kernel void tried(__global const float *a, __global const float *b, __global float *c, int n)";
    let source = format!("{head}\n{{ int x = get_global_id(0), y = {y}; {body} }}\n");
    fs::write(folder.join("product.cl"), source).expect("written");
    fs::write(folder.join("launch.toml"), LAUNCH).expect("written");
}

fn asked(folder: &Path, options: &[&str]) -> (i32, Value) {
    let ran = Command::new(env!("CARGO_BIN_EXE_kerncast"))
        .args(["localize", "--json"])
        .arg(folder)
        .args(options)
        .output()
        .expect("kerncast runs");
    let words = String::from_utf8_lossy(&ran.stderr).into_owned();
    let answer = serde_json::from_slice(&ran.stdout).unwrap_or(Value::String(words));
    (ran.status.code().unwrap_or(-1), answer)
}

#[test]
fn candidates_are_measured_for_other_work_groups() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("product");
    fs::create_dir(&folder).expect("made");
    kernel(&folder, "get_global_id(1)");
    // Nobody answers at this address.
    let server = ["--on", "h200", "--server", "http://127.0.0.1:1"];
    let options = ["--tune", "3", "--tile", "8x4", "--write"];
    let (status, answer) = asked(&folder, &[&server[..], &options[..]].concat());
    assert_eq!(status, 0, "{answer}");
    assert!(answer["forecast"].is_null(), "{answer}");
    assert!(answer["no_forecast"].is_string(), "{answer}");
    let candidates = answer["candidates"].as_array().expect("candidates");
    let measured: Vec<f64> = candidates
        .iter()
        .filter_map(|it| it["measured_s"].as_f64())
        .collect();
    assert_eq!(measured.len(), 3, "{answer}");
    assert!(measured.is_sorted(), "the fastest first: {answer}");
    assert!(answer["measured_before_s"].as_f64() > Some(0.0), "{answer}");
    let written = fs::read_to_string(folder.join("launch.toml")).expect("it is there");
    let generated = written.split("local_generated]").nth(1).expect("a variant");
    assert!(generated.contains("local = [\"8\", \"4\"]"), "{written}");
    assert!(written.contains("local = [\"16\", \"16\"]"), "{written}");
}

#[test]
fn the_papers_rule_takes_the_most_accessed_array() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("product");
    fs::create_dir(&folder).expect("made");
    kernel(&folder, "get_global_id(1)");
    let (status, answer) = asked(&folder, &["--rule", "paper"]);
    assert_eq!(status, 0, "{answer}");
    let placed = answer["placed"].as_array().expect("arrays");
    assert_eq!(placed.len(), 1, "{answer}");
}

#[test]
fn a_kernel_that_knows_its_work_group_keeps_it() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("product");
    fs::create_dir(&folder).expect("made");
    kernel(&folder, "get_group_id(1) * 16 + get_local_id(1)");
    let (status, words) = asked(&folder, &["--tile", "8x8"]);
    assert_ne!(status, 0);
    assert!(words.to_string().contains("work-group's size"), "{words}");
    let (status, words) = asked(&folder, &["--tile", "7x8"]);
    assert_ne!(status, 0);
    assert!(words.to_string().contains("does not divide"), "{words}");
}
