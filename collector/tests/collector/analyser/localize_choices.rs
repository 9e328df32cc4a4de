//! Which arrays, by which rule, for which work-groups: what people choose of `kerncast localize`.

use std::{fs, path::Path};

use super::localized::answer_with;
use kerncast_analysis::localize::Rule;
use kerncast_collector::{
    clang::Clang,
    localize::{RewriteOptions, RewrittenKernel, Shape, other_shapes, rewrite},
};
use kerncast_suite::{Kernel, load};
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

/// It says which work-groups it is for, by a macro.
fn require(folder: &Path) {
    let source = fs::read_to_string(folder.join("product.cl")).expect("it is there");
    let required = source.replace(
        "__kernel",
        "#define SIDE 16\n__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))",
    );
    fs::write(folder.join("product.cl"), required).expect("written");
}

#[test]
fn candidates_are_measured_for_other_work_groups() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("product");
    fs::create_dir(&folder).expect("made");
    kernel(&folder, "get_global_id(1)");
    let launch = LAUNCH.replace("[[sizes]]\nn = 64\n", "");
    fs::write(folder.join("launch.toml"), launch).expect("written");
    // Nobody answers at this address.
    let server = ["--on", "h200", "--server", "http://127.0.0.1:1"];
    let options = ["--tune", "2", "--write"];
    let (status, answer) = answer_with(&folder, &[&server[..], &options[..]].concat());
    assert_eq!(status, 0, "{answer}");
    assert!(answer["forecast"].is_null(), "{answer}");
    assert!(answer["no_forecast"].is_string(), "{answer}");
    let candidates = answer["candidates"].as_array().expect("candidates");
    let measured: Vec<f64> = candidates
        .iter()
        .filter_map(|it| it["measured_s"].as_f64())
        .collect();
    assert_eq!(measured.len(), 2, "{answer}");
    assert!(measured.is_sorted(), "the fastest first: {answer}");
    assert!(answer["measured_before_s"].as_f64() > Some(0.0), "{answer}");
    let written = fs::read_to_string(folder.join("launch.toml")).expect("it is there");
    let generated = written.split("local_generated]").nth(1).expect("a variant");
    let own = &candidates[0]["work_group"];
    let own = own.as_array().map_or("\"16\", \"16\"".to_owned(), |sizes| {
        let sizes: Vec<String> = sizes.iter().map(|size| format!("\"{size}\"")).collect();
        sizes.join(", ")
    });
    assert!(generated.contains(&format!("local = [{own}]")), "{written}");
}

/// Whatever its form, a candidate is checked before it is measured, and one that fails has no time.
#[test]
fn large_arrays_are_tried_and_what_cannot_be_is_no_failure() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("product");
    fs::create_dir(&folder).expect("made");
    kernel(&folder, "get_global_id(1)");
    // Two buffers of 19 MB, more than the usual 32 MiB together.
    let large = LAUNCH.replace("[[sizes]]\nn = 64\n", "").replacen(
        "length = \"n * n\"",
        "length = \"n * n + 4800000\"",
        2,
    );
    fs::write(folder.join("launch.toml"), &large).expect("written");
    let (status, answer) = answer_with(&folder, &[]);
    assert_eq!(status, 0, "{answer}");
    assert_eq!(answer["checked"]["equal"], serde_json::json!(["n=32"]));

    let elsewhere = LAUNCH.replace("n = 32", "n = 32\non = [\"gpu\"]");
    let elsewhere = elsewhere.replace("n = 64", "n = 64\non = [\"gpu\"]");
    fs::write(folder.join("launch.toml"), elsewhere).expect("written");
    let (status, answer) = answer_with(&folder, &[]);
    assert_eq!((status, &answer["status"]), (5, &"not_checked".into()));
    assert_eq!(answer["checked"]["failures"], serde_json::json!([]));
    let why = answer["checked"]["skipped"][0].to_string();
    assert!(why.contains("--size n=32 tries it"), "{why}");
}

#[test]
fn candidates_in_other_forms_do_the_same() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("product");
    fs::create_dir(&folder).expect("made");
    kernel(&folder, "get_global_id(1)");
    require(&folder);
    // Few sizes of work-groups divide 48.
    let launch = LAUNCH
        .replace("n = 32", "n = 48")
        .replace("[[sizes]]\nn = 64\n", "");
    fs::write(folder.join("launch.toml"), launch).expect("written");
    let (status, answer) = answer_with(&folder, &["--tune", "2", "--arrays", "b"]);
    assert_eq!(status, 0, "{answer}");
    let candidates = answer["candidates"].as_array().expect("candidates");
    assert!(candidates.len() > 12, "{answer}");
    let measured = |it: &&Value| it["measured_s"].is_number();
    assert_eq!(candidates.iter().filter(measured).count(), 2, "{answer}");
    for form in ["work_group", "strip", "padding"] {
        let has_form = |it: &Value| !it[form].is_null();
        assert!(candidates.iter().any(has_form), "{form}: {answer}");
    }
}

fn read(folder: &Path) -> (Clang, Kernel) {
    let clang = Clang::find().expect("clang-15 is installed");
    (clang, load(folder).expect("a kernel").remove(0))
}

/// With `b` in local memory.
fn rewrite_in_form(clang: &Clang, kernel: &Kernel, shape: Shape) -> RewrittenKernel {
    let options = RewriteOptions {
        most_bytes: 32 << 10,
        only: vec!["b".to_owned()],
        rule: Rule::Shared,
        tile: shape.tile,
        form: shape.form,
    };
    rewrite(clang, kernel, &options).expect("it is read")
}

/// Each is made for its own work-groups.
#[test]
fn a_form_is_written_for_its_work_groups() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("product");
    fs::create_dir(&folder).expect("made");
    kernel(&folder, "get_global_id(1)");
    require(&folder);
    let (clang, own) = read(&folder);
    let usual = rewrite_in_form(&clang, &own, Shape::default());
    let shapes = other_shapes(&clang, &own, &usual, 1024).expect("it is read");
    assert!(shapes.len() > 12, "{shapes:?}");
    for shape in shapes {
        let rewritten = rewrite_in_form(&clang, &own, shape.clone());
        let source = rewritten.after.expect("it is rewritten");
        let required = match &shape.tile {
            Some(size) => {
                let size: Vec<String> = size.iter().map(ToString::to_string).collect();
                format!("reqd_work_group_size({}, 1)", size.join(", "))
            }
            None => "reqd_work_group_size(SIDE, SIDE, 1)".to_owned(),
        };
        assert!(source.contains(&required), "{shape:?}: {source}");
    }
}

#[test]
fn the_papers_rule_takes_the_most_accessed_array() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("product");
    fs::create_dir(&folder).expect("made");
    kernel(&folder, "get_global_id(1)");
    let (status, answer) = answer_with(&folder, &["--rule", "paper"]);
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
    let (clang, own) = read(&folder);
    let usual = rewrite_in_form(&clang, &own, Shape::default());
    let shapes = other_shapes(&clang, &own, &usual, 1024).expect("it is read");
    assert!(!shapes.is_empty());
    assert!(shapes.iter().all(|it| it.tile.is_none()), "{shapes:?}");
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
    let (status, words) = answer_with(&folder, &[]);
    assert_eq!(status, 4, "{words}");
    assert!(
        words.to_string().contains("launch.toml, options"),
        "{words}"
    );
}
