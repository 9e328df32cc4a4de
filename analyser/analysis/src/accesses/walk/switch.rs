//! `switch`: its cases are followed one after the other.

use std::{collections::BTreeSet, mem};

use super::{Walker, loop_changes::contains, stmt::Variables, value::Value};
use crate::{
    accesses::{Polynomial, atom::Condition},
    ast::{Expr, Stmt, StmtKind},
};

impl Walker<'_> {
    pub(super) fn switch(&mut self, on: &Expr, body: &Stmt) {
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
            // Work-items that returned, or went to the next pass, do not come here.
            self.add_guard(when, place);
        }
    }

    /// Drops the guards of a case and keeps their atoms.
    fn end_case(&mut self, depth: usize, deciding: &mut BTreeSet<usize>) {
        for guard in self.guards.drain(depth..) {
            deciding.extend(guard.condition.atoms());
        }
    }

    /// The condition of a `case`, and of those that follow directly.
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
