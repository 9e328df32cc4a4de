//! Changes that a loop makes to variables.

use std::collections::BTreeMap;

use super::{LoopText, Value};
use crate::{
    accesses::Polynomial,
    ast::{
        Binary, Expr, ExprKind, Part, Space, Stmt, StmtKind, Type, Unary, Unit, VariableId,
        unconverted,
    },
};

/// A variable that changes while a loop runs.
pub(super) struct ChangingVariable {
    pub(super) variable: VariableId,
    pub(super) before: Value,
    /// The number that every iteration adds to it.
    pub(super) step: Option<Polynomial>,
    /// Its number among the carried ones, and its value at an iteration's beginning.
    pub(super) carried: Option<(usize, Value)>,
}

/// A loop's change of a variable.
#[derive(Clone)]
pub(super) enum Change<'u> {
    /// A step: once in every iteration, by this operator and amount.
    Step(Binary, Amount<'u>),
    /// Any other change.
    Other,
}

#[derive(Clone)]
pub(super) enum Amount<'u> {
    Number(i64),
    Expr(&'u Expr),
}

/// All changes of a loop, and whether it may be left before its condition ends it.
pub(super) struct Changes<'u> {
    unit: &'u Unit,
    pub(super) variables: BTreeMap<VariableId, Change<'u>>,
    /// Whether the loop has a `break` or `return`.
    pub(super) leaves: bool,
    pub(super) continues: bool,
    /// Whether the loop may set variables through pointers.
    pub(super) sets_pointees: bool,
}

impl<'u> Changes<'u> {
    pub(super) fn new(unit: &'u Unit, text: &LoopText<'u>) -> Self {
        let mut changes = Self {
            unit,
            variables: BTreeMap::new(),
            leaves: false,
            continues: false,
            sets_pointees: false,
        };
        changes.stmt(text.body, true, false);
        if changes.continues {
            // Statements after `continue` do not run in every iteration.
            for change in changes.variables.values_mut() {
                *change = Change::Other;
            }
        }
        for expr in text.step.into_iter().chain(text.condition) {
            changes.expr(expr, true);
        }
        changes
    }

    /// Notes the changes of a statement. `always`: it runs once in every iteration. `inner`: it is in an inner loop.
    fn stmt(&mut self, stmt: &'u Stmt, always: bool, inner: bool) {
        match &stmt.kind {
            StmtKind::Block(stmts) | StmtKind::Other(_, stmts) => {
                stmts.iter().for_each(|it| self.stmt(it, always, inner));
            }
            StmtKind::Declare(variables) => {
                let unit = self.unit;
                let initial = variables
                    .iter()
                    .filter_map(|id| unit.variables[*id].initial.as_ref());
                initial.for_each(|it| self.expr(it, always));
            }
            StmtKind::Expr(expr) => self.expr(expr, always),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition, always);
                self.stmt(then, false, inner);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise, false, inner);
                }
            }
            StmtKind::Loop {
                first,
                condition,
                step,
                body,
                ..
            } => {
                if let Some(first) = first {
                    self.stmt(first, false, inner);
                }
                for expr in condition.iter().chain(step) {
                    self.expr(expr, false);
                }
                self.stmt(body, false, true);
            }
            StmtKind::Switch { on, body } => {
                self.expr(on, always);
                // `break` leaves the switch, `continue` the iteration.
                let leaves = self.leaves;
                self.stmt(body, false, inner);
                self.leaves =
                    leaves || contains(body, |it| matches!(it, StmtKind::Return(_)), true);
            }
            StmtKind::Case(_, behind) => self.stmt(behind, false, inner),
            StmtKind::Return(value) => {
                self.leaves = true;
                if let Some(value) = value {
                    self.expr(value, false);
                }
            }
            StmtKind::Break => self.leaves |= !inner,
            StmtKind::Continue => self.continues |= !inner,
        }
    }

    fn expr(&mut self, expr: &'u Expr, always: bool) {
        match &expr.kind {
            ExprKind::Increment { by, target, .. } => {
                self.note_change(
                    target,
                    Change::Step(Binary::Add, Amount::Number(*by)),
                    always,
                );
                self.expr(target, always);
            }
            ExprKind::Assign(operation, target, value) => {
                self.note_change(target, assignment(*operation, target, value), always);
                self.expr(target, always);
                self.expr(value, always);
            }
            // A function may write there.
            ExprKind::Unary(Unary::Address, target) => {
                self.note_change(target, Change::Other, false);
                self.expr(target, always);
            }
            ExprKind::Call(_, arguments) => {
                self.sets_pointees |= arguments.iter().any(|it| is_private_pointer(&it.ty));
                arguments.iter().for_each(|it| self.expr(it, always));
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.expr(condition, always);
                self.expr(yes, false);
                self.expr(no, false);
            }
            ExprKind::Binary(Binary::And | Binary::Or, left, right) => {
                self.expr(left, always);
                self.expr(right, false);
            }
            _ => expr
                .parts()
                .into_iter()
                .for_each(|it| self.expr(it, always)),
        }
    }

    fn note_change(&mut self, target: &Expr, change: Change<'u>, always: bool) {
        let is_whole = matches!(target.kind, ExprKind::Variable(_));
        let Some(variable) = target.variable() else {
            self.sets_pointees |= leads_to_private(target);
            return;
        };
        let is_first = !self.variables.contains_key(&variable);
        let change = if is_first && always && is_whole {
            change
        } else {
            Change::Other
        };
        self.variables.insert(variable, change);
    }

    /// Notes changes of the variables that pointers lead to, if the loop may set any.
    pub(super) fn note_pointees(&mut self, pointees: impl Iterator<Item = VariableId>) {
        if self.sets_pointees {
            self.variables
                .extend(pointees.map(|it| (it, Change::Other)));
        }
    }

    /// Whether an expression reads a variable that the loop changes.
    pub(super) fn reads_changed(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Variable(id) => self.variables.contains_key(id),
            ExprKind::Increment { .. } | ExprKind::Assign(..) => true,
            _ => expr.parts().into_iter().any(|it| self.reads_changed(it)),
        }
    }

    /// Whether an expression has the same value in all iterations and accesses no memory.
    pub(super) fn is_invariant(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Integer(_) => true,
            ExprKind::Load(place) => match place.kind {
                ExprKind::Variable(id) => !self.variables.contains_key(&id) && place.ty.is_whole(),
                _ => false,
            },
            ExprKind::Unary(Unary::Minus | Unary::Complement, inner) | ExprKind::Convert(inner) => {
                self.is_invariant(inner)
            }
            ExprKind::Binary(_, left, right) => self.is_invariant(left) && self.is_invariant(right),
            ExprKind::Call(name, arguments) => {
                let is_pure = name.starts_with("get_")
                    || matches!(&**name, "min" | "max" | "clamp" | "mul24");
                is_pure && arguments.iter().all(|it| self.is_invariant(it))
            }
            _ => false,
        }
    }
}

fn is_private_pointer(ty: &Type) -> bool {
    matches!(ty, Type::Pointer(Space::Private, _))
}

/// Whether a place is reached through a pointer to private memory.
fn leads_to_private(target: &Expr) -> bool {
    match &target.kind {
        ExprKind::Member(inner, _) | ExprKind::Components(inner, _) => leads_to_private(inner),
        ExprKind::Unary(Unary::Dereference, inner) | ExprKind::Index(inner, _) => {
            is_private_pointer(&inner.ty)
        }
        _ => false,
    }
}

/// Whether a function may change a structure that is passed to it: it sets a part of it, or keeps a pointer into it.
pub(super) fn may_change(unit: &Unit, body: &Stmt, structure: VariableId) -> bool {
    let is_in = |expr: &Expr| part_of(expr) == Some(structure);
    let (mut is_set, mut pointers, mut indexed) = (false, 0, 0);
    unit.visit(body, &mut |part| {
        let Part::Expr(expr) = part else {
            return;
        };
        match &expr.kind {
            ExprKind::Assign(_, target, _)
            | ExprKind::Increment { target, .. }
            | ExprKind::Unary(Unary::Address, target) => is_set |= is_in(target),
            ExprKind::Decay(inner) => pointers += usize::from(is_in(inner)),
            ExprKind::Index(..) => indexed += usize::from(is_in(expr)),
            _ => {}
        }
    });
    is_set || pointers != indexed
}

/// The variable that a place is a part of.
fn part_of(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Variable(id) => Some(*id),
        ExprKind::Member(inner, _)
        | ExprKind::Components(inner, _)
        | ExprKind::Index(inner, _)
        | ExprKind::Decay(inner) => part_of(inner),
        _ => None,
    }
}

/// The change by `x += y`, or by `x = x + y`.
fn assignment<'u>(operation: Option<Binary>, target: &Expr, value: &'u Expr) -> Change<'u> {
    let step = |operation: Binary, amount: &'u Expr| match operation {
        Binary::Add
        | Binary::Subtract
        | Binary::Multiply
        | Binary::Divide
        | Binary::ShiftLeft
        | Binary::ShiftRight => Change::Step(operation, Amount::Expr(amount)),
        _ => Change::Other,
    };
    if let Some(operation) = operation {
        return step(operation, value);
    }
    let ExprKind::Binary(operation, left, right) = &unconverted(value).kind else {
        return Change::Other;
    };
    let is_target = |expr: &Expr| {
        let mut expr = expr;
        while let ExprKind::Convert(inner) | ExprKind::Load(inner) = &expr.kind {
            expr = inner;
        }
        matches!((&expr.kind, &target.kind), (ExprKind::Variable(a), ExprKind::Variable(b)) if a == b)
    };
    match operation {
        _ if is_target(left) => step(*operation, right),
        Binary::Add | Binary::Multiply if is_target(right) => step(*operation, left),
        _ => Change::Other,
    }
}

/// Whether a statement is or contains one for which `is_it` holds. Inner loops are only searched if `in_loops`.
pub(super) fn contains(stmt: &Stmt, is_it: fn(&StmtKind) -> bool, in_loops: bool) -> bool {
    let search = |stmt: &Stmt| contains(stmt, is_it, in_loops);
    match &stmt.kind {
        kind if is_it(kind) => true,
        StmtKind::Block(stmts) | StmtKind::Other(_, stmts) => stmts.iter().any(search),
        StmtKind::If {
            then, otherwise, ..
        } => search(then) || otherwise.as_ref().is_some_and(|it| search(it)),
        StmtKind::Loop { body, .. } => in_loops && search(body),
        StmtKind::Switch { body, .. } | StmtKind::Case(_, body) => search(body),
        _ => false,
    }
}
