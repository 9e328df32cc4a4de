//! The parts of a `for` loop.

use crate::ast::{Binary, Expr, ExprKind, Stmt, StmtKind, Unit, VariableId, unconverted};

/// A `for` with a step that counts a variable.
pub(crate) struct ForLoop<'a> {
    /// The first statement in its head; none if the variable has its first value before the loop.
    pub(crate) head: Option<&'a Stmt>,
    pub(crate) variable: VariableId,
    /// The value that the head gives the variable.
    pub(crate) first: Option<&'a Expr>,
    pub(crate) condition: Option<&'a Expr>,
    pub(crate) step: &'a Expr,
    pub(crate) body: &'a Stmt,
}

impl<'a> ForLoop<'a> {
    /// The parts of `for (int i = first; …)`, `for (i = first; …)` or `for (; i < end; …)`; none for another statement.
    pub(crate) fn from_stmt(unit: &'a Unit, stmt: &'a Stmt) -> Option<Self> {
        let StmtKind::Loop {
            first: head,
            condition,
            step: Some(step),
            body,
            ..
        } = &stmt.kind
        else {
            return None;
        };
        let (head, condition) = (head.as_deref(), condition.as_ref());
        let (variable, first) = match head.map(|it| &it.kind) {
            None => (counted(condition?)?, None),
            Some(StmtKind::Declare(declared)) => match *declared.as_slice() {
                [id] => (id, unit.variables[id].initial.as_ref()),
                _ => return None,
            },
            Some(StmtKind::Expr(Expr {
                kind: ExprKind::Assign(None, target, first),
                ..
            })) => match target.kind {
                ExprKind::Variable(id) => (id, Some(&**first)),
                _ => return None,
            },
            Some(_) => return None,
        };
        Some(Self {
            head,
            variable,
            first,
            condition,
            step,
            body,
        })
    }

    /// The head, if it declares the variable.
    pub(crate) fn declared(&self) -> Option<&'a Stmt> {
        let declares = |it: &&Stmt| matches!(it.kind, StmtKind::Declare(_));
        self.head.filter(declares)
    }

    /// The number by which the variable grows at each iteration; none where the step is no number.
    pub(crate) fn grows_by(&self) -> Option<i128> {
        let whole = |by: &Expr| match unconverted(by).kind {
            ExprKind::Integer(by) => Some(i128::from(by)),
            _ => None,
        };
        let (target, by) = match &self.step.kind {
            ExprKind::Increment { target, by, .. } => (target, i128::from(*by)),
            ExprKind::Assign(Some(Binary::Add), target, by) => (target, whole(by)?),
            ExprKind::Assign(Some(Binary::Subtract), target, by) => (target, -whole(by)?),
            _ => return None,
        };
        matches!(target.kind, ExprKind::Variable(id) if id == self.variable).then_some(by)
    }
}

/// The variable of a condition `i < end` or `i + 4 <= end`.
pub(crate) fn counted(condition: &Expr) -> Option<VariableId> {
    let ExprKind::Binary(Binary::Less | Binary::LessOrEqual, left, _) = &condition.kind else {
        return None;
    };
    let mut counted: &Expr = left;
    loop {
        counted = match &counted.kind {
            ExprKind::Load(inner) | ExprKind::Convert(inner) => inner,
            ExprKind::Binary(Binary::Add, inner, by) => match unconverted(by).kind {
                ExprKind::Integer(0..) => inner,
                _ => return None,
            },
            ExprKind::Variable(id) => return Some(*id),
            _ => return None,
        };
    }
}
