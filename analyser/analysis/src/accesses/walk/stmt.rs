//! Statements.

use std::{
    collections::{BTreeSet, HashMap},
    mem,
};

use super::{Walker, assigned::has, value::Value};
use crate::{
    accesses::{Guard, Polynomial, atom::Condition},
    ast::{Expr, Place, Stmt, StmtKind, VariableId},
};

/// Variables and what they hold.
pub(super) type Variables = HashMap<VariableId, Value>;

impl Walker<'_> {
    /// Whether what comes after is reached from here.
    pub(super) fn stmt(&mut self, stmt: &Stmt) -> bool {
        if !self.works(&stmt.span.begin) {
            return true;
        }
        match &stmt.kind {
            StmtKind::Block(of) => of.iter().all(|it| self.stmt(it)),
            StmtKind::Declare(variables) => {
                variables.iter().for_each(|id| self.declare(*id));
                true
            }
            StmtKind::Expr(expr) => {
                self.eval(expr);
                true
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => self.branch(condition, then, otherwise.as_deref()),
            StmtKind::Loop {
                first,
                condition,
                step,
                body,
                body_first,
            } => {
                if let Some(first) = first {
                    self.stmt(first);
                }
                self.repeat(
                    condition.as_ref(),
                    step.as_ref(),
                    body,
                    *body_first,
                    &stmt.span,
                );
                true
            }
            StmtKind::Switch { on, body } => {
                self.switch(on, body);
                true
            }
            StmtKind::Case(_, behind) => self.stmt(behind),
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(value),
                    None => Value::nothing(),
                };
                self.returns(value);
                false
            }
            StmtKind::Break => {
                self.broken.push(self.variables.clone());
                false
            }
            StmtKind::Continue => false,
            StmtKind::Other(reason, of) => {
                self.gap(&format!("{reason} is not followed"), &stmt.span.begin);
                of.iter().for_each(|it| {
                    self.stmt(it);
                });
                true
            }
        }
    }

    fn declare(&mut self, id: VariableId) {
        let variable = &self.unit.variables[id];
        if let super::memory::At::Memory(_) = self.variable(id) {
            // What a list sets an array to is the compiler's to store.
            if let Some(initial) = &variable.initial {
                self.eval(initial);
            }
            return;
        }
        let value = match &variable.initial {
            Some(initial) => {
                let value = self.eval(initial);
                self.points(id, &value, &initial.span);
                value
            }
            None => Value::nothing(),
        };
        self.variables.insert(id, value);
    }

    fn branch(&mut self, condition: &Expr, then: &Stmt, otherwise: Option<&Stmt>) -> bool {
        let place = &condition.span.begin;
        let when = self.condition(condition);
        match (when.decided(), otherwise) {
            (Some(true), _) => return self.stmt(then),
            (Some(false), Some(otherwise)) => return self.stmt(otherwise),
            (Some(false), None) => return true,
            (None, _) => {}
        }
        let depth = self.guards.len();
        let before = self.variables.clone();
        self.guard(when.clone(), place);
        let then_goes_on = self.stmt(then);
        let then_guards = self.guards.split_off(depth);
        let after_then = mem::replace(&mut self.variables, before);
        self.guard(when.negated(), place);
        let else_goes_on = otherwise.is_none_or(|it| self.stmt(it));
        let else_guards = self.guards.split_off(depth);
        match (then_goes_on, else_goes_on) {
            (true, true) => {
                let after_else = mem::take(&mut self.variables);
                self.variables = self.merged(&when, after_then, after_else);
                // Either side may have been left in some cases.
                self.left_over(when.negated(), &then_guards, place);
                self.left_over(when, &else_guards, place);
            }
            (true, false) => {
                self.variables = after_then;
                self.guards.extend(then_guards);
            }
            (false, true) => self.guards.extend(else_guards),
            (false, false) => {
                // They decide how it was left.
                self.guards.extend(then_guards);
                self.guards.extend(else_guards);
                return false;
            }
        }
        true
    }

    /// Unless it came the other way, what holds inside a branch's end holds after it. The first is the branch's own.
    fn left_over(&mut self, other_way: Condition, guards: &[Guard], place: &Place) {
        let inside = guards.get(1..).unwrap_or_default();
        if inside.is_empty() {
            return;
        }
        let inside = inside.iter().map(|guard| guard.condition.clone()).collect();
        self.guard(
            Condition::Any(vec![other_way, Condition::All(inside)]),
            place,
        );
    }

    /// Variables after one way or the other.
    pub(super) fn merged(
        &mut self,
        when: &Condition,
        yes: Variables,
        mut no: Variables,
    ) -> Variables {
        let mut merged = Variables::new();
        // In an order of their own: atoms are numbered as they come.
        let mut yes: Vec<(VariableId, Value)> = yes.into_iter().collect();
        yes.sort_by_key(|(id, _)| *id);
        for (id, yes) in yes {
            let value = match no.remove(&id) {
                Some(no) => self.either(when, yes, no),
                None => yes,
            };
            merged.insert(id, value);
        }
        merged.extend(no);
        merged
    }

    fn switch(&mut self, on: &Expr, body: &Stmt) {
        let place = &on.span.begin;
        let value = self.eval(on);
        let roots = value.roots();
        let on = match value {
            Value::Whole(on) => Some(on),
            _ => None,
        };
        let before = self.variables.clone();
        let mut after: Vec<Variables> = vec![before.clone()];
        let depth = self.guards.len();
        let exits = leaves_around(body);
        let body = match &body.kind {
            StmtKind::Block(of) => of.as_slice(),
            _ => std::slice::from_ref(body),
        };
        let outer = mem::take(&mut self.broken);
        // What decides where the cases so far are left.
        let mut ways = roots.clone();
        let mut goes_on = false;
        for stmt in body {
            if let StmtKind::Case(..) = &stmt.kind {
                let mut when = self.case(stmt, on.as_ref(), &roots);
                self.end_case(depth, &mut ways);
                if goes_on {
                    // Also from the case before.
                    when = Condition::Opaque(ways.clone());
                    let fallen = mem::take(&mut self.variables);
                    self.variables = self.merged(&when, fallen, before.clone());
                } else {
                    self.variables.clone_from(&before);
                }
                self.guard(when, place);
                goes_on = true;
            }
            goes_on = goes_on && self.stmt(behind_cases(stmt));
        }
        self.end_case(depth, &mut ways);
        if goes_on {
            after.push(mem::take(&mut self.variables));
        }
        after.extend(mem::replace(&mut self.broken, outer));
        let when = Condition::Opaque(ways);
        let merged = after
            .into_iter()
            .reduce(|one, other| self.merged(&when, one, other));
        self.variables = merged.unwrap_or(before);
        if exits {
            // Whoever returned, or went to the next pass, does not come here.
            self.guard(when, place);
        }
    }

    /// Drops the guards of a case, and keeps what they ask.
    fn end_case(&mut self, depth: usize, ways: &mut BTreeSet<usize>) {
        for guard in self.guards.drain(depth..) {
            ways.extend(guard.condition.atoms());
        }
    }

    fn case(&mut self, stmt: &Stmt, on: Option<&Polynomial>, roots: &BTreeSet<usize>) -> Condition {
        let StmtKind::Case(constant, behind) = &stmt.kind else {
            return Condition::Any(Vec::new());
        };
        let inner = self.case(behind, on, roots);
        let own = constant.as_ref().and_then(|constant| {
            let Value::Whole(constant) = self.eval(constant) else {
                return None;
            };
            Some(Condition::Zero(on?.minus(&constant)?))
        });
        let own = own.unwrap_or_else(|| Condition::Opaque(roots.clone()));
        Condition::Any(vec![own, inner])
    }
}

fn behind_cases(stmt: &Stmt) -> &Stmt {
    let mut stmt = stmt;
    while let StmtKind::Case(_, behind) = &stmt.kind {
        stmt = behind;
    }
    stmt
}

/// Whether a switch's body has a `return`, or a `continue` of a loop around the switch.
fn leaves_around(body: &Stmt) -> bool {
    has(body, |it| matches!(it, StmtKind::Return(_)), true)
        || has(body, |it| matches!(it, StmtKind::Continue), false)
}
