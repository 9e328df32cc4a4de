//! Statements: how each changes what variables hold, and the accesses in it.

use std::{collections::BTreeSet, mem};

use super::{LoopText, Variables, Walker, loop_changes::contains, place::Location, value::Value};
use crate::{
    accesses::{Guard, Polynomial, atom::Condition},
    ast::{Expr, Place, Stmt, StmtKind, VariableId},
};

impl Walker<'_> {
    /// Follows a statement. Returns whether the next one is reached from it.
    pub(super) fn stmt(&mut self, stmt: &Stmt) -> bool {
        if !self.has_budget(&stmt.span.begin) {
            return true;
        }
        match &stmt.kind {
            StmtKind::Block(stmts) => stmts.iter().all(|it| self.stmt(it)),
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
                self.walk_loop(&LoopText {
                    condition: condition.as_ref(),
                    step: step.as_ref(),
                    body,
                    body_first: *body_first,
                    span: &stmt.span,
                });
                true
            }
            StmtKind::Switch { on, body } => {
                self.switch(on, body);
                true
            }
            StmtKind::Case(_, behind) => self.stmt(behind),
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|it| self.eval(it));
                self.return_value(value.unwrap_or_else(Value::nothing));
                false
            }
            StmtKind::Break => {
                self.at_breaks.push(self.variables.clone());
                false
            }
            StmtKind::Continue => false,
            StmtKind::Other(reason, stmts) => {
                self.add_gap(&format!("{reason} is not followed"), &stmt.span.begin);
                for it in stmts {
                    self.stmt(it);
                }
                true
            }
        }
    }

    fn declare(&mut self, id: VariableId) {
        let variable = &self.unit.variables[id];
        if let Location::Memory(_) = self.variable_location(id) {
            // How an array gets the values of a list is the compiler's business.
            if let Some(initial) = &variable.initial {
                self.eval(initial);
            }
            return;
        }
        let value = match &variable.initial {
            Some(initial) => {
                let value = self.eval(initial);
                self.record_pointer(id, &value, &initial.span);
                value
            }
            None => Value::nothing(),
        };
        self.variables.insert(id, value);
    }

    fn branch(&mut self, condition: &Expr, then: &Stmt, otherwise: Option<&Stmt>) -> bool {
        let place = &condition.span.begin;
        let when = self.condition(condition);
        match when.decided() {
            Some(true) => return self.stmt(then),
            Some(false) => return otherwise.is_none_or(|it| self.stmt(it)),
            None => {}
        }
        let depth = self.guards.len();
        let before = self.variables.clone();
        self.add_guard(when.clone(), place);
        let then_goes_on = self.stmt(then);
        let then_guards = self.guards.split_off(depth);
        let after_then = mem::replace(&mut self.variables, before);
        self.add_guard(when.negated(), place);
        let else_goes_on = otherwise.is_none_or(|it| self.stmt(it));
        let else_guards = self.guards.split_off(depth);
        match (then_goes_on, else_goes_on) {
            (true, true) => {
                let after_else = mem::take(&mut self.variables);
                self.variables = self.merge(&when, after_then, after_else);
                // Either side may have returned in some cases.
                self.guard_as_inside(when.negated(), &then_guards, place);
                self.guard_as_inside(when, &else_guards, place);
            }
            (true, false) => {
                self.variables = after_then;
                self.guards.extend(then_guards);
            }
            (false, true) => self.guards.extend(else_guards),
            (false, false) => {
                // They decide which way the statement was left.
                self.guards.extend(then_guards);
                self.guards.extend(else_guards);
                return false;
            }
        }
        true
    }

    /// Adds the guards that hold at a branch's end to what follows, unless the other branch was taken. The first guard
    /// is the branch's own.
    fn guard_as_inside(&mut self, other_way: Condition, guards: &[Guard], place: &Place) {
        let inside = guards.get(1..).unwrap_or_default();
        if inside.is_empty() {
            return;
        }
        let inside = inside.iter().map(|guard| guard.condition.clone()).collect();
        self.add_guard(
            Condition::Any(vec![other_way, Condition::All(inside)]),
            place,
        );
    }

    /// Variables after one branch or the other.
    pub(super) fn merge(
        &mut self,
        when: &Condition,
        yes: Variables,
        mut no: Variables,
    ) -> Variables {
        let mut merged = Variables::new();
        // Sorted, so that atoms are numbered in the same order each time.
        let mut yes: Vec<(VariableId, Value)> = yes.into_iter().collect();
        yes.sort_by_key(|(id, _)| *id);
        for (id, yes) in yes {
            let value = match no.remove(&id) {
                Some(no) => self.select(when, yes, no),
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
        let may_leave = may_leave_around(body);
        let body = match &body.kind {
            StmtKind::Block(stmts) => stmts.as_slice(),
            _ => std::slice::from_ref(body),
        };
        let outer_breaks = mem::take(&mut self.at_breaks);
        // Atoms that decide where the cases so far are left.
        let mut deciding = roots.clone();
        let mut falls_through = false;
        for stmt in body {
            if let StmtKind::Case(..) = &stmt.kind {
                let mut when = self.case(stmt, on.as_ref(), &roots);
                self.end_case(depth, &mut deciding);
                if falls_through {
                    // It is reached from the case before, too.
                    when = Condition::Opaque(deciding.clone());
                    let after_case = mem::take(&mut self.variables);
                    self.variables = self.merge(&when, after_case, before.clone());
                } else {
                    self.variables.clone_from(&before);
                }
                self.add_guard(when, place);
                falls_through = true;
            }
            falls_through = falls_through && self.stmt(case_body(stmt));
        }
        self.end_case(depth, &mut deciding);
        if falls_through {
            after.push(mem::take(&mut self.variables));
        }
        after.extend(mem::replace(&mut self.at_breaks, outer_breaks));
        let when = Condition::Opaque(deciding);
        let merged = after
            .into_iter()
            .reduce(|one, other| self.merge(&when, one, other));
        self.variables = merged.unwrap_or(before);
        if may_leave {
            // Work-items that returned, or went to the next iteration, do not come here.
            self.add_guard(when, place);
        }
    }

    /// Drops the guards of a case and keeps their atoms.
    fn end_case(&mut self, depth: usize, deciding: &mut BTreeSet<usize>) {
        for guard in self.guards.drain(depth..) {
            deciding.extend(guard.condition.atoms());
        }
    }

    /// The condition of a `case`, and of cases that follow it directly.
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

fn case_body(stmt: &Stmt) -> &Stmt {
    let mut stmt = stmt;
    while let StmtKind::Case(_, behind) = &stmt.kind {
        stmt = behind;
    }
    stmt
}

/// Whether a switch's body has a `return`, or a `continue` of a loop around the switch.
fn may_leave_around(body: &Stmt) -> bool {
    contains(body, |it| matches!(it, StmtKind::Return(_)), true)
        || contains(body, |it| matches!(it, StmtKind::Continue), false)
}
