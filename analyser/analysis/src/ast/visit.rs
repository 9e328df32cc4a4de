//! Going through a tree.

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
    /// Hands over a statement and all in it, initial values of variables too, each before what it is made of.
    pub fn visit<'u>(&'u self, stmt: &'u Stmt, see: &mut impl FnMut(Part<'u>)) {
        see(Part::Stmt(stmt));
        match &stmt.kind {
            StmtKind::Block(of) => of.iter().for_each(|it| self.visit(it, see)),
            StmtKind::Declare(variables) => {
                let initial = variables.iter().map(|id| &self.variables[*id].initial);
                initial.flatten().for_each(|it| visit_expr(it, see));
            }
            StmtKind::Expr(expr) => visit_expr(expr, see),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                visit_expr(condition, see);
                self.visit(then, see);
                otherwise.iter().for_each(|it| self.visit(it, see));
            }
            StmtKind::Loop {
                first,
                condition,
                step,
                body,
                ..
            } => {
                first.iter().for_each(|it| self.visit(it, see));
                condition.iter().for_each(|it| visit_expr(it, see));
                step.iter().for_each(|it| visit_expr(it, see));
                self.visit(body, see);
            }
            StmtKind::Switch { on, body } => {
                visit_expr(on, see);
                self.visit(body, see);
            }
            StmtKind::Case(constant, behind) => {
                constant.iter().for_each(|it| visit_expr(it, see));
                self.visit(behind, see);
            }
            StmtKind::Return(value) => value.iter().for_each(|it| visit_expr(it, see)),
            StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Other(_, of) => of.iter().for_each(|it| self.visit(it, see)),
        }
    }
}

/// Hands over an expression and all in it, each before what it is made of.
pub fn visit_expr<'u>(expr: &'u Expr, see: &mut impl FnMut(Part<'u>)) {
    see(Part::Expr(expr));
    for part in expr.parts() {
        visit_expr(part, see);
    }
}

/// Without conversions.
pub fn unconverted(mut expr: &Expr) -> &Expr {
    while let ExprKind::Convert(of) = &expr.kind {
        expr = of;
    }
    expr
}

impl Expr {
    /// The variable that a place is of, or is a part of by fields and components; none of where a pointer leads.
    pub fn variable(&self) -> Option<VariableId> {
        match &self.kind {
            ExprKind::Variable(id) => Some(*id),
            ExprKind::Member(of, _) | ExprKind::Components(of, _) => of.variable(),
            _ => None,
        }
    }

    /// What it is made of, in its order.
    pub fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::Variable(_) => Vec::new(),
            ExprKind::Load(of)
            | ExprKind::Decay(of)
            | ExprKind::Unary(_, of)
            | ExprKind::Member(of, _)
            | ExprKind::Components(of, _)
            | ExprKind::Convert(of)
            | ExprKind::Reinterpret(of)
            | ExprKind::Increment { target: of, .. } => vec![of],
            ExprKind::Binary(_, left, right)
            | ExprKind::Assign(_, left, right)
            | ExprKind::Index(left, right) => vec![left, right],
            ExprKind::Conditional(condition, yes, no) => vec![condition, yes, no],
            ExprKind::Call(_, of) | ExprKind::List(of) | ExprKind::Other(_, of) => {
                of.iter().collect()
            }
        }
    }
}
