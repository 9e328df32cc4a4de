//! Parts as long as arguments say, and columns that work-items own: what is rewritten, and what looks alike and must
//! stay.

use crate::common::localized::{GROUP, localized, localized_in};
use kerncast_analysis::localize::{Length, Localized, Mechanism};

/// The kernel of these lines; `n` is 16, as many as a work-group has work-items of the launch's 64.
fn source(lines: &str) -> String {
    format!(
        "float half_of(__global const float *p) {{ return p[0] / 2; }}\n\
         __kernel void tried(__global float *a, __global const float *c, __global const int *d, __global float *b, int n)\n\
         {{ const int i = get_global_id(0); const int l = get_local_id(0); const int rows = get_global_size(0); float s = 0;\n{lines}\nb[i] = s; }}\n"
    )
}

fn tried(lines: &str) -> (Localized, Option<String>) {
    localized(&source(lines), &[GROUP], |place| place)
}

fn has(found: &Localized, mechanism: Mechanism) -> bool {
    found.placed.iter().any(|it| it.mechanism == mechanism)
}

#[test]
fn a_part_is_as_long_as_the_next_ones_beginning_says() {
    let lines = "__global float *p = a + get_group_id(0) * n * n; for (int k = 0; k < n; ++k) p[l * n + k] = k; barrier(CLK_GLOBAL_MEM_FENCE); for (int k = 0; k < n; ++k) s += p[k * n + l];";
    let (found, text) = tried(lines);
    let text = text.expect("edits that fit");
    assert!(has(&found, Mechanism::Part), "{:?}", found.refusals);
    assert!(text.contains("int n, __local float *a_part)"), "{text}");
    assert!(text.contains("__local float *p = a_part;"), "{text}");
    assert_eq!(found.added.len(), 1);
    assert_eq!(found.added[0].length, Length::Sum(vec![(1, vec![4, 4])]));
}

#[test]
fn work_groups_may_have_another_size_where_only_parts_are_brought() {
    let lines = "__global float *p = a + get_group_id(0) * (2 * n + 1); p[l] = c[l]; barrier(CLK_GLOBAL_MEM_FENCE); s = p[get_local_size(0) - 1 - l];";
    let source = source(lines).replace("const int i = get_global_id(0);", "const int i = 0;");
    let (found, text) = localized_in(&source, &[[16, 1, 1], [32, 1, 1]], |place| place);
    let text = text.expect("edits that fit");
    assert!(has(&found, Mechanism::Part), "{:?}", found.refusals);
    assert!(
        text.contains("i_2 < n * 2 + 1; i_2 += get_local_size(0)"),
        "{text}"
    );
    assert!(!text.contains("reqd_work_group_size"), "{text}");
    // At 64 work-items a part would be the next one's, too.
    let (found, _) = localized_in(&source, &[[16, 1, 1], [64, 1, 1]], |place| place);
    assert!(found.placed.is_empty(), "{:?}", found.placed);
}

/// Parts that may be another work-group's somewhere, or whose length nobody knows.
const NO_PARTS: &[(&str, &str)] = &[
    (
        "one element too many",
        "__global float *p = a + get_group_id(0) * n * n; for (int k = 0; k < n; ++k) p[l * n + k + 1] = k; barrier(CLK_GLOBAL_MEM_FENCE); s = p[l * n];",
    ),
    (
        "one element before",
        "__global float *p = a + get_group_id(0) * n * n; for (int k = 0; k < n; ++k) p[l * n + k] = k; barrier(CLK_GLOBAL_MEM_FENCE); s = p[l * n - 1];",
    ),
    (
        "an offset that all have",
        "__global float *p = a + get_group_id(0) * n * n + n; for (int k = 0; k < n; ++k) p[l * n + k] = k; barrier(CLK_GLOBAL_MEM_FENCE); s = p[l * n];",
    ),
    (
        "the square of the group",
        "__global float *p = a + get_group_id(0) * get_group_id(0) * n; p[l * n] = 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[n - l];",
    ),
    (
        "as far as the group says",
        "__global float *p = a + get_group_id(0) * n * n; for (int k = 0; k < get_group_id(0) * 9; ++k) p[l * n + k] = k; barrier(CLK_GLOBAL_MEM_FENCE); s = p[l * n];",
    ),
    (
        "where data say",
        "__global float *p = a + get_group_id(0) * n * n; p[d[l] * n] = 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[l * n];",
    ),
    (
        "a guard by data",
        "__global float *p = a + get_group_id(0) * n * n; if (d[l] < n) p[l * n + d[l]] = 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[l * n];",
    ),
    (
        "two pointers, one from elsewhere",
        "__global float *p = a + get_group_id(0) * n * n; __global float *q = a + get_group_id(0) * n; p[l * n] = 1; q[l] = 2; barrier(CLK_GLOBAL_MEM_FENCE); s = p[l * n];",
    ),
    (
        "through a function",
        "__global float *p = a + get_group_id(0) * n * n; for (int k = 0; k < n; ++k) p[l * n + k] = k; barrier(CLK_GLOBAL_MEM_FENCE); s = half_of(p);",
    ),
];

#[test]
fn parts_that_may_overlap_stay() {
    for (name, lines) in NO_PARTS {
        let (found, text) = tried(lines);
        let is_placed = has(&found, Mechanism::Part);
        assert!(!is_placed, "{name}\n{}", text.unwrap_or_default());
        assert!(!found.refusals.is_empty(), "{name}");
    }
}

#[test]
fn columns_go_whichever_row_data_say() {
    let lines = "for (int k = 0; k < n * n; ++k) s += c[d[k] * rows + i];";
    let (found, text) = tried(lines);
    let text = text.expect("edits that fit");
    assert!(has(&found, Mechanism::Columns), "{:?}", found.refusals);
    assert!(
        text.contains("c_columns[d_tile[k - k_start] * 16 + get_local_id(0)]"),
        "{text}"
    );
    let back = "c[i_2 * get_global_size(0) + get_global_id(0)] = ";
    assert!(!text.contains(back), "{text}");
}

#[test]
fn columns_that_are_written_go_and_come_back() {
    let lines = "__global float *p = a + i; for (int k = 0; k < n * n; ++k) { p[d[k] * rows + 0 * rows] += 1; s += p[(k % n) * rows]; }";
    let (found, text) = tried(lines);
    let text = text.expect("edits that fit");
    assert!(has(&found, Mechanism::Columns), "{:?}", found.refusals);
    assert!(
        text.contains("__local float *p = a_columns + get_local_id(0);"),
        "{text}"
    );
    let back =
        "a[i_2 * get_global_size(0) + get_global_id(0)] = a_columns[i_2 * 16 + get_local_id(0)];";
    assert_eq!(text.matches(back).count(), 1, "{text}");
}

/// Of another work-item, perhaps, or of a form that is not followed.
const NO_COLUMNS: &[(&str, &str)] = &[
    (
        "a neighbour's column",
        "for (int k = 0; k < n * n; ++k) s += c[d[k] * rows + i + 1];",
    ),
    (
        "a column by the local id",
        "for (int k = 0; k < n * n; ++k) s += c[d[k] * rows + l];",
    ),
    (
        "rows of another length",
        "for (int k = 0; k < n * n; ++k) s += c[d[k] * (rows - 1) + i];",
    ),
    (
        "an argument that is no row's length",
        "for (int k = 0; k < n * n; ++k) s += c[d[k] * n + i];",
    ),
    (
        "a column that data move",
        "for (int k = 0; k < n * n; ++k) s += c[d[k] * rows + i + d[l]];",
    ),
    (
        "a column twice",
        "for (int k = 0; k < n * n; ++k) s += c[d[k] * rows + i + i];",
    ),
    (
        "a column less",
        "for (int k = 0; k < n * n; ++k) s += c[d[k] * rows - i];",
    ),
    (
        "a row's length that changes",
        "int width = get_global_size(0); for (int k = 0; k < n * n; ++k) { s += c[d[k] * width + i]; width += d[k]; }",
    ),
    (
        "a row's length of a byte",
        "const uchar width = get_global_size(0); for (int k = 0; k < n * n; ++k) s += c[d[k] * width + i];",
    ),
    (
        "a column of a byte",
        "const uchar own = get_global_id(0); for (int k = 0; k < n * n; ++k) s += c[d[k] * rows + own];",
    ),
    (
        "a pointer that moves",
        "__global const float *p = c + i; for (int k = 0; k < n * n; ++k) { s += p[d[k] * rows]; p += rows; }",
    ),
    (
        "a pointer that is given away",
        "__global const float *p = c + i; for (int k = 0; k < n * n; ++k) s += p[d[k] * rows]; s += half_of(p);",
    ),
    (
        "a pointer's address",
        "__global const float *p = c + i; for (int k = 0; k < n * n; ++k) s += *(&p[d[k] * rows]);",
    ),
    (
        "both ways of a column",
        "__global const float *p = c + i; for (int k = 0; k < n * n; ++k) s += p[d[k] * rows + i];",
    ),
    (
        "vectors of it",
        "for (int k = 0; k < n * n; ++k) s += vload2(0, c + d[k] * rows + i).x;",
    ),
    (
        "an early end before it is written back",
        "if (d[i] < 0) return; for (int k = 0; k < n * n; ++k) a[d[k] * rows + i] += a[(k % n) * rows + i];",
    ),
    (
        "what others read too",
        "for (int k = 0; k < n * n; ++k) a[d[k] * rows + i] += 1; barrier(CLK_GLOBAL_MEM_FENCE); s = a[i + 1];",
    ),
    (
        "known rows that neighbours read side by side",
        "for (int k = 0; k < n * n; ++k) s += c[(k % n) * rows + i];",
    ),
];

#[test]
fn columns_that_may_be_anothers_stay() {
    for (name, lines) in NO_COLUMNS {
        let (found, text) = tried(lines);
        let is_placed = has(&found, Mechanism::Columns);
        assert!(!is_placed, "{name}\n{}", text.unwrap_or_default());
    }
}

#[test]
fn columns_of_a_shared_buffer_stay() {
    let lines = "for (int k = 0; k < n * n; ++k) s += c[d[k] * rows + i];";
    let (found, _) = localized(&source(lines), &[GROUP], |place| place.min(1));
    assert!(!has(&found, Mechanism::Columns), "{:?}", found.placed);
}

#[test]
fn passes_that_move_a_tile_by_several_elements_are_strips() {
    let lines = "for (int k = 0; k < n; ++k) for (int j = 0; j < 3; ++j) s += c[k * 3 + j];";
    let (found, text) = tried(lines);
    let text = text.expect("edits that fit");
    assert!(has(&found, Mechanism::Strip), "{:?}", found.refusals);
    assert!(text.contains("if (k_start * 3 + "), "{text}");
    // What lies between the passes' elements would be brought for nothing.
    let (found, _) = tried("for (int k = 0; k < n; ++k) s += c[k * 3];");
    assert!(!has(&found, Mechanism::Strip), "{:?}", found.placed);
}
