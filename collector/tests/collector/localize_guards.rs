//! Guards that work-items part at, taken away from barriers: each kernel is rewritten, does the same at sizes that no
//! work-group divides, and has neither a race nor a barrier that some miss.

use std::{fs, thread};

use crate::common::localized::answer;

/// `a` has n + 2 * m elements, `at` and `out` have n, and the launch is rounded up to work-groups of 16.
const LAUNCH: &str = r#"
title = "t"
family = "f"
[[sizes]]
n = 37
m = 21
[[sizes]]
n = 100
m = 16
[[arguments]]
name = "a"
buffer = "float"
length = "(n + 2) * m"
fill = { uniform = [-1.0, 1.0] }
[[arguments]]
name = "at"
buffer = "int"
length = "n"
fill = { uniform = [0, 8] }
[[arguments]]
name = "out"
buffer = "float"
length = "n * m"
access = "read_write"
fill = { uniform = [-1.0, 1.0] }
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
global = ["(n + 15) / 16 * 16", "(m + 3) / 4 * 4"]
local = ["16", "4"]
[tolerance]
absolute = 1e-5
"#;

/// What it is called, and the kernel's body, where `x` and `y` are the work-item and `LOOP` is a loop over `a`.
const GUARDS: &[(&str, &str)] = &[
    (
        "two_dimensions",
        "if (x >= n || y >= m) return; LOOP out[y * n + x] = s;",
    ),
    (
        "one_behind_the_other",
        "if (x >= n)\n return;\n if (y > m - 1) { return; }\n LOOP\n out[y * n + x] = s; // done\n",
    ),
    (
        "one_in_the_other",
        "if (x < n) { if (y < m) { LOOP out[y * n + x] = s; } }",
    ),
    (
        "by_data",
        "if (x >= n || y >= m) return; float t = out[y * n + x]; if (at[x] > 3) { out[y * n + x] = 9; return; } LOOP out[y * n + x] = s + t;",
    ),
    (
        "other_ways",
        "if (x < n - 5 && y < m) { LOOP out[y * n + x] = s; } else if (x < n && y < m) { out[y * n + x] = 7; }",
    ),
    (
        "between_loops",
        "if (x >= n || y >= m) return; out[y * n + x] = 1; { LOOP out[y * n + x] += s; } int t = at[x]; int q = 7 / (t + 1); { LOOP if (s > t) return; out[y * n + x] += s * q; }",
    ),
    (
        "in_a_loop",
        "for (int r = 0; r < 3; ++r) { if (x < n - r && y < m) { LOOP out[y * n + x] += s; } }",
    ),
    (
        "all_or_none",
        "if (x >= n || y >= m) return; if (m < 18) return; LOOP out[y * n + x] = s;",
    ),
    (
        "a_condition_that_counts",
        "int j = x; if (j++ >= n || y >= m) return; LOOP out[y * n + x] = s + j;",
    ),
    (
        "whole_passes",
        "if (x >= n || y >= m) return; float s = 0; for (int k = 0; k < m; k += 2) { float t = 0; for (int j = 0; j < 12; ++j) t += a[k + j + x % 2]; s += t; } out[y * n + x] = s;",
    ),
    (
        "a_variable_declared_before",
        "if ((x < n) && (y < m)) { out[y * n + x] *= 0.5f; int k; for (k = 0; k < m; k++) { out[y * n + x] += a[y * m + k] * a[k * n + x]; } }",
    ),
    (
        "a_pragma",
        "if (x >= n || y >= m) return; float s = 0;\n#pragma unroll 4\n for (int k = 0; k < m; ++k) s += a[k] * x; out[y * n + x] = s;",
    ),
];

const LOOP: &str = "float s = 0; for (int k = 0; k < m; ++k) s += a[y * m + k] * a[k * n + x];";

#[test]
fn guards_are_taken_away_from_barriers() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = |(name, body): &(&str, &str)| {
        let own = folder.path().join(name);
        fs::create_dir(&own).expect("made");
        let head = "__kernel void tried(__global const float *a, __global const int *at, __global float *out, int n, int m)";
        let body = body.replace("LOOP", LOOP);
        let source =
            format!("{head}\n{{\n int x = get_global_id(0), y = get_global_id(1);\n {body}\n}}\n");
        fs::write(own.join(format!("{name}.cl")), source).expect("written");
        fs::write(own.join("launch.toml"), LAUNCH).expect("written");
        let (status, answer) = answer(&own);
        let checked = &answer["checked"];
        let count = |key: &str| checked[key].as_array().map_or(0, Vec::len);
        let is_right = status == 0 && count("equal") == 2 && count("race_free") == 1;
        (!is_right).then(|| format!("{name}: {status} {answer:#}"))
    };
    let wrong: Vec<String> = thread::scope(|scope| {
        let halves = GUARDS.chunks(GUARDS.len().div_ceil(2));
        let running: Vec<_> = halves
            .map(|half| scope.spawn(|| half.iter().filter_map(one).collect::<Vec<_>>()))
            .collect();
        let done = running.into_iter();
        done.flat_map(|it| it.join().expect("it ran")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
