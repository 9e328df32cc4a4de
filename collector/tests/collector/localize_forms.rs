//! Forms that people write loops and indices in, at sizes that no strip divides: each is rewritten, and does the same.

use std::fs;

use crate::common::localized::answer;
use serde_json::Value;

/// `in` has n + terms + 2000 elements; `out` has n; work-groups are of 16.
const LAUNCH: &str = r#"
title = "t"
family = "f"
[[sizes]]
n = 48
terms = 37
[[sizes]]
n = 160
terms = 5
[[arguments]]
name = "in"
buffer = "float"
length = "n * (terms + 3) + 4000"
fill = { uniform = [-1.0, 1.0] }
[[arguments]]
name = "out"
buffer = "float"
length = "n"
access = "write"
[[arguments]]
name = "terms"
scalar = "TYPE"
value = "terms"
[variants.global]
function = "tried"
global = ["n"]
local = ["16"]
[tolerance]
absolute = 1e-5
"#;

/// What it is called, the type of `terms`, and the kernel's body, where `i` is the work-item.
const FORMS: &[(&str, &str, &str)] = &[
    (
        "up to and with",
        "int",
        "for (int k = 0; k <= terms; ++k) s += in[k] * in[i + k];",
    ),
    (
        "from another begin",
        "int",
        "for (int k = 3; k < terms; ++k) s += in[k] * in[i + k];",
    ),
    (
        "without a sign",
        "uint",
        "for (uint k = 0; k < terms; ++k) s += in[k] * in[i + k];",
    ),
    (
        "of 64 bits",
        "long",
        "for (long k = 0; k < terms; ++k) s += in[k] * in[i + k];",
    ),
    (
        "postfix",
        "int",
        "for (int k = 0; k < terms; k++) { s += in[k]; s *= 0.5f; }",
    ),
    (
        "by addition",
        "int",
        "for (int k = 0; k < terms; k += 1) s += in[k];",
    ),
    (
        "backwards in the array",
        "int",
        "for (int k = 0; k < terms; ++k) s += in[i + terms - k];",
    ),
    (
        "shifted by an argument",
        "int",
        "for (int k = 0; k < terms; ++k) s += in[terms + k] - in[k + 1];",
    ),
    (
        "a window in each pass",
        "int",
        "for (int k = 0; k < terms; ++k) for (int j = 0; j < 3; ++j) s += in[i + k + j];",
    ),
    (
        "a window by passes of a fixed loop",
        "int",
        "for (int j = -2; j <= 2; ++j) s += in[i + j + 2];",
    ),
    (
        "several elements a pass",
        "int",
        "for (int k = 0; k < terms; ++k) for (int j = 0; j < 3; ++j) s += in[k * 3 + j] * in[i + j];",
    ),
    (
        "several elements a pass, overlapping, without a sign",
        "uint",
        "for (uint k = 0; k < terms; ++k) for (uint j = 0; j < 5; ++j) s += in[k * 2 + j];",
    ),
    (
        "several elements a pass from another begin",
        "int",
        "for (int k = 2; k < terms; ++k) s += in[k * 2 + 1] - in[k * 2];",
    ),
    (
        "rows of half an argument",
        "int",
        "for (int k = 0; k < terms; ++k) s += in[i * (terms / 2) + k];",
    ),
    (
        "down",
        "int",
        "for (int j = 4; j >= 0; --j) s += in[i + j];",
    ),
    (
        "by twos",
        "int",
        "for (int j = 0; j < 8; j += 2) s += in[i + j] - in[i + j + 1];",
    ),
    (
        "below a border",
        "int",
        "for (int j = -3; j <= 3; ++j) s += in[max(i + j, 0)];",
    ),
    (
        "between two borders",
        "int",
        "for (int j = -3; j <= 3; ++j) s += in[clamp(i + j, 2, terms)];",
    ),
    (
        "one before, cut",
        "int",
        "s = in[max(i - 1, 0)]; for (int r = 0; r < 3; ++r) s += in[max(i - 1, 0)] * in[r] + in[r + 1];",
    ),
    (
        "rows of an argument's length",
        "int",
        "for (int k = 0; k < terms; ++k) s += in[i * (terms + 3) + k];",
    ),
    (
        "rows of a fixed length",
        "int",
        "for (int k = 0; k < 20; ++k) s += in[(int)get_local_id(0) * 20 + k];",
    ),
    (
        "two loops one after the other",
        "int",
        "for (int k = 0; k < terms; ++k) s += in[k]; for (int k = 0; k < terms; ++k) s -= s * in[k + 2];",
    ),
    (
        "two loops one in the other",
        "int",
        "for (int r = 0; r < 3; ++r) for (int k = 0; k < terms; ++k) s += in[k + r] * r;",
    ),
    (
        "triangles",
        "int",
        "for (int r = 0; r < 5; ++r) for (int k = 0; k <= r; ++k) s += in[i + r * 2 + k];",
    ),
    (
        "a pointer",
        "int",
        "__global const float *p = in + i + 1; for (int j = 0; j < 6; ++j) s += p[j] + *(p + j);",
    ),
    (
        "braces and comments",
        "int",
        "for (int k = 0; k < terms; ++k) { // one\n        /* two */ s += in[k]\n            * in[i + k];\n    }",
    ),
    (
        "a table by data",
        "int",
        "for (int k = 0; k < terms; ++k) s += in[(int)(fabs(s) * 3) % 5 + k];",
    ),
    (
        "from below 0",
        "int",
        "for (int k = -7; k <= 7; ++k) s += in[k + 7] * in[i + k + 7];",
    ),
    (
        "an index of 64 bits",
        "int",
        "const long m = terms; for (int k = 0; k < terms; ++k) for (int j = 0; j < 3; ++j) s += in[k * m + get_local_id(0) + j];",
    ),
    (
        "limits in the other order",
        "int",
        "for (int r = -2; r <= 2; ++r) s += in[max(min(i + r, terms - 4), 0)];",
    ),
    (
        "a pass in one line",
        "int",
        "for (int k = 0; k < terms; k += 3) { for (int j = 0; j < 8; ++j) s += in[i + k + j] * in[k + j * 2]; }",
    ),
    (
        "a pass that begins in its brace's line",
        "int",
        "for (int k = 0; k < terms; k += 3) { s *= 0.5f;\n        for (int j = 0; j < 8; ++j)\n            s += in[i + k + j] * in[k + j * 2];\n    }",
    ),
    (
        "a case entered from above or at once",
        "int",
        "int j = 0; switch (terms) { case 1: j = 3; case 5: for (int k = 0; k < 8; ++k) s += in[i + j + k]; }",
    ),
    (
        "a break with what it leaves",
        "int",
        "int j = 0; switch (terms) { case 5: if (terms > 4) { j = 3; break; } j = 1; } for (int k = 0; k < 8; ++k) s += in[i + j + k];",
    ),
    (
        "a condition inside",
        "int",
        "for (int k = 0; k < terms; ++k) { if (k % 3 == 1) continue; s += in[k] * in[i + k]; }",
    ),
];

fn localize(of: &str, body: &str) -> (i32, Value) {
    localize_as(LAUNCH, of, body)
}

fn localize_as(launch: &str, of: &str, body: &str) -> (i32, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("tried");
    fs::create_dir(&folder).expect("made");
    let source = format!(
        "__kernel void tried(__global const float *in, __global float *out, {of} terms)\n{{\n    const int i = \
         get_global_id(0);\n    float s = 0;\n    {body}\n    out[i] = s;\n}}\n"
    );
    fs::write(folder.join("tried.cl"), source).expect("written");
    fs::write(folder.join("launch.toml"), launch.replace("TYPE", of)).expect("written");
    answer(&folder)
}

#[test]
fn forms_that_people_write_do_the_same() {
    let (mut rewritten, mut wrong) = (0, Vec::new());
    for (name, of, body) in FORMS {
        let (status, answer) = localize(of, body);
        eprintln!("{name}: {status}");
        rewritten += usize::from(status == 0);
        if ![0, 3, 4].contains(&status) {
            wrong.push(format!("{name}: {status} {answer}"));
        }
    }
    eprintln!("{rewritten} of {}", FORMS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rewritten >= 18, "{rewritten}");
}

/// Several launches of one function are rewritten as one is.
#[test]
fn several_launches_do_the_same() {
    let rounds = "[variants.global]\nrounds = \"n / 48\"";
    let launch = LAUNCH.replace("[variants.global]", rounds);
    let (status, answer) = localize_as(&launch, "int", FORMS[0].2);
    assert_eq!(status, 0, "{answer}");
    let equal = answer["checked"]["equal"].as_array().expect("sizes");
    assert_eq!(equal.len(), 2, "{answer}");
}

/// What was refused without need, each at sizes that no strip divides.
#[test]
fn what_is_alike_for_all_is_rewritten() {
    let forms = [
        "for (int k = 0; k < (terms < 20 ? terms : 20); ++k) s += in[k] * in[i + k];",
        "for (int k = 0; k < min(terms, 20); ++k) s += in[k] * in[i + k];",
        "for (int k = terms > 9 ? 3 : 1; k < max(terms, 7); ++k) s += in[k] * in[i + k];",
        "for (int k = 0; k < terms; k += 3) for (int j = 0; j < 8; ++j) s += in[i + k + j] * in[k + j * 2];",
        "for (int k = 0; k < terms; k += 3)\n        for (int j = 0; j < 8; ++j)\n            s += in[i + k + j] * in[k + j * 2];",
        "for (int k = 0; k < terms; k += 3)\n        if (terms > 2)\n            for (int j = 0; j < 8; ++j)\n                s += in[i + k + j];\n        else\n            s += 1;",
        "for (int j = -3; j <= 3; ++j) if (i + j >= 0 && i + j < terms) s += in[i + j];",
        "for (int j = -3; j <= 3; ++j) { if (i + j < 0 || i + j >= terms) continue; s += in[i + j]; }",
        "for (int j = -3; j <= 3; ++j) if (i + j >= 2) s += in[i + j - 2];",
        "for (int j = -3; j <= 3; ++j) if (i - j >= 0) s += in[i - j];",
    ];
    let mut wrong = Vec::new();
    for body in forms {
        let (status, answer) = localize("int", body);
        if status != 0 {
            wrong.push(format!("{body}: {status} {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What Oclgrind says of the author's own variant is not blamed on the rewriting.
#[test]
fn an_authors_race_is_the_authors() {
    let body = "for (int k = 0; k < terms; ++k) s += in[k] * in[i + k]; out[i / 2] = s;";
    let (status, answer) = localize("int", body);
    assert_eq!(status, 5, "{answer}");
    let failures = answer["checked"]["failures"].to_string();
    assert!(
        failures.contains("`global`, which it is made of, has a mistake"),
        "{failures}"
    );
}

/// Names that a header defines are not taken.
#[test]
fn a_headers_macro_keeps_its_name() {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("tried");
    fs::create_dir(&folder).expect("made");
    let source = "#include \"names.h\"\n__kernel void tried(__global const float *in, __global float *out, int terms)\n{\n    \
                  const int i = get_global_id(0);\n    float s = 0;\n    for (int k = 0; k < terms; ++k) s += in[k] * in[i + k];\n    \
                  out[i] = s;\n}\n";
    fs::write(folder.join("tried.cl"), source).expect("written");
    fs::write(
        folder.join("names.h"),
        "#define in_tile 3\n#define k_start (4 +)\n",
    )
    .expect("written");
    fs::write(folder.join("launch.toml"), LAUNCH.replace("TYPE", "int")).expect("written");
    let (status, answer) = answer(&folder);
    assert_eq!(status, 0, "{answer}");
    let source = answer["source"].as_str().expect("a source");
    assert!(
        source.contains("in_tile_2[") && source.contains("k_start_2"),
        "{source}"
    );
}
