//! Wraparound: numbers without a sign are huge if a subtraction takes them below 0. `i < n - 2` then holds for all, and
//! a loop to `n - 2` hardly ends.

use super::{Subject, exprs, subexprs};
use crate::ast::{Binary, Expr, ExprKind, Kind, Unary};

/// Whether a comparison in the kernel may hold only because it wraps.
pub(super) fn compares(subject: Subject<'_>) -> bool {
    let Some(function) = subject.function() else {
        return true;
    };
    let mut all = exprs(subject.unit, &function.body).into_iter();
    all.any(|expr| match &expr.kind {
        ExprKind::Binary(operation, one, other) if is_order(*operation) && is_unsigned(one) => {
            subtracts(one) || subtracts(other)
        }
        _ => false,
    })
}

/// Whether a number in an expression may be huge because it wraps, or was below 0 before it lost its sign.
pub(super) fn may_be_huge(expr: &Expr) -> bool {
    let may_wrap = |expr: &Expr| match &expr.kind {
        ExprKind::Binary(Binary::Subtract, ..) | ExprKind::Unary(Unary::Minus, _) => true,
        ExprKind::Convert(inner) => {
            let is_signed = inner.ty.scalar().is_some_and(|it| it.kind == Kind::Signed);
            is_signed && !matches!(inner.kind, ExprKind::Integer(number) if number >= 0)
        }
        _ => false,
    };
    let mut all = subexprs(expr).into_iter();
    all.any(|it| is_unsigned(it) && may_wrap(it))
}

fn is_order(operation: Binary) -> bool {
    matches!(
        operation,
        Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual
    )
}

fn is_unsigned(expr: &Expr) -> bool {
    expr.ty.scalar().is_some_and(|it| it.kind == Kind::Unsigned)
}

fn subtracts(expr: &Expr) -> bool {
    subexprs(expr).iter().any(|part| match part.kind {
        ExprKind::Binary(Binary::Subtract, ..) | ExprKind::Unary(Unary::Minus, _) => true,
        ExprKind::Integer(number) => number < 0,
        _ => false,
    })
}
