//! All statements and expressions in a part of the syntax tree, outermost first.

use crate::ast::{Expr, ExprKind, Part, Stmt, Unit, VariableId, visit_expr};

/// All expressions of a statement.
pub(crate) fn exprs<'a>(unit: &'a Unit, stmt: &'a Stmt) -> Vec<&'a Expr> {
    let mut all = Vec::new();
    unit.visit(stmt, &mut |part| {
        if let Part::Expr(expr) = part {
            all.push(expr);
        }
    });
    all
}

/// A statement, and all statements in it.
pub(crate) fn stmts<'a>(unit: &'a Unit, stmt: &'a Stmt) -> Vec<&'a Stmt> {
    let mut all = Vec::new();
    unit.visit(stmt, &mut |part| {
        if let Part::Stmt(stmt) = part {
            all.push(stmt);
        }
    });
    all
}

/// An expression, and all expressions in it.
pub(crate) fn subexprs(expr: &Expr) -> Vec<&Expr> {
    let mut all = Vec::new();
    visit_expr(expr, &mut |part| {
        if let Part::Expr(expr) = part {
            all.push(expr);
        }
    });
    all
}

/// Whether an expression has a variable.
pub(crate) fn mentions(expr: &Expr, id: VariableId) -> bool {
    let is_it = |it: &&Expr| matches!(it.kind, ExprKind::Variable(own) if own == id);
    subexprs(expr).iter().any(is_it)
}
