//! Local memory taken back: the suite's hand-written `local` variants without any, run and compared, and what is refused.

use std::{fs, path::Path, thread};

use crate::common::localized::asked;
use kerncast_suite::load;
use serde_json::Value;

#[test]
fn the_suites_local_variants_do_the_same_in_global_memory() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let mut kernels = load(&folder).expect("the suite");
    kernels.retain(|kernel| kernel.variant("local").is_some());
    let half = kernels.len().div_ceil(2);
    let all: Vec<(String, i32, Value)> = thread::scope(|scope| {
        let parts = kernels.chunks(half).map(|part| {
            scope.spawn(|| {
                let each = part.iter().map(|kernel| {
                    let (status, answer) = asked(&kernel.folder, &["--undo"]);
                    (kernel.name.clone(), status, answer)
                });
                each.collect::<Vec<_>>()
            })
        });
        let parts: Vec<_> = parts.collect();
        let ran = parts.into_iter().map(|part| part.join().expect("it ran"));
        ran.flatten().collect()
    });
    let (mut equal, mut race_free, mut sizes, mut other) = (0, 0, 0, Vec::new());
    for (name, status, answer) in &all {
        let checked = &answer["checked"];
        let count = |key: &str| checked[key].as_array().map_or(0, Vec::len);
        let placed = answer["placed"].as_array().cloned().unwrap_or_default();
        let how: Vec<String> = placed
            .iter()
            .map(|it| format!("{} {}", it["array"], it["mechanism"]).replace('"', ""))
            .collect();
        let loads = &answer["global_loads"];
        eprintln!(
            "{name:<22} {status} {:<40} {} → {}; equal at {}; {} {}",
            how.join(", "),
            loads["before"],
            loads["after"],
            count("equal"),
            answer["refusals"],
            checked["failures"]
        );
        equal += usize::from(*status == 0);
        sizes += count("equal");
        race_free += count("race_free");
        if *status != 0 {
            other.push(format!("{name}: {status} {answer}"));
        }
    }
    eprintln!(
        "{equal} of {} are equal, at {sizes} sizes; without a race {race_free}",
        all.len()
    );
    assert!(other.is_empty(), "{}", other.join("\n"));
    assert!(equal >= 68 && race_free >= 60, "{equal} {race_free}");
}

const LAUNCH: &str = r#"
title = "t"
family = "f"
[[sizes]]
n = 64
[[sizes]]
n = 160
[[arguments]]
name = "a"
buffer = "float"
length = "n + 32"
fill = { uniform = [-1.0, 1.0] }
[[arguments]]
name = "b"
buffer = "float"
length = "n"
access = "write"
[[arguments]]
name = "n"
scalar = "int"
value = "n"
[variants.tiled]
function = "tried"
global = ["n"]
local = ["16"]
"#;

/// What becomes of a kernel whose body this is, and of its launch file where it is written.
fn undone(before: &str, parameters: &str, body: &str, launch: &str) -> (i32, Value, String) {
    let own = tempfile::tempdir().expect("a folder");
    let folder = own.path().join("tried");
    fs::create_dir(&folder).expect("made");
    let head = "__kernel void tried(__global const float *a, __global float *b, int n";
    let source = format!(
        "{before}\n{head}{parameters})\n{{\n    int g = get_global_id(0), l = get_local_id(0);\n    {body}\n}}\n"
    );
    fs::write(folder.join("tried.cl"), source).expect("written");
    fs::write(folder.join("launch.toml"), launch).expect("written");
    let (status, answer) = asked(&folder, &["--undo", "--write"]);
    let written = fs::read_to_string(folder.join("launch.toml")).expect("it is there");
    (status, answer, written)
}

fn mechanisms(answer: &Value) -> Vec<String> {
    let placed = answer["placed"].as_array().cloned().unwrap_or_default();
    let each = placed
        .iter()
        .map(|it| it["mechanism"].as_str().map(str::to_owned));
    each.flatten().collect()
}

const BARRIER: &str = "barrier(CLK_LOCAL_MEM_FENCE);";

/// Each holds copies that are read where they came from only if that is what they hold; all of them do the same.
#[test]
fn copies_are_read_where_they_came_from_and_nothing_else_is() {
    let wait = BARRIER;
    let cases: Vec<(&str, String, &str)> = vec![
        (
            "a copy",
            format!("__local float t[16]; t[l] = a[g]; {wait} b[g] = t[15 - l];"),
            "source",
        ),
        (
            "its halo",
            format!(
                "__local float t[20]; for (int i = l; i < 20; i += 16) t[i] = a[g - l + i]; {wait} b[g] = t[l] + t[l + 4];"
            ),
            "source",
        ),
        (
            "in two parts",
            format!(
                "__local float t[20]; t[l] = a[g]; if (l < 4) t[16 + l] = a[g + 16]; {wait} b[g] = t[l] + t[l + 4];"
            ),
            "source",
        ),
        (
            "two parts that say two things",
            format!(
                "__local float t[20]; t[l] = a[g]; if (l < 4) t[16 + l] = a[g]; {wait} b[g] = t[l] + t[l + 4];"
            ),
            "scratch",
        ),
        (
            "for each strip",
            format!(
                "__local float t[16]; float s = 0; for (int k = 0; k < n; k += 16) {{ t[l] = a[k + l]; {wait} \
             for (int j = 0; j < 16; ++j) s += t[j] * (j + l); {wait} }} b[g] = s;"
            ),
            "source",
        ),
        (
            "of the strip before",
            format!(
                "__local float t[16]; float s = 0; t[l] = a[g]; {wait} for (int k = 0; k < n; k += 16) {{ \
             for (int j = 0; j < 16; ++j) s += t[j] * (j + l); {wait} t[l] = a[k + l]; {wait} }} b[g] = s;"
            ),
            "scratch",
        ),
        (
            "read before it is filled anew",
            format!(
                "__local float t[16]; float s = 0; for (int k = 0; k < n; k += 16) {{ if (k > 0) s += t[15 - l]; {wait} \
             t[l] = a[k + l]; {wait} }} b[g] = s;"
            ),
            "scratch",
        ),
        (
            "filled in some passes",
            format!(
                "__local float t[16]; float s = 0; for (int k = 0; k < n; k += 16) {{ if (k % 32 == 0) t[l] = a[k + l]; {wait} \
             s += t[15 - l]; {wait} }} b[g] = s;"
            ),
            "scratch",
        ),
        (
            "filled by some work-items",
            format!(
                "__local float t[16]; float s = 0; t[l] = 1; {wait} for (int k = 0; k < n; k += 16) {{ if (l < 8) t[l] = a[k + l]; \
             {wait} s += t[15 - l]; {wait} }} b[g] = s;"
            ),
            "scratch",
        ),
        (
            "read beyond what the pass has filled",
            format!(
                "__local float t[32]; float s = 0; t[l + 16] = a[g]; t[l] = a[g]; {wait} for (int k = 0; k < n; k += 16) {{ \
             t[l] = a[k + l]; {wait} s += t[31 - l]; {wait} }} b[g] = s;"
            ),
            "scratch",
        ),
        (
            "what is computed",
            format!("__local float t[16]; t[l] = a[g] * 2; {wait} b[g] = t[15 - l];"),
            "scratch",
        ),
        (
            "converted",
            format!("__local int t[16]; t[l] = a[g] * 9; {wait} b[g] = t[15 - l];"),
            "scratch",
        ),
        (
            "added to",
            format!("__local float t[16]; t[l] = a[g]; {wait} t[l] += 1; {wait} b[g] = t[15 - l];"),
            "scratch",
        ),
        (
            "by a work-item's own number",
            format!(
                "__local float t[16]; for (int i = 0; i < 16; ++i) if (i == l) t[i] = a[g]; {wait} b[g] = t[15 - l];"
            ),
            "scratch",
        ),
        (
            "from what is written",
            format!("__local float t[16]; b[g] = l; {wait} t[l] = b[g]; {wait} b[g] = t[15 - l];"),
            "scratch",
        ),
        (
            "a tile's place in another",
            format!(
                "__local float t[16]; __local int p[16]; p[l] = 15 - l; t[l] = a[g]; {wait} b[g] = t[p[l]];"
            ),
            "scratch",
        ),
        (
            "its address",
            format!(
                "__local float t[16]; __local float *q = t; q[l] = a[g]; {wait} b[g] = q[15 - l];"
            ),
            "scratch",
        ),
        (
            "by data",
            format!("__local float t[16]; t[l] = a[g]; {wait} b[g] = t[(int)(a[g] * 5 + 7)];"),
            "source",
        ),
        (
            "one number",
            format!("__local float t; if (l == 3) t = a[g]; {wait} b[g] = t;"),
            "scratch",
        ),
        (
            "two dimensions",
            format!(
                "__local float t[4][5]; t[l / 4][l % 4] = a[g]; {wait} b[g] = t[l % 4][l / 4];"
            ),
            "scratch",
        ),
        (
            "every other",
            format!("__local float t[32]; t[2 * l] = a[g]; {wait} b[g] = t[2 * (15 - l)];"),
            "scratch",
        ),
        (
            "in steps from its own place",
            format!(
                "__local float t[48]; for (int i = 0; i < 3; ++i) t[i * 16 + l] = a[g - l + i]; {wait} b[g] = t[l] + t[l + 32];"
            ),
            "scratch",
        ),
        (
            "and handed on through global memory",
            format!("__local float t[16]; t[l] = a[g]; b[g] = l; {wait} b[g] = t[15 - l] + b[g];"),
            "source",
        ),
    ];
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(name, body, how)| {
            let (status, answer, _) = undone("", "", body, LAUNCH);
            let all = mechanisms(&answer);
            let is_it = status == 0
                && all.iter().any(|it| it == how)
                && all.last().map(String::as_str) == Some(how)
                || status == 0
                    && *name == "a tile's place in another"
                    && all.iter().all(|it| it == how);
            (!is_it).then(|| format!("{name}: {status} {all:?} {answer}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_knows_no_other_memory_is_refused() {
    let cases = [
        ("no_local", "", "", "b[g] = a[g];"),
        (
            "async_copy",
            "",
            "",
            "__local float t[16]; event_t e = async_work_group_copy(t, a + (g - l), 16, 0); wait_group_events(1, &e); b[g] = t[15 - l];",
        ),
        (
            "stays_local",
            "#define OURS ((__local float *)t)",
            "",
            "__local float t[16]; OURS[l] = a[g] * 2; barrier(CLK_LOCAL_MEM_FENCE); b[g] = OURS[15 - l];",
        ),
        (
            "in_macro",
            "#define SHARED __local",
            "",
            "SHARED float t[16]; t[l] = a[g] * 2; barrier(CLK_LOCAL_MEM_FENCE); b[g] = t[15 - l];",
        ),
        (
            "stays_local",
            "float last(__local float *t) { return t[15]; }\n__kernel void other(__global float *b) { __local float t[16]; t[15] = 1; b[0] = last(t); }",
            "",
            "__local float t[16]; t[l] = a[g] * 2; barrier(CLK_LOCAL_MEM_FENCE); b[g] = last(t);",
        ),
        (
            "text",
            "",
            "",
            "__local float t[16]; t[l] = a[g] * 2; barrier(CLK_LOCAL_MEM_FENCE); b[g] = t[15 - l] + sizeof(t);",
        ),
        (
            "text",
            "",
            "",
            "__local float t[16]; __local float (*q)[16] = &t; (*q)[l] = a[g]; barrier(CLK_LOCAL_MEM_FENCE); b[g] = t[15 - l];",
        ),
        (
            "text",
            "",
            "",
            "__local float t[16] __attribute__((aligned(64))); t[l] = a[g] * 2; barrier(CLK_LOCAL_MEM_FENCE); b[g] = t[15 - l];",
        ),
        (
            "stays_local",
            "",
            "",
            "__local float t[16]; t[l] = a[g] * 2; barrier(1); b[g] = t[15 - l];",
        ),
    ];
    for (reason, before, parameters, body) in cases {
        let (status, answer, written) = undone(before, parameters, body, LAUNCH);
        let is_none = reason == "no_local";
        assert_eq!(
            status,
            if is_none { 3 } else { 4 },
            "{reason} {body}: {answer}"
        );
        assert_eq!(answer["refusals"][0]["reason"], reason, "{body}: {answer}");
        assert_eq!(written, LAUNCH, "nothing is written");
    }
}

/// A size of the launch file, and helpers, pointers, scalars and barriers by a macro: all follow.
#[test]
fn what_is_local_follows_wherever_it_is_used() {
    let before = "#define SYNC barrier(CLK_LOCAL_MEM_FENCE)\n\
                  float both(__local float *t, int l) { __local float *last = t + 15; return t[l] + *last; }";
    let body = "__local uint count; if (l == 0) count = 0; SYNC; atomic_inc(&count); rows[l] = a[g] * 2; \
                __local float *r = rows; SYNC; b[g] = both(rows, l) + r[15 - l] + count;";
    let launch = LAUNCH.replace(
        "[variants.tiled]",
        "[[arguments]]\nname = \"rows\"\nlocal = \"float\"\nlength = \"2 * 16\"\n[variants.tiled]",
    );
    let (status, answer, written) = undone(before, ", __local float *rows", body, &launch);
    assert_eq!(status, 0, "{answer}");
    assert_eq!(mechanisms(&answer), ["scratch", "scratch"]);
    assert!(written.contains("value = \"2 * 16\""), "{written}");
    assert!(written.contains("[variants.global_generated]"), "{written}");
    assert!(written.contains("length = \"(n / 16) * 1\""), "{written}");
}

/// What an author's own race does to a check is said to be the author's.
#[test]
fn an_authors_race_is_the_authors() {
    let body = "__local float t[16]; t[l] = a[g] * 2; b[g] = t[15 - l] > 9 ? 1 : 0;";
    let (status, answer, _) = undone("", "", body, LAUNCH);
    assert_eq!(status, 5, "{answer}");
    let failures = answer["checked"]["failures"].to_string();
    assert!(failures.contains("has a mistake of its own"), "{failures}");
}

#[test]
fn what_would_change_nothing_is_an_error() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/transpose");
    for options in [
        ["--tile", "8x8"],
        ["--arrays", "source"],
        ["--rule", "paper"],
        ["--tune", "2"],
        ["--candidates", "there"],
    ] {
        let (status, words) = asked(&folder, &[&["--undo"], &options[..]].concat());
        assert_eq!(status, 2, "{words}");
    }
    let (status, words) = asked(&folder, &["--undo=lokal"]);
    assert_eq!(status, 2, "{words}");
    assert!(words.to_string().contains("local"), "{words}");
}
