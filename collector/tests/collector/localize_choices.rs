//! Which arrays, by which rule, for which work-groups: what people choose of `kerncast localize`.

use std::{fs, path::Path};

use crate::common::localized::{asked, localized_as};
use kerncast_analysis::localize::Form;
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

/// Whatever its form, a candidate is checked before it is measured, and one that fails has no time.
#[test]
fn candidates_in_other_forms_do_the_same() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("product");
    fs::create_dir(&folder).expect("made");
    kernel(&folder, "get_global_id(1)");
    let source = fs::read_to_string(folder.join("product.cl")).expect("it is there");
    // Few sizes of work-groups divide 48.
    let launch = LAUNCH
        .replace("n = 32", "n = 48")
        .replace("[[sizes]]\nn = 64\n", "");
    fs::write(folder.join("launch.toml"), launch).expect("written");
    let required = source.replace(
        "__kernel",
        "#define SIDE 16\n__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))",
    );
    fs::write(folder.join("product.cl"), required).expect("written");
    let to = own.path().join("candidates");
    let options = ["--tune", "4", "--arrays", "b", "--candidates"];
    let options = [&options[..], &[to.to_str().expect("UTF-8")]].concat();
    let (status, answer) = asked(&folder, &options);
    assert_eq!(status, 0, "{answer}");
    let candidates = answer["candidates"].as_array().expect("candidates");
    assert!(candidates.len() > 12, "{answer}");
    let measured = |it: &&Value| it["measured_s"].is_number();
    assert_eq!(candidates.iter().filter(measured).count(), 4, "{answer}");
    let is_double = |it: &Value| it["is_double"] == true;
    assert!(candidates.iter().any(is_double), "{answer}");
    for form in ["work_group", "strip", "padding"] {
        let has_form = |it: &Value| !it[form].is_null();
        assert!(candidates.iter().any(has_form), "{form}: {answer}");
    }
    // All are written, each for its own work-groups.
    let written = |place: usize| {
        let folder = to.join(place.to_string()).join("product");
        let launch = fs::read_to_string(folder.join("launch.toml")).expect("it is there");
        let source = fs::read_to_string(folder.join("product.generated.cl"));
        (launch, source.expect("it is there"))
    };
    let mut folders: Vec<usize> = Vec::new();
    for candidate in candidates {
        let folder = candidate["folder"].as_str().expect("all do the same");
        folders.push(folder.parse().expect("a number"));
        let (launch, source) = written(*folders.last().expect("one"));
        let generated = launch.split("local_generated]").nth(1).expect("a variant");
        let size = candidate["work_group"].as_array().map(|sizes| {
            let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            sizes
        });
        let (local, required) = match &size {
            Some(size) => (
                format!("local = [\"{}\"]", size.join("\", \"")),
                format!("reqd_work_group_size({}, 1)", size.join(", ")),
            ),
            None => (
                "local = [\"16\", \"16\"]".to_owned(),
                "reqd_work_group_size(SIDE, SIDE, 1)".to_owned(),
            ),
        };
        assert!(generated.contains(&local), "{launch}");
        assert!(source.contains(&required), "{source}");
    }
    folders.sort_unstable();
    assert!(folders.into_iter().eq(1..=candidates.len()));
    let (status, words) = asked(&folder, &options);
    assert_eq!(status, 2, "{words}");
    assert!(words.to_string().contains("it has candidates"), "{words}");
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
    assert_eq!(status, 2);
    assert!(words.to_string().contains("work-group's size"), "{words}");
    let (status, words) = asked(&folder, &["--tile", "7x8"]);
    assert_eq!(status, 2);
    assert!(words.to_string().contains("does not divide"), "{words}");
}

/// One barrier a strip is enough only where nothing stands behind the last one that fills the first half again.
#[test]
fn two_halves_are_of_loops_in_no_other() {
    let made = |body: &str| {
        let head = "__kernel void tried(__global const float *a, __global float *c, int n)";
        let source =
            format!("{head}\n{{ int i = get_global_id(0); float s = 0;\n{body}\nc[i] = s; }}\n");
        let form = Form {
            is_double: true,
            ..Form::default()
        };
        let (_, text) = localized_as(&source, &[[16, 1, 1]], |place| place, form);
        text.expect("it is rewritten")
    };
    let alone = "for (int k = 0; k < n; ++k) s += a[k] * s;";
    let text = made(alone);
    assert!(text.contains("a_tile[2][64];"), "{text}");
    assert!(text.contains("k_half = 1 - k_half"), "{text}");
    assert_eq!(text.matches("barrier(").count(), 1, "{text}");
    let within = made(&format!("for (int t = 0; t < 3; ++t) {alone}"));
    assert!(!within.contains("_half"), "{within}");
    assert_eq!(within.matches("barrier(").count(), 2, "{within}");
    // One behind the other share no memory: no barrier stands between.
    let twice = made(&format!("{alone}\n{alone}"));
    assert_eq!(twice.matches("__local float").count(), 2, "{twice}");
}

#[test]
fn one_source_is_not_made_for_options_that_differ() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("product");
    fs::create_dir(&folder).expect("made");
    kernel(&folder, "get_global_id(1)");
    let options = LAUNCH.replace(
        "[variants.global]",
        "[variants.global]\noptions = \"-DN={n}\"",
    );
    fs::write(folder.join("launch.toml"), options).expect("written");
    let (status, words) = asked(&folder, &[]);
    assert_eq!(status, 4, "{words}");
    assert!(
        words.to_string().contains("launch.toml, options"),
        "{words}"
    );
}
