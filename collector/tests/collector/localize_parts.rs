//! Parts that must be refused, and what surrounds them: where a pointer begins elsewhere, where an access is wider
//! than an element, where arguments share a buffer, and how a group's size is written.

use crate::common::localized::{GROUP, localized};
use kerncast_analysis::localize::{Localized, Reason};

/// Of each pair of parameters the second has the first's buffer.
fn sharing(source: &str, shared: &[(usize, usize)]) -> (Localized, Option<String>) {
    let buffer = |place| (shared.iter().find(|it| it.1 == place)).map_or(place, |it| it.0);
    localized(source, &[GROUP], buffer)
}

/// The kernel of these lines.
fn source(lines: &str) -> String {
    format!(
        "__kernel void tried(__global float *a, __global const float *c, __global const float *d, __global float *b, int n, int off)\n\
         {{ const int i = get_global_id(0); const int l = get_local_id(0); float s = 0;\n{lines}\nb[i] = s; }}\n"
    )
}

const REFUSED: &[(&str, Reason, &str)] = &[
    (
        "a pointer without the group's base that has moved",
        Reason::PartsOverlap,
        "__global float *p = a; p += 4; p[i] += 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[i - l + 15 - l];",
    ),
    (
        "a pointer without the group's base that counts",
        Reason::PartsOverlap,
        "__global float *p = a; p[i] += 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[i - l + 15 - l]; p++;",
    ),
    (
        "two arrays in turns, one from elsewhere",
        Reason::PartsOverlap,
        "__global float *p = a; __global float *q = b + get_group_id(0) * 16; for (int r = 0; r < 3; ++r) { q[l] = p[i] + 1; barrier(CLK_GLOBAL_MEM_FENCE); __global float *t = p; p = q; q = t; } s = 1;",
    ),
    (
        "two arrays in turns, one by another's index",
        Reason::Shape,
        "__global float *p = a; __global float *q = b; for (int r = 0; r < 3; ++r) { q[i] = p[i + r * n] + 1; barrier(CLK_GLOBAL_MEM_FENCE); __global float *t = p; p = q; q = t; } s = 1;",
    ),
    (
        "one of two arrays by a condition",
        Reason::SeveralArrays,
        "__global float *p = n > 3 ? a : b; p[i] += 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[i - l + 15 - l];",
    ),
    (
        "a pointer at an argument's offset",
        Reason::PartsOverlap,
        "__global float *p = a + off; p[i] += 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[i - l + 15 - l];",
    ),
    (
        "a pointer that moves by an argument",
        Reason::PartsOverlap,
        "__global float *p = a + get_group_id(0) * 16; p += off; p[l] += 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[15 - l];",
    ),
    (
        "a pointer from another by the group",
        Reason::PartsOverlap,
        "__global float *p = a; __global float *q = p + 16 * get_group_id(0); q[l] += 1; barrier(CLK_GLOBAL_MEM_FENCE); s = q[15 - l];",
    ),
    (
        "a pointer of vectors",
        Reason::Shape,
        "__global float4 *p = (__global float4 *)(a + get_group_id(0) * 64); p[l] = (float4)(l); barrier(CLK_GLOBAL_MEM_FENCE); s = p[15 - l].x;",
    ),
    (
        "vectors by functions",
        Reason::Shape,
        "__global float *p = a + get_group_id(0) * 64; vstore4((float4)(l), l, p); barrier(CLK_GLOBAL_MEM_FENCE); s = vload4(15 - l, p).x;",
    ),
    (
        "a pointer of bytes",
        Reason::Shape,
        "__global uchar *p = (__global uchar *)a + get_group_id(0) * 64 + 1; p[l * 4] = l; barrier(CLK_GLOBAL_MEM_FENCE); s = p[(15 - l) * 4];",
    ),
    (
        "a pointer of another type",
        Reason::Shape,
        "__global int *p = (__global int *)(a + get_group_id(0) * 16); p[l] = l; barrier(CLK_GLOBAL_MEM_FENCE); s = p[15 - l];",
    ),
    (
        "two pointers in a declaration",
        Reason::Text,
        "__global float *p = a + get_group_id(0) * 16, *q = b + get_group_id(0) * 16; p[l] += 1; q[l] = 3; barrier(CLK_GLOBAL_MEM_FENCE); s = p[15 - l]; barrier(CLK_GLOBAL_MEM_FENCE);",
    ),
    (
        "a volatile part",
        Reason::Volatile,
        "__global volatile float *p = a + get_group_id(0) * 16; p[l] += 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[15 - l];",
    ),
    (
        "a volatile pointer",
        Reason::Volatile,
        "__global volatile const float *p = c; for (int k = 0; k < n; ++k) s += p[k];",
    ),
    (
        "a volatile cast",
        Reason::Volatile,
        "for (int k = 0; k < n; ++k) s += ((__global volatile const float *)c)[k];",
    ),
    (
        "a pointer swapped between what is read",
        Reason::SeveralArrays,
        "__global const float *p = c; __global const float *q = d; for (int r = 0; r < n; ++r) { for (int k = 0; k < 16; ++k) s += p[k]; __global const float *t = p; p = q; q = t; }",
    ),
];

#[test]
fn what_is_not_the_same_in_a_part_is_refused() {
    let mut wrong = Vec::new();
    for (name, reason, lines) in REFUSED {
        let (found, text) = sharing(&source(lines), &[]);
        let reasons: Vec<Reason> = found.refusals.iter().map(|it| it.reason).collect();
        if !found.placed.is_empty() {
            wrong.push(format!("{name}: rewritten\n{}", text.unwrap_or_default()));
        } else if !reasons.contains(reason) {
            wrong.push(format!("{name}: {reasons:?}, expected {reason:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pointer_to_the_parts_beginning_follows() {
    let lines = "__global float *p = a + get_group_id(0) * 32; __global float *q = p + 16; for (int r = 0; r < 3; ++r) { q[l] = p[15 - l] + 1; barrier(CLK_GLOBAL_MEM_FENCE); __global float *t = p; p = q; q = t; } s = p[l];";
    let (found, text) = sharing(&source(lines), &[]);
    let text = text.expect("edits that fit");
    assert_eq!(found.placed.len(), 1, "{:?}", found.refusals);
    assert!(text.contains("__local float *p = a_part;"), "{text}");
}

#[test]
fn an_index_is_written_anew_where_a_pointer_is_the_arrays_beginning() {
    let lines =
        "__global float *p = a; p[i] += 1; barrier(CLK_GLOBAL_MEM_FENCE); s = p[i - l + 15 - l];";
    let (found, text) = sharing(&source(lines), &[]);
    let text = text.expect("edits that fit");
    assert_eq!(found.placed.len(), 1, "{:?}", found.refusals);
    assert!(text.contains("__local float *p = a_part;"), "{text}");
    assert!(text.contains("p[get_local_id(0)] += 1;"), "{text}");
}

#[test]
fn a_global_fence_stays_where_arguments_share_a_buffer() {
    let lines = "a[i] = 1; b[i] = 2; barrier(CLK_GLOBAL_MEM_FENCE); s = a[i - l + 15 - l] + d[i - l + 15 - l]; barrier(CLK_GLOBAL_MEM_FENCE);";
    let (found, text) = sharing(&source(lines), &[(2, 3)]);
    let text = text.expect("edits that fit");
    assert_eq!(found.placed.len(), 1, "{:?}", found.refusals);
    let both = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)";
    assert_eq!(text.matches(both).count(), 2, "{text}");
}

#[test]
fn a_pointer_into_one_of_two_arrays_may_write_a_shared_buffer() {
    let lines =
        "__global float *p = n > 3 ? a : b; for (int k = 0; k < 8; ++k) s += d[l + k]; p[i] = s;";
    let (found, text) = sharing(&source(lines), &[(2, 3)]);
    assert!(found.placed.is_empty(), "{}", text.unwrap_or_default());
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
        let (found, text) = sharing(&source, &[]);
        let text = text.expect("edits that fit");
        assert_eq!(found.placed.len(), 1, "{:?}", found.refusals);
        let names = text.matches('W').count();
        assert_eq!(names > 2, is_name, "{text}");
    }
}
