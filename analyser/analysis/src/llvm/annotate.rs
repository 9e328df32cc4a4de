//! Annotations of text that is not optimised yet: they tell LLVM for NVIDIA's GPUs what devices' own compilers know.
//!
//! LLVM (clang 15 to 19) believes that an access to local memory may meet global memory: a sum in one stays in memory
//! while a loop reads the other. So each load, store and atomic is given a scope, by which LLVM knows it (LLVM's
//! language reference, `noalias` metadata); copies of memory have none.

use std::{borrow::Cow, fmt::Write};

/// Private, global, constant and local memory, as SPIR numbers them.
const SPACES: u32 = 4;
const CONSTANT: u32 = 2;
/// Functions of OpenCL, each with LLVM's own function in its place: LLVM knows what these give.
const INTRINSICS: [(&str, &str); 8] = [
    ("@_Z3minii(", "@llvm.smin.i32("),
    ("@_Z3maxii(", "@llvm.smax.i32("),
    ("@_Z3minjj(", "@llvm.umin.i32("),
    ("@_Z3maxjj(", "@llvm.umax.i32("),
    ("@_Z3minll(", "@llvm.smin.i64("),
    ("@_Z3maxll(", "@llvm.smax.i64("),
    ("@_Z3minmm(", "@llvm.umin.i64("),
    ("@_Z3maxmm(", "@llvm.umax.i64("),
];

/// The text with scopes at each access to memory: accesses to different address spaces never meet. A load of constant
/// memory gives the same before and after a barrier or a store.
pub fn annotate_for_devices(text: &str) -> String {
    let numbers = text.lines().filter_map(metadata);
    let domain = numbers.max().map_or(0, |last| last + 1);
    let scope = |space: u32| domain + 1 + space;
    let own = |space: u32| domain + 1 + SPACES + space;
    let others = |space: u32| domain + 1 + 2 * SPACES + space;
    let never = domain + 1 + 3 * SPACES;
    // A source may have its own, or LLVM's already.
    let has_own = |line: &str| {
        line.contains("@llvm.smin.") || line.starts_with("define") && line.contains("@_Z3m")
    };
    let intrinsics = if text.lines().any(has_own) {
        &[][..]
    } else {
        &INTRINSICS
    };
    let mut annotated = String::with_capacity(text.len() + text.len() / 4);
    for line in text.lines() {
        annotated.push_str(&annotated_line(line, intrinsics));
        if let Some(space) = accessed(line).filter(|space| *space < SPACES) {
            let (own, others) = (own(space), others(space));
            let _ = write!(annotated, ", !alias.scope !{own}, !noalias !{others}");
            if space == CONSTANT && line.contains(" = load ") {
                let _ = write!(annotated, ", !invariant.load !{never}");
            }
        }
        annotated.push('\n');
    }
    let _ = writeln!(annotated, "!{domain} = distinct !{{!{domain}}}");
    for space in 0..SPACES {
        let number = scope(space);
        let _ = writeln!(annotated, "!{number} = distinct !{{!{number}, !{domain}}}");
        let _ = writeln!(annotated, "!{} = !{{!{number}}}", own(space));
        let rest = (0..SPACES).filter(|other| *other != space);
        let rest: Vec<String> = rest.map(|other| format!("!{}", scope(other))).collect();
        let _ = writeln!(annotated, "!{} = !{{{}}}", others(space), rest.join(", "));
    }
    let _ = writeln!(annotated, "!{never} = !{{}}");
    annotated
}

/// A line of the text, annotated. Functions that only return a number are not `convergent`, so that they leave loops.
/// Others are `nounwind willreturn`: what stands behind a barrier in a loop is reached in each iteration. `min` and
/// `max` of whole numbers become LLVM's own. `#pragma unroll` becomes `unroll.full`, so that a loop whose number of
/// iterations becomes known is unrolled before the loops around it.
fn annotated_line<'a>(line: &'a str, intrinsics: &[(&str, &str)]) -> Cow<'a, str> {
    const ENABLE: &str = "llvm.loop.unroll.enable";
    let is_known = |(call, _): &&(&str, &str)| line.contains(call);
    if let Some((call, intrinsic)) = intrinsics.iter().find(is_known) {
        return line.replace(call, intrinsic).into();
    }
    if line.starts_with("attributes #") {
        let is_pure = line.contains("readnone") || line.contains("memory(none)");
        if is_pure {
            return line.replace(" convergent", "").into();
        }
        let line = line.replace(" nounwind", "").replace(" willreturn", "");
        return line.replace("= { ", "= { nounwind willreturn ").into();
    }
    if line.starts_with('!') && line.contains(ENABLE) {
        line.replace(ENABLE, "llvm.loop.unroll.full").into()
    } else {
        line.into()
    }
}

/// The number of the metadata that a line defines.
fn metadata(line: &str) -> Option<u32> {
    let (number, _) = line.strip_prefix('!')?.split_once(" = ")?;
    number.parse().ok()
}

/// The address space that an instruction accesses; atomics of OpenCL 1.2 are calls here.
fn accessed(line: &str) -> Option<u32> {
    let line = line.trim_start();
    let instruction = if line.starts_with('%') {
        line.split_once(" = ")?.1
    } else {
        line
    };
    let is_access = match instruction.split(' ').next()? {
        "load" | "store" | "atomicrmw" | "cmpxchg" => true,
        "call" | "tail" => instruction.contains("@_Z") && instruction.contains("atom"),
        _ => false,
    };
    let end = [", align ", ", !"].map(|rest| instruction.find(rest));
    let end = end.into_iter().flatten().min();
    let operands = &instruction[..end.unwrap_or(instruction.len())];
    is_access.then(|| pointer(operands)).flatten()
}

/// The address space of the last pointer among operands: `ptr addrspace(3) %1`, or `float addrspace(3)* %1`.
fn pointer(operands: &str) -> Option<u32> {
    const SPACE: &str = "addrspace(";
    let opaque = [" ptr ", "(ptr "].map(|word| operands.rfind(word).map(|at| at + word.len()));
    let opaque = opaque.into_iter().flatten().max();
    let typed = operands.rfind("* ");
    let named = match (opaque, typed) {
        (Some(behind), typed) if typed.is_none_or(|typed| typed < behind) => {
            operands[behind..].strip_prefix(SPACE)
        }
        (_, Some(end)) => {
            let before = &operands[..end];
            let space = before.rfind(SPACE).filter(|_| before.ends_with(')'));
            space.map(|at| &before[at + SPACE.len()..])
        }
        (_, None) => return None,
    };
    match named {
        Some(named) => named.split_once(')').map_or(named, |it| it.0).parse().ok(),
        None => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_access_is_in_the_scope_of_its_address_space() {
        let spaces = [
            (
                "  %5 = load float, ptr addrspace(1) %4, align 4, !tbaa !8",
                Some(1),
            ),
            ("  store ptr addrspace(3) %0, ptr %2, align 8", Some(0)),
            (
                "  store float %5, ptr addrspace(3) getelementptr inbounds ([4 x float], ptr addrspace(3) @k.t, i64 0, i64 1), align 4",
                Some(3),
            ),
            (
                "  %7 = load float, float addrspace(2)* %6, align 4",
                Some(2),
            ),
            ("  %7 = load i32, i32* %6, align 4", Some(0)),
            (
                "  %9 = call i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef %8, i32 noundef 1) #2, !dbg !9",
                Some(1),
            ),
            ("  call void @_Z7barrierj(i32 noundef 1) #3, !dbg !9", None),
            (
                "  %3 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %2",
                None,
            ),
        ];
        for (line, space) in spaces {
            assert_eq!(accessed(line), space, "{line}");
        }
    }

    #[test]
    fn scopes_have_numbers_that_nothing_else_has() {
        let text = "store i32 1, ptr addrspace(1) %0, align 4, !dbg !7\n!7 = !{i32 1}\n";
        let annotated = annotate_for_devices(text);
        let first = annotated.lines().next().unwrap_or_default();
        let scopes = ", align 4, !dbg !7, !alias.scope !14, !noalias !18";
        assert!(first.ends_with(scopes), "{first}");
        for defined in [
            "!8 = distinct !{!8}",
            "!10 = distinct !{!10, !8}",
            "!14 = !{!10}",
            "!18 = !{!9, !11, !12}",
        ] {
            assert!(annotated.contains(defined), "{defined}: {annotated}");
        }
    }
}
