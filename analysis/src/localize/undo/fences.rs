//! What names local memory names global memory then: pointers into it, and what barriers order.

use std::ops::Range;

use super::{
    super::{edit::Edit, refusal::Reason, subject::Subject, written::Written},
    reached, tokens,
};
use crate::ast::{Binary, Expr, ExprKind, Function, Part, Space, Type, Unit};

/// Functions that are told which memory they order.
const FENCES: [&str; 5] = [
    "barrier",
    "work_group_barrier",
    "mem_fence",
    "read_mem_fence",
    "write_mem_fence",
];
/// `CLK_GLOBAL_MEM_FENCE`.
const GLOBAL: i64 = 2;

/// Copies that the device makes by itself know local memory alone.
const COPIES: [&str; 3] = [
    "async_work_group_copy",
    "async_work_group_strided_copy",
    "wait_group_events",
];

/// Whether a kernel and what it calls have no local memory, and every barrier and fence in them orders global memory.
pub fn is_global(unit: &Unit, kernel: &str) -> bool {
    let Some(function) = unit.function(kernel) else {
        return false;
    };
    let mut is_global = super::local(unit, function).is_empty();
    for function in reached(unit, function) {
        let own = function.parameters.iter();
        is_global &= !own
            .into_iter()
            .any(|id| is_of_local(&unit.variables[*id].of));
        unit.visit(&function.body, &mut |part| {
            let Part::Expr(expr) = part else { return };
            is_global &= !is_of_local(&expr.of);
            if let ExprKind::Call(name, given) = &expr.kind
                && FENCES.contains(&&**name)
            {
                is_global &= given
                    .first()
                    .and_then(flags)
                    .is_some_and(|it| it & GLOBAL != 0);
            }
        });
    }
    is_global
}

fn is_of_local(of: &Type) -> bool {
    match of {
        Type::Pointer(space, inner) => *space == Space::Local || is_of_local(inner),
        Type::Array(inner, _) => is_of_local(inner),
        _ => false,
    }
}

fn flags(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Integer(number) => Some(*number),
        ExprKind::Convert(of) => flags(of),
        ExprKind::Binary(Binary::BitOr, one, other) => Some(flags(one)? | flags(other)?),
        _ => None,
    }
}

/// Pointers into local memory, in the kernel and in what it calls, and the memory that barriers order.
pub(super) fn spaces(
    subject: Subject<'_>,
    function: &Function,
    all: &mut Written,
) -> Result<(), Reason> {
    let source = subject.source;
    for function in reached(subject.unit, function) {
        if *function.span.begin.file != *subject.file {
            continue;
        }
        let range = subject.tokens(&function.span)?;
        for word in tokens::words(source, range) {
            if COPIES.contains(&&source[word.clone()]) {
                return Err(Reason::AsyncCopy);
            }
            let is_written =
                |edit: &Edit| edit.range.start <= word.start && word.end <= edit.range.end;
            let into = match &source[word.clone()] {
                "__local" | "local" => "__global",
                "CLK_LOCAL_MEM_FENCE" => "CLK_GLOBAL_MEM_FENCE",
                _ => continue,
            };
            if !all.edits.iter().any(is_written) {
                all.edits.push(Edit::replace(word, into));
            }
        }
    }
    for fence in defined_fences(source) {
        all.edits.push(Edit::replace(fence, "CLK_GLOBAL_MEM_FENCE"));
    }
    Ok(())
}

/// Barriers' flags in macros.
fn defined_fences(source: &str) -> Vec<Range<usize>> {
    let flag = "CLK_LOCAL_MEM_FENCE";
    let is_defined = |at: usize| {
        let line = source[..at].rfind('\n').map_or(0, |it| it + 1);
        source[line..at].trim_start().starts_with('#')
    };
    let found = source.match_indices(flag).map(|(at, _)| at);
    found
        .filter(|at| is_defined(*at))
        .map(|at| at..at + flag.len())
        .collect()
}
