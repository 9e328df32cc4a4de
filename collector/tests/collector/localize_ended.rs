//! What a work-group brings to global memory at the kernel's end: counts of atomics, and stores that it turns. What
//! must stay as it is, each for a reason of its own; and what is rewritten, at sizes that no work-group divides.

use std::{fs, thread};

use crate::common::localized::{GROUP, answer, localized, localized_in};
use kerncast_analysis::localize::{Mechanism, Reason};

/// A kernel that counts in `c`; buffers have 4096 elements, `n` is 16.
fn counting(lines: &str) -> String {
    let head =
        "__kernel void tried(__global uint *c, __global const int *at, __global float *b, int n)";
    match lines.contains("__kernel") {
        true => lines.to_owned(),
        false => format!("{head}\n{{ const int i = get_global_id(0);\n{lines}\n}}\n"),
    }
}

/// What changes it, why it must stay, and the kernel's lines.
const COUNTS: &[(&str, Reason, &str)] = &[
    (
        "the old value is stored",
        Reason::OldValue,
        "for (int k = 0; k < 1024; ++k) b[i] = atomic_inc(&c[at[k] & 7]);",
    ),
    (
        "the old value is asked",
        Reason::OldValue,
        "for (int k = 0; k < 1024; ++k) if (atomic_add(&c[0], 1) == 15) b[i] = 1;",
    ),
    (
        "the old value begins a variable",
        Reason::OldValue,
        "for (int k = 0; k < 1024; ++k) { uint old = atomic_inc(&c[at[k] & 7]); b[i] += old; }",
    ),
    (
        "the old value is an index",
        Reason::OldValue,
        "for (int k = 0; k < 1024; ++k) b[atomic_inc(&c[0])] = k;",
    ),
    (
        "exchanged",
        Reason::Operations,
        "for (int k = 0; k < 1024; ++k) atomic_xchg(&c[at[k] & 7], k);",
    ),
    (
        "compared and exchanged",
        Reason::Operations,
        "for (int k = 0; k < 1024; ++k) atomic_cmpxchg(&c[at[k] & 7], 0, k);",
    ),
    (
        "least and largest of the same, by data",
        Reason::Operations,
        "for (int k = 0; k < 1024; ++k) { atomic_min(&c[at[k] & 7], k); atomic_max(&c[at[k] & 7], k); }",
    ),
    (
        "least and largest of the same element",
        Reason::Operations,
        "for (int k = 0; k < 64; ++k) { atomic_min(&c[0], k); atomic_max(&c[0], k); }",
    ),
    (
        "sum and bits of elements that overlap",
        Reason::Operations,
        "for (int k = 0; k < 8; ++k) { atomic_add(&c[k], 1); atomic_or(&c[k + 7], 1); }",
    ),
    (
        "read, too",
        Reason::AlsoAccessed,
        "for (int k = 0; k < 1024; ++k) atomic_inc(&c[at[k] & 7]); b[i] = c[i];",
    ),
    (
        "stored, too",
        Reason::AlsoAccessed,
        "c[i] = 0; for (int k = 0; k < 1024; ++k) atomic_inc(&c[at[k] & 7]);",
    ),
    (
        "in a function",
        Reason::InFunction,
        "void one(__global uint *c, int k) { atomic_inc(&c[k & 7]); }\n__kernel void tried(__global uint *c, __global const int *at, __global float *b, int n)\n{ for (int k = 0; k < 1024; ++k) one(c, at[k]); b[get_global_id(0)] = 1; }",
    ),
    (
        "through a pointer",
        Reason::SeveralArrays,
        "__global uint *p = c + 4; for (int k = 0; k < 1024; ++k) atomic_inc(p);",
    ),
    (
        "of another type",
        Reason::Shape,
        "__kernel void tried(__global float *c, __global const int *at, __global float *b, int n)\n{ for (int k = 0; k < 1024; ++k) atomic_inc((__global int *)&c[at[k] & 7]); }",
    ),
    (
        "a macro says the name",
        Reason::InMacro,
        "#define HIT atomic_inc(&c[at[k] & 7])\n__kernel void tried(__global uint *c, __global const int *at, __global float *b, int n)\n{ for (int k = 0; k < 1024; ++k) HIT; }",
    ),
    (
        "its size is asked, too",
        Reason::Text,
        "for (int k = 0; k < 1024; ++k) atomic_inc(&c[at[k] & (sizeof(c) - 1)]);",
    ),
    (
        "a return in a loop",
        Reason::Returns,
        "for (int k = 0; k < 1024; ++k) { atomic_inc(&c[at[k] & 7]); if (at[k + i] > 5) return; }",
    ),
    (
        "a return that all take, behind counts",
        Reason::Returns,
        "for (int k = 0; k < 1024; ++k) atomic_inc(&c[at[k] & 7]); if (n > 3) return; b[i] = 2;",
    ),
    (
        "a return, and barriers of the author's",
        Reason::Returns,
        "__local int t; t = n; barrier(CLK_LOCAL_MEM_FENCE); if (i >= n) return; for (int k = 0; k < 1024; ++k) atomic_inc(&c[at[k] & 7]);",
    ),
    ("seldom", Reason::FillCosts, "atomic_inc(&c[i]);"),
    (
        "in a loop's head",
        Reason::OldValue,
        "for (int k = 0; k < 1024; ++k, atomic_inc(&c[at[k] & 7])) b[i] += k;",
    ),
    (
        "the array's name means something else, too",
        Reason::Name,
        "for (int k = 0; k < 1024; ++k) atomic_inc(&c[at[k] & 7]); { float c = 3; b[i] = c; }",
    ),
];

#[test]
fn counts_that_somebody_sees_stay() {
    let mut wrong = Vec::new();
    for (name, reason, lines) in COUNTS {
        let (found, text) = localized(&counting(lines), &[GROUP], |place| place);
        let reasons: Vec<Reason> = found.refusals.iter().map(|it| it.reason).collect();
        let is_placed = found.placed.iter().any(|it| it.array == "c");
        if is_placed || !reasons.contains(reason) {
            wrong.push(format!("{name}: {reasons:?}\n{}", text.unwrap_or_default()));
        }
    }
    // Another argument is the same buffer.
    let lines = "for (int k = 0; k < 1024; ++k) atomic_inc(&c[at[k] & 7]); b[i] = 1;";
    let (found, _) = localized(&counting(lines), &[GROUP], |_| 0);
    let reasons: Vec<Reason> = found.refusals.iter().map(|it| it.reason).collect();
    assert!(reasons.contains(&Reason::SameBuffer), "{reasons:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const TURNS: &[(&str, Reason, &str)] = &[
    (
        "in a loop",
        Reason::InLoop,
        "for (int k = 0; k < 4; ++k) b[x * n + y] = k;",
    ),
    ("read, too", Reason::Written, "b[x * n + y] = b[y] + 1;"),
    ("added to", Reason::Written, "b[x * n + y] += 1;"),
    (
        "where data say",
        Reason::Shape,
        "if (at[x] > 3) b[x * n + y] = 1;",
    ),
    (
        "where numbers with a point say",
        Reason::DataDependent,
        "if (a[x] > 0.5f) b[x * n + y] = 1;",
    ),
    (
        "in a function",
        Reason::InFunction,
        "put(b, x * n + y, a[y * n + x]);",
    ),
    (
        "an index that counts",
        Reason::Text,
        "int j = 0; b[x * n + y + j++] = a[y * n + x]; b[j] = 1;",
    ),
    (
        "an index that sets",
        Reason::Text,
        "int j; b[x * n + (j = y)] = a[y * n + x];",
    ),
    (
        "in a condition",
        Reason::Text,
        "if ((b[x * n + y] = a[y * n + x]) > 3) return;",
    ),
    (
        "a return in a loop",
        Reason::DataDependent,
        "for (int k = 0; k < 9; ++k) if (at[k + x] > 5) return; b[x * n + y] = 1;",
    ),
    (
        "a return that all take",
        Reason::Returns,
        "b[x * n + y] = 1; if (n > 3) return;",
    ),
    (
        "volatile",
        Reason::Volatile,
        "volatile __global float *p = b; b[x * n + y] = 1;",
    ),
];

#[test]
fn stores_that_cannot_wait_stay() {
    let mut wrong = Vec::new();
    let source = |lines: &str| {
        format!(
            "void put(__global float *b, int at, float x) {{ b[at] = x; }}\n__kernel void tried(__global const float *a, __global float *b, __global const int *at, int n)\n{{ const int x = get_global_id(0), y = get_global_id(1);\n{lines}\n}}\n"
        )
    };
    for (name, reason, lines) in TURNS {
        let (found, text) = localized_in(&source(lines), &[[GROUP, GROUP, 1]], |place| place);
        let reasons: Vec<Reason> = found.refusals.iter().map(|it| it.reason).collect();
        let is_placed = found.placed.iter().any(|it| it.array == "b");
        // Two stores are only not looked at.
        let is_said = reasons.contains(reason) || reasons.contains(&Reason::OnlyWritten);
        if is_placed || !is_said {
            wrong.push(format!("{name}: {reasons:?}\n{}", text.unwrap_or_default()));
        }
    }
    let turn = source("b[x * n + y] = a[y * n + x];");
    let (found, _) = localized_in(&turn, &[[GROUP, 4, 1]], |place| place);
    let reasons: Vec<Reason> = found.refusals.iter().map(|it| it.reason).collect();
    assert!(reasons.contains(&Reason::NotSquare), "{reasons:?}");
    let (found, _) = localized_in(&turn, &[[GROUP, GROUP, 1]], |_| 0);
    let reasons: Vec<Reason> = found.refusals.iter().map(|it| it.reason).collect();
    assert!(reasons.contains(&Reason::SameBuffer), "{reasons:?}");
    let (found, text) = localized_in(&turn, &[[GROUP, GROUP, 1]], |place| place);
    let mechanisms: Vec<Mechanism> = found.placed.iter().map(|it| it.mechanism).collect();
    assert_eq!(mechanisms, [Mechanism::Staged], "{text:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `a` and `out` have n × m elements, `c` has 8, `d` has m; the launch is rounded up to work-groups of 8 × 8.
const LAUNCH: &str = r#"
title = "t"
family = "f"
[[sizes]]
n = 37
m = 21
[[sizes]]
n = 96
m = 40
[[arguments]]
name = "a"
buffer = "float"
length = "n * m"
fill = { uniform = [-1.0, 1.0] }
[[arguments]]
name = "at"
buffer = "int"
length = "n * m"
fill = { uniform = [0, 7] }
[[arguments]]
name = "out"
buffer = "float"
length = "n * m"
access = "write_partly"
[[arguments]]
name = "c"
buffer = "uint"
length = "8"
access = "read_write"
fill = { uniform = [0, 9] }
[[arguments]]
name = "d"
buffer = "int"
length = "m"
access = "read_write"
fill = { uniform = [-9, 9] }
[[arguments]]
name = "n"
scalar = "int"
value = "n"
[[arguments]]
name = "m"
scalar = "int"
value = "m"
[variants.global]
function = "tried"
global = ["(n + 7) / 8 * 8", "(m + 7) / 8 * 8"]
local = ["8", "8"]
"#;

/// What it is called, what goes to local memory, and the kernel's body, where `x` and `y` are the work-item.
const DONE: &[(&str, &[&str], &str)] = &[
    (
        "a_guard_around",
        &["out"],
        "if (x < n && y < m) out[x * m + y] = a[y * n + x] * 2;",
    ),
    (
        "a_guard_before",
        &["out"],
        "if (x >= n || y >= m) return; out[x * m + y] = a[y * n + x] + at[x];",
    ),
    (
        "guards_of_several_forms",
        &["out"],
        "if (x >= n) return; float s = 0; if (y < m) { s = a[y * n + x]; if (x > 2 && y != 5) { out[x * m + y] = s; } }",
    ),
    (
        "two_sides",
        &["out"],
        "if (x >= n || y >= m) return; if (y < 9) out[x * m + y] = 4; else at[0];",
    ),
    (
        "counts_behind_a_guard",
        &["c"],
        "if (x >= n || y >= m) return; for (int k = 0; k < m; ++k) atomic_inc(&c[at[k * n + x] & 7]);",
    ),
    (
        "counts_down_and_up",
        &["c"],
        "for (int k = 0; k < 9; ++k) { if (x < n && y < m) { atomic_dec(c + at[y * n + x]); atomic_sub(&c[k & 7], 3u); atomic_add(&c[(x + k) & 7], 5u); } }",
    ),
    (
        "least_and_largest_side_by_side",
        &["c", "c"],
        "if (x < n && y < m) { atomic_min(&c[2], x); atomic_max(&c[5], y * x); atomic_max(&c[6], x); }",
    ),
    (
        "as_many_as_an_argument_says",
        &["d"],
        "if (x < n && y < m) for (int k = 0; k < n; ++k) atomic_add(&d[at[y * n + k] % m], k - 9);",
    ),
    (
        "least_numbers_with_a_sign",
        &["d"],
        "if (x < n && y < m) for (int k = 0; k < n; ++k) atomic_min(&d[at[y * n + k] % m], k - 9);",
    ),
    (
        "bits",
        &["c"],
        "if (x < n && y < m) for (int k = 0; k < 5; ++k) atomic_xor(&c[at[y * n + x]], 1u << (x + y * k) % 32);",
    ),
    (
        "all_bits",
        &["c"],
        "if (x < n && y < m) for (int k = 0; k < 5; ++k) atomic_and(&c[at[y * n + x]], 7u + x * k);",
    ),
    (
        "turned_and_counted",
        &["c", "out"],
        "if (x >= n || y >= m) return; out[x * m + y] = a[y * n + x]; for (int k = 0; k < 6; ++k) atomic_or(&c[at[y * n + x]], 1u << k);",
    ),
];

#[test]
fn counts_and_turned_stores_are_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = |(name, arrays, body): &(&str, &[&str], &str)| {
        let own = folder.path().join(name);
        fs::create_dir(&own).expect("made");
        let head = "__kernel void tried(__global const float *a, __global const int *at, __global float *out, __global uint *c, __global int *d, int n, int m)";
        let source =
            format!("{head}\n{{\n int x = get_global_id(0), y = get_global_id(1);\n {body}\n}}\n");
        fs::write(own.join(format!("{name}.cl")), source).expect("written");
        fs::write(own.join("launch.toml"), LAUNCH).expect("written");
        let (status, answer) = answer(&own);
        let checked = &answer["checked"];
        let count = |key: &str| checked[key].as_array().map_or(0, Vec::len);
        let placed = answer["placed"].as_array().cloned().unwrap_or_default();
        let mut placed: Vec<&str> = placed
            .iter()
            .filter_map(|it| it["array"].as_str())
            .collect();
        placed.sort_unstable();
        let is_there = arrays.iter().all(|it| placed.contains(it));
        let is_right = status == 0 && is_there && count("equal") == 2 && count("race_free") == 1;
        (!is_right).then(|| format!("{name}: {status} {answer:#}"))
    };
    let wrong: Vec<String> = thread::scope(|scope| {
        let halves = DONE.chunks(DONE.len().div_ceil(2));
        let running: Vec<_> = halves
            .map(|half| scope.spawn(|| half.iter().filter_map(one).collect::<Vec<_>>()))
            .collect();
        let done = running.into_iter();
        done.flat_map(|it| it.join().expect("it ran")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
