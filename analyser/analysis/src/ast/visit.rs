//! Visits all parts of a tree.

use super::{Expr, ExprKind, Stmt, StmtKind, Unit, VariableId};

/// A part of a tree.
#[derive(Clone, Copy, Debug)]
pub enum Part<'u> {
    /// A statement.
    Stmt(&'u Stmt),
    /// An expression.
    Expr(&'u Expr),
}

impl Unit {
    /// Visits a statement and all parts of it, also the initial values of variables; each part before its own parts.
    pub fn visit<'u>(&'u self, stmt: &'u Stmt, visitor: &mut impl FnMut(Part<'u>)) {
        visitor(Part::Stmt(stmt));
        match &stmt.kind {
            StmtKind::Block(stmts) => stmts.iter().for_each(|it| self.visit(it, visitor)),
            StmtKind::Declare(variables) => {
                let initial = variables.iter().map(|id| &self.variables[*id].initial);
                initial.flatten().for_each(|it| visit_expr(it, visitor));
            }
            StmtKind::Expr(expr) => visit_expr(expr, visitor),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                visit_expr(condition, visitor);
                self.visit(then, visitor);
                otherwise.iter().for_each(|it| self.visit(it, visitor));
            }
            StmtKind::Loop {
                first,
                condition,
                step,
                body,
                ..
            } => {
                first.iter().for_each(|it| self.visit(it, visitor));
                condition.iter().for_each(|it| visit_expr(it, visitor));
                step.iter().for_each(|it| visit_expr(it, visitor));
                self.visit(body, visitor);
            }
            StmtKind::Switch { on, body } => {
                visit_expr(on, visitor);
                self.visit(body, visitor);
            }
            StmtKind::Case(constant, behind) => {
                constant.iter().for_each(|it| visit_expr(it, visitor));
                self.visit(behind, visitor);
            }
            StmtKind::Return(value) => value.iter().for_each(|it| visit_expr(it, visitor)),
            StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Other(_, stmts) => stmts.iter().for_each(|it| self.visit(it, visitor)),
        }
    }
}

/// Visits an expression and all parts of it; each part before its own parts.
pub fn visit_expr<'u>(expr: &'u Expr, visitor: &mut impl FnMut(Part<'u>)) {
    visitor(Part::Expr(expr));
    for part in expr.parts() {
        visit_expr(part, visitor);
    }
}

/// An expression without the conversions around it.
pub fn unconverted(mut expr: &Expr) -> &Expr {
    while let ExprKind::Convert(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

impl Expr {
    /// The variable that this place is, or is a field or component of; none if a pointer leads to it.
    pub fn variable(&self) -> Option<VariableId> {
        match &self.kind {
            ExprKind::Variable(id) => Some(*id),
            ExprKind::Member(inner, _) | ExprKind::Components(inner, _) => inner.variable(),
            _ => None,
        }
    }

    /// The variable whose value the expression is.
    pub fn loaded_variable(&self) -> Option<VariableId> {
        match &self.kind {
            ExprKind::Load(place) => match place.kind {
                ExprKind::Variable(id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// Its direct parts, in order.
    pub fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::Variable(_) => Vec::new(),
            ExprKind::Load(inner)
            | ExprKind::Decay(inner)
            | ExprKind::Unary(_, inner)
            | ExprKind::Member(inner, _)
            | ExprKind::Components(inner, _)
            | ExprKind::Convert(inner)
            | ExprKind::Reinterpret(inner)
            | ExprKind::Increment { target: inner, .. } => vec![inner],
            ExprKind::Binary(_, left, right)
            | ExprKind::Assign(_, left, right)
            | ExprKind::Index(left, right) => vec![left, right],
            ExprKind::Conditional(condition, yes, no) => vec![condition, yes, no],
            ExprKind::Call(_, parts) | ExprKind::List(parts) | ExprKind::Other(_, parts) => {
                parts.iter().collect()
            }
        }
    }
}
