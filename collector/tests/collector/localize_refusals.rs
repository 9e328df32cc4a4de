//! Kernels that must be refused, each for a reason of its own: a barrier, a tile or a part would be wrong there.

use crate::common::localized::{GROUP, localized};
use kerncast_analysis::localize::{Localized, Reason};

/// How a kernel is launched: `int` arguments are 16, buffers have 4096 elements.
struct Case {
    name: &'static str,
    reason: Reason,
    source: &'static str,
    /// Every buffer is the same.
    shares: bool,
    /// A second size with another work-group's size.
    varies: bool,
}

const fn case(name: &'static str, reason: Reason, source: &'static str) -> Case {
    Case {
        name,
        reason,
        source,
        shares: false,
        varies: false,
    }
}

/// Every parameter with the same buffer, or with its own; at a second size with another work-group's size, or not.
fn launched(source: &str, shares: bool, varies: bool) -> (Localized, Option<String>) {
    let groups = [GROUP, 2 * GROUP];
    let groups = &groups[..if varies { 2 } else { 1 }];
    localized(source, groups, |place| if shares { 0 } else { place })
}

const HEAD: &str = "__kernel void tried(__global const float *a, __global float *b, __global const int *at, int n)\n";

fn cases() -> Vec<Case> {
    vec![
        case(
            "bounds by data",
            Reason::LoopDiffers,
            "{ int i = get_global_id(0); float s = 0; for (int e = at[i]; e < at[i + 1]; ++e) s += a[e]; b[i] = s; }",
        ),
        case(
            "bounds by work-item",
            Reason::LoopDiffers,
            "{ int i = get_global_id(0); float s = 0; for (int k = i; k < n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "upper bound by local id",
            Reason::LoopDiffers,
            "{ int i = get_global_id(0); float s = 0; for (int k = 0; k < (int)get_local_id(0) * n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "break by data",
            Reason::LoopEndsEarly,
            "{ int i = get_global_id(0); float s = 0; for (int k = 0; k < n; ++k) { if (a[k] > s + i) break; s += a[k]; } b[i] = s; }",
        ),
        case(
            "return in a loop",
            Reason::LoopEndsEarly,
            "{ int i = get_global_id(0); float s = 0; for (int k = 0; k < n; ++k) { if (a[k] > s + i) return; s += a[k]; } b[i] = s; }",
        ),
        case(
            "a step that may be 0 behind a guard",
            Reason::Divergent,
            "{ int i = get_global_id(0); if (i >= n) return; float s = 0; for (int r = 0; r < 8; r += n) { for (int k = 0; k < n; ++k) s += a[k] * r; } b[i] = s; }",
        ),
        case(
            "a factor that may be 1 behind a guard",
            Reason::Divergent,
            "{ int i = get_global_id(0); if (i >= n) return; float s = 0; for (int r = 1; r < 64; r *= n) { for (int k = 0; k < n; ++k) s += a[k] * r; } b[i] = s; }",
        ),
        case(
            "a bound that wraps where nobody comes",
            Reason::Divergent,
            "{ int i = get_global_id(0); uint u = n; if (i >= n) return; float s = 0; for (uint k = 0; k < u - 4; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "a guard that an argument decides for all",
            Reason::Divergent,
            "{ int i = get_global_id(0); if (i >= n || n > 32) return; float s = 0; for (int k = 0; k < n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "a guard with a comma",
            Reason::Divergent,
            "{ int i = get_global_id(0), u = i < n; float s = 0; if (n, u) { for (int k = 0; k < n; ++k) s += a[k]; b[i] = s; } }",
        ),
        case(
            "a comment before a return",
            Reason::Text,
            "{ int i = get_global_id(0); float s = 0; if (i >= n) { b[i] = 1; // early\n return; } for (int k = 0; k < n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "an early return, and a bound that only others set",
            Reason::Divergent,
            "{ int i = get_global_id(0); int e = 3; if (i >= n) return; e = n; float s = 0; for (int k = 0; k < e; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "an early return in a block",
            Reason::Divergent,
            "{ int i = get_global_id(0); float s = 0; if (i < n) { if (at[i] > 4) return; for (int k = 0; k < n; ++k) s += a[k]; } b[i] = s; }",
        ),
        case(
            "an early return, and barriers of the author's",
            Reason::Divergent,
            "{ int i = get_global_id(0); __local int t; t = n; barrier(CLK_LOCAL_MEM_FENCE); if (i >= n) return; float s = t; for (int k = 0; k < n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "an early return, and a structure of memory",
            Reason::Divergent,
            "{ int i = get_global_id(0); if (i >= n) return; float v[2] = { b[i], 1 }; float s = v[0]; for (int k = 0; k < n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "an early return, and a division",
            Reason::Divergent,
            "{ int i = get_global_id(0); if (i >= n) return; float s = 0; for (int k = 0; k < 64 / n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "continue by ids",
            Reason::Divergent,
            "{ int i = get_global_id(0); float s = 0; for (int r = 0; r < 3; ++r) { if (i >= n - r) continue; for (int k = 0; k < n; ++k) s += a[k]; s /= 2; } b[i] = s; }",
        ),
        case(
            "continue behind a pass that reads much",
            Reason::Divergent,
            "{ int i = get_global_id(0); if (i >= n) return; float s = 0; for (int k = 0; k < n; k += 2) { if (k == 2) continue; for (int j = 0; j < 12; ++j) s += a[k + j]; } b[i] = s; }",
        ),
        case(
            "a loop's variable that is read behind it",
            Reason::BarrierCosts,
            "{ int i = get_global_id(0), k; float s = 0; for (k = 0; k < n; ++k) s += a[k]; b[i] = s + k; }",
        ),
        case(
            "a loop that goes on from the one before",
            Reason::BarrierCosts,
            "{ int i = get_global_id(0), k; float s = 0; for (k = 0; k < n; ++k) s += a[k]; for (k = k; k < 2 * n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "lines of the preprocessor",
            Reason::Directive,
            "{ int i = get_global_id(0); float s = 0; for (int k = 0; k < n; ++k) {\n#ifdef NONE\n s -= a[k];\n#else\n s += a[k];\n#endif\n } b[i] = s; }",
        ),
        case(
            "a barrier that is another",
            Reason::Name,
            "{ int barrier = get_global_id(0); b[barrier] = a[barrier] + a[barrier + 1] + a[barrier + 2] + a[barrier + 3]; }",
        ),
        case(
            "return in a switch",
            Reason::Divergent,
            "{ int i = get_global_id(0); float s = 0; switch (at[i]) { case 9: b[i] = 7; return; default: s = 1; } for (int k = 0; k < n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "return under a condition in a switch",
            Reason::Divergent,
            "{ int i = get_global_id(0); float s = 0; switch (n) { case 16: if (at[i] > 3) { b[i] = 9; return; } s = 1; break; default: s = 2; } for (int k = 0; k < n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "return or break in a switch",
            Reason::Divergent,
            "{ int i = get_global_id(0); float s = 0; switch (n) { case 16: if (at[i] > 3) return; else break; default: s = 2; } for (int k = 0; k < n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "continue in a switch",
            Reason::Divergent,
            "{ int i = get_global_id(0); float s = 0; for (int r = 0; r < 3; ++r) { switch (at[i]) { case 9: continue; } for (int k = 0; k < n; ++k) s += a[k] * r; } b[i] = s; }",
        ),
        case(
            "fall through behind a break by data",
            Reason::Divergent,
            "{ int i = get_global_id(0); float s = 0; switch (n) { case 16: if (at[i] > 3) break; case 2: for (int k = 0; k < n; ++k) s += a[k]; } b[i] = s; }",
        ),
        case(
            "in an inner loop of a loop by data",
            Reason::LoopDiffers,
            "{ int i = get_global_id(0); float s = 0; for (int r = 0; r < at[i]; ++r) for (int k = 0; k < n; ++k) s += a[k]; b[i] = s; }",
        ),
        case(
            "a loop that steps by two",
            Reason::BarrierCosts,
            "{ int i = get_global_id(0); float s = 0; for (int k = 0; k < n; k += 2) { s += a[k] * a[k + 1]; } b[i] = s; }",
        ),
        case(
            "while",
            Reason::UnknownIndex,
            "{ int i = get_global_id(0); float s = 0; int k = 0; while (k < n) { for (int j = 0; j < 16; ++j) s += a[k * 16 + j]; if (k == i) { ++k; continue; } ++k; } b[i] = s; }",
        ),
        case(
            "an index from data",
            Reason::DataDependent,
            "{ int i = get_global_id(0); b[i] = a[at[i]] + a[at[i] + 1]; }",
        ),
        case(
            "an index from a float",
            Reason::UnknownIndex,
            "{ int i = get_global_id(0); float f = i * 0.5f; b[i] = a[(int)f] + a[(int)f + 1]; }",
        ),
        case(
            "reuse by the same work-item",
            Reason::NoReuse,
            "{ int i = get_global_id(0); float s = 0; for (int r = 0; r < n; ++r) s += a[i] * r; b[i] = s; }",
        ),
        case(
            "neighbours side by side",
            Reason::NoReuse,
            "{ int i = get_global_id(0); b[i] = 2 * a[i]; }",
        ),
        case(
            "two of a neighbourhood",
            Reason::FillCosts,
            "{ int i = get_global_id(0); b[i] = a[i] + a[i + 1]; }",
        ),
        case(
            "far apart references",
            Reason::FillCosts,
            "{ int i = get_global_id(0); b[i] = a[i] + a[i + 1] + a[i + 900] + a[i + 901]; }",
        ),
        case(
            "groups read each other's",
            Reason::Written,
            "{ int i = get_global_id(0); float s = b[i] + b[i + 1] + b[i + 2] + b[i + 3]; b[i] = s; }",
        ),
        case(
            "atomics",
            Reason::Written,
            "{ int i = get_global_id(0); volatile __global int *c = (volatile __global int *)b; atomic_add(&c[a[i] > 0], 1); float s = 0; for (int k = 0; k < 4; ++k) s += b[k]; b[i] = s; }",
        ),
        case(
            "a part that overlaps the next one",
            Reason::PartsOverlap,
            "{ int l = get_local_id(0); __global float *p = b + get_group_id(0) * 8; p[l] = a[l]; barrier(CLK_GLOBAL_MEM_FENCE); p[l] += p[15 - l]; }",
        ),
        case(
            "a part that all share",
            Reason::PartsOverlap,
            "{ int l = get_local_id(0); b[l] = a[l]; barrier(CLK_GLOBAL_MEM_FENCE); b[l] += b[15 - l]; }",
        ),
        case(
            "parts of two kinds",
            Reason::PartsOverlap,
            "{ int l = get_local_id(0); int g = get_group_id(0); b[g * 16 + l] = a[l]; barrier(CLK_GLOBAL_MEM_FENCE); b[g * 32 + l] += b[g * 16 + 15 - l]; }",
        ),
        case(
            "a part of unknown size",
            Reason::SizeDepends,
            "{ int l = get_local_id(0); __global float *p = b + get_group_id(0) * n; for (int k = l; k < n; k += 16) p[k] = a[k]; barrier(CLK_GLOBAL_MEM_FENCE); b[get_group_id(0) * n + l] = p[n - l]; }",
        ),
        case(
            "a part of a work-item that returns",
            Reason::Returns,
            "{ int l = get_local_id(0); __global float *p = b + get_group_id(0) * 16; p[l] = a[l]; barrier(CLK_GLOBAL_MEM_FENCE); float x = p[15 - l]; barrier(CLK_GLOBAL_MEM_FENCE); if (x > 3) return; p[l] += x; }",
        ),
        case(
            "a pointer into one of two arrays",
            Reason::SeveralArrays,
            "{ int i = get_global_id(0); __global const float *p = n > 3 ? a : (__global const float *)at; b[i] = p[i] + p[i + 1] + p[i + 2] + p[i + 3]; }",
        ),
        case(
            "a stride of a hundred",
            Reason::NoReuse,
            "{ int i = get_global_id(0); float s = 0; for (int k = 0; k < 100; ++k) s += a[i * 7 + k * 100]; b[i] = s; }",
        ),
        case(
            "strided by an id",
            Reason::Shape,
            "{ int i = get_global_id(0); float s = 0; for (int k = 0; k < 4; ++k) s += a[i * i + k]; b[i] = s; }",
        ),
        case(
            "a part that depends on an argument",
            Reason::NoReuse,
            "{ int i = get_global_id(0); b[i] = a[i + n] + a[i] + a[i * n]; }",
        ),
        case(
            "names that mean something else",
            Reason::Name,
            "{ int i = get_global_id(0); float s = 0; n = n / 2; for (int k = 0; k < 4; ++k) s += a[i + n + k]; b[i] = s; }",
        ),
    ]
}

#[test]
fn what_must_be_refused_is() {
    let mut wrong = Vec::new();
    let mut special = vec![
        Case {
            shares: true,
            ..case(
                "the same buffer",
                Reason::SameBuffer,
                "{ int i = get_global_id(0); b[i] = a[i] + a[i + 1] + a[i + 2] + a[i + 3]; }",
            )
        },
        Case {
            varies: true,
            ..case(
                "work-groups of two sizes",
                Reason::GroupSizeVaries,
                "{ int i = get_global_id(0); b[i] = a[i] + a[i + 1] + a[i + 2] + a[i + 3]; }",
            )
        },
    ];
    special.extend(cases());
    for case in &special {
        let (found, text) = launched(
            &format!("{HEAD}{}\n", case.source),
            case.shares,
            case.varies,
        );
        let reasons: Vec<Reason> = found.refusals.iter().map(|it| it.reason).collect();
        if !found.placed.is_empty() {
            wrong.push(format!(
                "{}: rewritten\n{}",
                case.name,
                text.unwrap_or_default()
            ));
        } else if !reasons.contains(&case.reason) {
            wrong.push(format!(
                "{}: {reasons:?}, expected {:?}",
                case.name, case.reason
            ));
        }
    }
    // Whole sources: macros, helpers, other forms.
    for (name, reason, source) in WHOLE {
        let (found, text) = launched(source, false, false);
        let reasons: Vec<Reason> = found.refusals.iter().map(|it| it.reason).collect();
        if !found.placed.is_empty() {
            wrong.push(format!("{name}: rewritten\n{}", text.unwrap_or_default()));
        } else if !reasons.contains(reason) {
            wrong.push(format!("{name}: {reasons:?}, expected {reason:?}"));
        }
    }
    eprintln!("{} refused", special.len() + WHOLE.len() - wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const WHOLE: &[(&str, Reason, &str)] = &[
    (
        "in a macro",
        Reason::InMacro,
        "#define AT(i) a[i]\n__kernel void tried(__global const float *a, __global float *b)\n{ int i = get_global_id(0); b[i] = AT(i) + AT(i + 1) + AT(i + 2) + AT(i + 3); }\n",
    ),
    (
        "in a helper",
        Reason::InFunction,
        "float three(__global const float *p, int i) { return p[i] + p[i + 1] + p[i + 2]; }\n__kernel void tried(__global const float *a, __global float *b)\n{ int i = get_global_id(0); b[i] = three(a, i); }\n",
    ),
    (
        "statements by a macro",
        Reason::InMacro,
        "#define PUT s += 1; int q; t = b[i]\n__kernel void tried(__global const float *a, __global float *b, int n)\n{ int i = get_global_id(0); float s, t; if (i >= n) return; PUT; for (int k = 0; k < n; ++k) s += a[k]; b[i] = s + t; }\n",
    ),
    (
        "an element's type by a macro",
        Reason::InMacro,
        "#define IN __global\ntypedef struct { float x; } P;\n__kernel void tried(IN const P *a, __global float *b)\n{ int i = get_global_id(0); b[i] = a[i].x + a[i + 1].x + a[i + 2].x + a[i + 3].x; }\n",
    ),
    (
        "a guard by a macro",
        Reason::InMacro,
        "#define OUT(i) if ((i) >= n) return\n__kernel void tried(__global const float *a, __global float *b, int n)\n{ int i = get_global_id(0); OUT(i); float s = 0; for (int k = 0; k < n; ++k) s += a[k]; b[i] = s; }\n",
    ),
    (
        "side effects in an index",
        Reason::Text,
        "__kernel void tried(__global const float *a, __global float *b)\n{ int i = get_global_id(0); int j = 0; float s = 0; s += a[i + j++]; s += a[i + j++]; s += a[i + j++]; b[i] = s; }\n",
    ),
    (
        "goto",
        Reason::NotFollowed,
        "__kernel void tried(__global const float *a, __global float *b)\n{ int i = get_global_id(0); if (i > 3) goto end; b[i] = a[i] + a[i + 1] + a[i + 2];\nend: ; }\n",
    ),
    (
        "a store through an unknown pointer",
        Reason::UnknownStore,
        "__kernel void tried(__global const float *a, __global float *b, __global ulong *where)\n{ int i = get_global_id(0); *(__global float *)where[i] = a[i] + a[i + 1] + a[i + 2]; }\n",
    ),
    (
        "a head by a macro",
        Reason::ElsewhereWritten,
        "#define KERNEL(name) __kernel void name\nKERNEL(tried)(__global const float *a, __global float *b)\n{ int i = get_global_id(0); b[i] = a[i] + a[i + 1] + a[i + 2]; }\n",
    ),
    (
        "a part in a helper",
        Reason::InFunction,
        "void put(__global float *p, int l) { p[l] = l; }\n__kernel void tried(__global float *b)\n{ int l = get_local_id(0); __global float *p = b + get_group_id(0) * 16; put(p, l); barrier(CLK_GLOBAL_MEM_FENCE); p[l] += p[15 - l]; }\n",
    ),
    (
        "barriers that not all reach",
        Reason::Written,
        "__kernel void tried(__global float *b)\n{ int l = get_local_id(0); __global float *p = b + get_group_id(0) * 16; p[l] = l; if (l > 3) barrier(CLK_GLOBAL_MEM_FENCE); p[l] += p[15 - l]; }\n",
    ),
    (
        "beyond the buffer",
        Reason::BeyondBuffer,
        "__kernel void tried(__global const float *a, __global float *b)\n{ int i = get_global_id(0); if (i != 0) b[i] = a[i - 1] + a[i] + a[i + 1] + a[i + 2]; }\n",
    ),
    (
        "an argument that moves",
        Reason::Name,
        "__kernel void tried(__global const float *a, __global const int *at, __global float *b, int n)\n{ int i = get_global_id(0); int l = get_local_id(0); float s = 0; a += n; for (int k = 0; k < n; ++k) s += a[k] * a[k + i]; b[i] = s; }\n",
    ),
    (
        "an argument's name in a block",
        Reason::Name,
        "__kernel void tried(__global const float *a, __global const int *at, __global float *b, int n)\n{ int i = get_global_id(0); int l = get_local_id(0); float s = 0; { __global const float *p = a; __global const float *a = p; for (int k = 0; k < n; ++k) s += a[k] * a[k + i]; } b[i] = s; }\n",
    ),
    (
        "a cast pointer",
        Reason::Text,
        "__kernel void tried(__global const float *a, __global const int *at, __global float *b, int n)\n{ int i = get_global_id(0); int l = get_local_id(0); float s = 0; __global const uint *v = (__global const uint *)at; for (int k = 0; k < 8; ++k) s += v[l + k] / 3; b[i] = s; }\n",
    ),
    (
        "a limit by a loop",
        Reason::Shape,
        "__kernel void tried(__global const float *a, __global const int *at, __global float *b, int n)\n{ int i = get_global_id(0); int l = get_local_id(0); float s = 0; for (int m = 3; m < 6; ++m) for (int j = 0; j < 4; ++j) s += a[clamp(i + j, 0, m)]; b[i] = s; }\n",
    ),
    (
        "reads in a loop's head",
        Reason::LoopForm,
        "__kernel void tried(__global const float *a, __global const int *at, __global float *b, int n)\n{ int i = get_global_id(0); int l = get_local_id(0); float s = 0; for (int k = 0; k < n; ++k, s += a[k]) { s += 1; } b[i] = s; }\n",
    ),
    (
        "side effects by a macro",
        Reason::Text,
        "#define NEXT (j++)\n__kernel void tried(__global const float *a, __global float *b)\n{ int i = get_global_id(0); int l = get_local_id(0); int j = 0; float s = 0; s += a[l + NEXT]; s += a[l + NEXT]; s += a[l + NEXT]; b[i] = s; }\n",
    ),
];

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
        let (found, text) = launched(&source, false, false);
        let text = text.unwrap_or_default();
        assert!(text.contains(declared), "{:?}\n{text}", found.refusals);
    }
}
