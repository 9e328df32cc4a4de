//! Texts of what is rewritten: parts and columns, their pointers and lengths, names, types and fences.

use super::localized::{GROUP, localized, localized_in};
use kerncast_analysis::localize::{Length, Localized, Mechanism};

/// The kernel of these lines; `n` is 16, as many as a work-group has work-items of the launch's 64.
fn source(lines: &str) -> String {
    format!(
        "__kernel void tried(__global float *a, __global const float *c, __global const int *d, __global float *b, int n)\n\
         {{ const int i = get_global_id(0); const int l = get_local_id(0); const int rows = get_global_size(0); float s = 0;\n{lines}\nb[i] = s; }}\n"
    )
}

fn localize_lines(lines: &str) -> (Localized, String) {
    let (result, text) = localized(&source(lines), &[GROUP], |place| place);
    (result, text.expect("edits that fit"))
}

/// The same, where `b` has the buffer of `c`.
fn localize_sharing(lines: &str) -> (Localized, String) {
    let (result, text) = localized(
        &source(lines),
        &[GROUP],
        |place| {
            if place == 3 { 1 } else { place }
        },
    );
    (result, text.expect("edits that fit"))
}

fn has(result: &Localized, mechanism: Mechanism) -> bool {
    result.placed.iter().any(|it| it.mechanism == mechanism)
}

#[test]
fn a_pointer_to_the_parts_beginning_follows() {
    let lines = "__global float *p = a + get_group_id(0) * 32; __global float *q = p + 16; for (int r = 0; r < 3; ++r) { q[l] = p[15 - l] + 1; barrier(CLK_GLOBAL_MEM_FENCE); __global float *t = p; p = q; q = t; } s = p[l];";
    let (result, text) = localize_lines(lines);
    assert_eq!(result.placed.len(), 1, "{:?}", result.refusals);
    assert!(text.contains("__local float *p = a_part;"), "{text}");
}

#[test]
fn an_index_is_written_anew_where_a_pointer_is_the_arrays_beginning() {
    let lines =
        "__global float *p = a; p[i] += 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[i - l + 15 - l];";
    let (result, text) = localize_lines(lines);
    assert_eq!(result.placed.len(), 1, "{:?}", result.refusals);
    assert!(text.contains("__local float *p = a_part;"), "{text}");
    assert!(text.contains("p[get_local_id(0)] += 1;"), "{text}");
}

#[test]
fn a_global_fence_stays_where_arguments_share_a_buffer() {
    let lines = "a[i] = 1; b[i] = 2; barrier(CLK_GLOBAL_MEM_FENCE); s = a[i - l + 15 - l] + c[i - l + 15 - l]; barrier(CLK_GLOBAL_MEM_FENCE);";
    let (result, text) = localize_sharing(lines);
    assert_eq!(result.placed.len(), 1, "{:?}", result.refusals);
    let both = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)";
    assert_eq!(text.matches(both).count(), 2, "{text}");
}

#[test]
fn a_pointer_into_one_of_two_arrays_may_write_a_shared_buffer() {
    let lines =
        "__global float *p = n > 3 ? a : b; for (int k = 0; k < 8; ++k) s += c[l + k]; p[i] = s;";
    let (result, text) = localize_sharing(lines);
    assert!(result.placed.is_empty(), "{text}");
}

#[test]
fn a_size_is_a_name_only_where_it_is_a_number() {
    let lines = "for (int j = 0; j < 5; ++j) s += c[i + j];";
    for (body, is_name) in [("16", true), ("8 + 8", false)] {
        let source = source(lines).replacen(
            "__kernel",
            &format!("#define W {body}\n__kernel __attribute__((reqd_work_group_size(W, 1, 1)))"),
            1,
        );
        let (result, text) = localized(&source, &[GROUP], |place| place);
        let text = text.expect("edits that fit");
        assert_eq!(result.placed.len(), 1, "{:?}", result.refusals);
        let names = text.matches('W').count();
        assert_eq!(names > 2, is_name, "{text}");
    }
}

#[test]
fn a_part_is_as_long_as_the_next_ones_beginning_says() {
    let lines = "__global float *p = a + get_group_id(0) * n * n; for (int k = 0; k < n; ++k) p[l * n + k] = k; barrier(CLK_GLOBAL_MEM_FENCE); for (int k = 0; k < n; ++k) s += p[k * n + l];";
    let (result, text) = localize_lines(lines);
    assert!(has(&result, Mechanism::Part), "{:?}", result.refusals);
    assert!(text.contains("int n, __local float *a_part)"), "{text}");
    assert!(text.contains("__local float *p = a_part;"), "{text}");
    assert_eq!(result.local_arguments.len(), 1);
    assert_eq!(
        result.local_arguments[0].length,
        Length::Sum(vec![(1, vec![4, 4])])
    );
}

#[test]
fn work_groups_may_have_another_size_where_only_parts_are_brought() {
    let lines = "__global float *p = a + get_group_id(0) * (2 * n + 1); p[l] = c[l]; barrier(CLK_GLOBAL_MEM_FENCE); s = p[get_local_size(0) - 1 - l];";
    let source = source(lines).replace("const int i = get_global_id(0);", "const int i = 0;");
    let (result, text) = localized_in(&source, &[[16, 1, 1], [32, 1, 1]], |place| place);
    let text = text.expect("edits that fit");
    assert!(has(&result, Mechanism::Part), "{:?}", result.refusals);
    assert!(
        text.contains("i_2 < n * 2 + 1; i_2 += get_local_size(0)"),
        "{text}"
    );
    assert!(!text.contains("reqd_work_group_size"), "{text}");
    // At 64 work-items a part would be the next one's, too.
    let (result, _) = localized_in(&source, &[[16, 1, 1], [64, 1, 1]], |place| place);
    assert!(result.placed.is_empty(), "{:?}", result.placed);
}

#[test]
fn columns_go_whichever_row_data_say() {
    let lines = "for (int k = 0; k < n * n; ++k) s += c[d[k] * rows + i];";
    let (result, text) = localize_lines(lines);
    assert!(has(&result, Mechanism::Columns), "{:?}", result.refusals);
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
    let (result, text) = localize_lines(lines);
    assert!(has(&result, Mechanism::Columns), "{:?}", result.refusals);
    assert!(
        text.contains("__local float *p = a_columns + get_local_id(0);"),
        "{text}"
    );
    let back =
        "a[i_2 * get_global_size(0) + get_global_id(0)] = a_columns[i_2 * 16 + get_local_id(0)];";
    assert_eq!(text.matches(back).count(), 1, "{text}");
}

#[test]
fn iterations_that_move_a_tile_by_several_elements_are_strips() {
    let lines = "for (int k = 0; k < n; ++k) for (int j = 0; j < 3; ++j) s += c[k * 3 + j];";
    let (result, text) = localize_lines(lines);
    assert!(has(&result, Mechanism::Strip), "{:?}", result.refusals);
    assert!(text.contains("if (k_start * 3 + "), "{text}");
    // What lies between the iterations' elements would be brought for nothing.
    let (result, _) = localize_lines("for (int k = 0; k < n; ++k) s += c[k * 3];");
    assert!(!has(&result, Mechanism::Strip), "{:?}", result.placed);
}

#[test]
fn a_macro_in_an_elements_type_is_left_out() {
    let body = "b[i] = a[i] + a[i + 1] + a[i + 2] + a[i + 3];";
    for (head, declared) in [
        (
            "#define IN __global const\n__kernel void tried(IN float *a",
            "__local float a_tile[19];",
        ),
        (
            "#define T float\n__kernel void tried(__global const T *a",
            "__local T a_tile[19];",
        ),
    ] {
        let source =
            format!("{head}, __global float *b)\n{{ int i = get_global_id(0); {body} }}\n");
        let (result, text) = localized(&source, &[GROUP], |place| place);
        let text = text.unwrap_or_default();
        assert!(text.contains(declared), "{:?}\n{text}", result.refusals);
    }
}

#[test]
fn a_strip_ends_at_the_smaller_of_two_ends_of_one_type() {
    let ends = |lines: &str, end: &str| {
        let (result, text) = localize_lines(lines);
        assert!(has(&result, Mechanism::Strip), "{:?}", result.refusals);
        assert!(text.contains(end), "{end}: {text}");
    };
    ends(
        "for (int k = 0; k < n; ++k) s += c[k];",
        "k < min(n, k_start + 64); ++k",
    );
    ends(
        "for (int k = 0; k <= n; ++k) s += c[k];",
        "k <= min(n, k_start + 63); ++k",
    );
    ends(
        "for (int k = 0; k < n *\n 2; ++k) s += c[k];",
        "2, k_start + 64); ++k",
    );
    let unlike = "for (uint k = 0; k < n; ++k) s += c[k];";
    ends(unlike, "k < n && k < k_start + 64");
    let of_four = "for (int k = 0; k + 4 <= n; k += 4) s += c[k];";
    ends(of_four, "k + 4 <= n && k < k_start + 64");
    let named = "int min = d[i]; for (int k = 0; k < n; ++k) s += c[k] * min;";
    ends(named, "k < n && k < k_start + 64");
}
