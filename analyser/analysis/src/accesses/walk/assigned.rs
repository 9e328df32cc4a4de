//! What a loop changes.

use std::collections::BTreeMap;

use crate::{
    accesses::Operation,
    ast::{Binary, Expr, ExprKind, Part, Space, Stmt, StmtKind, Type, Unary, Unit, VariableId},
};

/// How a loop changes a variable.
#[derive(Clone)]
pub(super) enum Change<'u> {
    /// Once a pass, by this.
    Step(By, Amount<'u>),
    /// Any other way.
    Other,
}

/// By a sum, a product or another operation.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum By {
    Add,
    Subtract,
    Multiply,
    Other(Operation),
}

/// With what.
#[derive(Clone)]
pub(super) enum Amount<'u> {
    Number(i64),
    Expr(&'u Expr),
}

/// All that a loop changes, and whether it may be left in its middle.
pub(super) struct Changes<'u> {
    unit: &'u Unit,
    pub(super) variables: BTreeMap<VariableId, Change<'u>>,
    pub(super) leaves: bool,
    pub(super) continues: bool,
    /// Whether it may set what a pointer to a variable leads to.
    pub(super) sets_pointees: bool,
}

impl<'u> Changes<'u> {
    pub(super) fn of(
        unit: &'u Unit,
        condition: Option<&'u Expr>,
        step: Option<&'u Expr>,
        body: &'u Stmt,
    ) -> Self {
        let mut changes = Self {
            unit,
            variables: BTreeMap::new(),
            leaves: false,
            continues: false,
            sets_pointees: false,
        };
        changes.stmt(body, true, false);
        if changes.continues {
            // What stands behind `continue` is not done in every pass.
            for change in changes.variables.values_mut() {
                *change = Change::Other;
            }
        }
        if let Some(expr) = step {
            changes.expr(expr, true);
        }
        if let Some(expr) = condition {
            changes.expr(expr, true);
        }
        changes
    }

    /// `always`: in every pass, once. `inner`: in a loop of the loop.
    fn stmt(&mut self, stmt: &'u Stmt, always: bool, inner: bool) {
        match &stmt.kind {
            StmtKind::Block(of) | StmtKind::Other(_, of) => {
                of.iter().for_each(|it| self.stmt(it, always, inner));
            }
            StmtKind::Declare(variables) => {
                let unit = self.unit;
                let set = variables
                    .iter()
                    .filter_map(|id| unit.variables[*id].initial.as_ref());
                set.for_each(|initial| self.expr(initial, always));
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
                // `break` leaves the switch, `continue` the pass.
                let leaves = self.leaves;
                self.stmt(body, false, inner);
                self.leaves = leaves || has(body, |it| matches!(it, StmtKind::Return(_)), true);
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
                self.changed(target, Change::Step(By::Add, Amount::Number(*by)), always);
                self.expr(target, always);
            }
            ExprKind::Assign(operation, target, value) => {
                self.changed(target, assigned(*operation, target, value), always);
                self.expr(target, always);
                self.expr(value, always);
            }
            // A function may write there.
            ExprKind::Unary(Unary::Address, of) => {
                self.changed(of, Change::Other, false);
                self.expr(of, always);
            }
            ExprKind::Call(_, given) => {
                self.sets_pointees |= given.iter().any(|it| is_private_pointer(&it.of));
                given.iter().for_each(|it| self.expr(it, always));
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

    fn changed(&mut self, target: &Expr, change: Change<'u>, always: bool) {
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

    /// Changes variables that pointers lead to, where it sets any of these.
    pub(super) fn set_pointees(&mut self, pointees: impl Iterator<Item = VariableId>) {
        if self.sets_pointees {
            self.variables
                .extend(pointees.map(|id| (id, Change::Other)));
        }
    }

    /// Whether an expression reads a variable that the loop changes.
    pub(super) fn touches(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Variable(id) => self.variables.contains_key(id),
            ExprKind::Increment { .. } | ExprKind::Assign(..) => true,
            _ => expr.parts().into_iter().any(|it| self.touches(it)),
        }
    }

    /// Whether the loop leaves what an expression reads as it is, and reading it is no access.
    pub(super) fn leaves_alone(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Integer(_) => true,
            ExprKind::Load(of) => {
                matches!(of.kind, ExprKind::Variable(id) if !self.variables.contains_key(&id) && of.of.is_whole())
            }
            ExprKind::Unary(Unary::Minus | Unary::Complement, of) | ExprKind::Convert(of) => {
                self.leaves_alone(of)
            }
            ExprKind::Binary(_, left, right) => self.leaves_alone(left) && self.leaves_alone(right),
            ExprKind::Call(name, of) => {
                let is_id = name.starts_with("get_")
                    || matches!(&**name, "min" | "max" | "clamp" | "mul24");
                is_id && of.iter().all(|it| self.leaves_alone(it))
            }
            _ => false,
        }
    }
}

fn is_private_pointer(of: &Type) -> bool {
    matches!(of, Type::Pointer(Space::Private, _))
}

/// Whether a place is where a pointer to private memory leads.
fn leads_to_private(target: &Expr) -> bool {
    match &target.kind {
        ExprKind::Member(of, _) | ExprKind::Components(of, _) => leads_to_private(of),
        ExprKind::Unary(Unary::Dereference, of) | ExprKind::Index(of, _) => {
            is_private_pointer(&of.of)
        }
        _ => false,
    }
}

/// Whether a function may change a structure that it was given: it sets a part of it, or keeps a pointer into it.
pub(super) fn is_changed(unit: &Unit, body: &Stmt, structure: VariableId) -> bool {
    let is_in = |expr: &Expr| part_of(expr) == Some(structure);
    let (mut is_set, mut pointers, mut indexed) = (false, 0, 0);
    unit.visit(body, &mut |part| {
        let Part::Expr(expr) = part else {
            return;
        };
        match &expr.kind {
            ExprKind::Assign(_, of, _)
            | ExprKind::Increment { target: of, .. }
            | ExprKind::Unary(Unary::Address, of) => is_set |= is_in(of),
            ExprKind::Decay(of) => pointers += usize::from(is_in(of)),
            ExprKind::Index(..) => indexed += usize::from(is_in(expr)),
            _ => {}
        }
    });
    is_set || pointers != indexed
}

/// The variable whose part it is.
fn part_of(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Variable(id) => Some(*id),
        ExprKind::Member(of, _)
        | ExprKind::Components(of, _)
        | ExprKind::Index(of, _)
        | ExprKind::Decay(of) => part_of(of),
        _ => None,
    }
}

/// `x += y`, or `x = x + y`.
fn assigned<'u>(operation: Option<Binary>, target: &Expr, value: &'u Expr) -> Change<'u> {
    let step = |operation: Binary, amount: &'u Expr| match by(operation) {
        Some(by) => Change::Step(by, Amount::Expr(amount)),
        None => Change::Other,
    };
    if let Some(operation) = operation {
        return step(operation, value);
    }
    let mut inmost = value;
    while let ExprKind::Convert(of) = &inmost.kind {
        inmost = of;
    }
    let ExprKind::Binary(operation, left, right) = &inmost.kind else {
        return Change::Other;
    };
    let is_target = |expr: &Expr| {
        let mut expr = expr;
        while let ExprKind::Convert(of) | ExprKind::Load(of) = &expr.kind {
            expr = of;
        }
        matches!((&expr.kind, &target.kind), (ExprKind::Variable(a), ExprKind::Variable(b)) if a == b)
    };
    match operation {
        _ if is_target(left) => step(*operation, right),
        Binary::Add | Binary::Multiply if is_target(right) => step(*operation, left),
        _ => Change::Other,
    }
}

fn by(operation: Binary) -> Option<By> {
    Some(match operation {
        Binary::Add => By::Add,
        Binary::Subtract => By::Subtract,
        Binary::Multiply => By::Multiply,
        Binary::Divide => By::Other(Operation::Divide),
        Binary::ShiftLeft => By::Other(Operation::ShiftLeft),
        Binary::ShiftRight => By::Other(Operation::ShiftRight),
        _ => return None,
    })
}

/// Whether a statement or any within is such a one; those in loops within only where asked for.
pub(super) fn has(stmt: &Stmt, is_it: fn(&StmtKind) -> bool, in_loops: bool) -> bool {
    let has = |stmt: &Stmt| has(stmt, is_it, in_loops);
    match &stmt.kind {
        kind if is_it(kind) => true,
        StmtKind::Block(of) | StmtKind::Other(_, of) => of.iter().any(has),
        StmtKind::If {
            then, otherwise, ..
        } => has(then) || otherwise.as_ref().is_some_and(|it| has(it)),
        StmtKind::Loop { body, .. } => in_loops && has(body),
        StmtKind::Switch { body, .. } | StmtKind::Case(_, body) => has(body),
        _ => false,
    }
}
