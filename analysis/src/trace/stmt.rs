//! Statements of a run.

use super::{Run, Value};
use crate::ast::{Expr, Stmt, StmtKind};

/// How a statement ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Next,
    Break,
    Continue,
    Return,
}

impl Run<'_> {
    /// None where it takes too long.
    pub(super) fn stmt(&mut self, stmt: &Stmt) -> Option<End> {
        self.left = self.left.checked_sub(1)?;
        match &stmt.kind {
            StmtKind::Block(of) | StmtKind::Other(_, of) => self.all(of),
            StmtKind::Declare(variables) => {
                for id in variables {
                    let variable = &self.unit.variables[*id];
                    let value = match &variable.initial {
                        Some(initial) => self.eval(initial)?,
                        None => Value::Unknown,
                    };
                    self.variables.insert(*id, value);
                }
                Some(End::Next)
            }
            StmtKind::Expr(expr) => {
                self.eval(expr)?;
                Some(End::Next)
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => match (self.holds(condition)?, otherwise) {
                (Some(true), _) => self.stmt(then),
                (Some(false), Some(otherwise)) => self.stmt(otherwise),
                (Some(false), None) => Some(End::Next),
                (None, otherwise) => self.both(then, otherwise.as_deref()),
            },
            StmtKind::Loop {
                first,
                condition,
                step,
                body,
                body_first,
            } => {
                if let Some(first) = first {
                    self.stmt(first)?;
                }
                self.repeat(condition.as_ref(), step.as_ref(), body, *body_first)
            }
            // What a case is is not looked at: all of them may be.
            StmtKind::Switch { on, body } => {
                self.eval(on)?;
                self.both(body, None)
            }
            StmtKind::Case(_, behind) => self.stmt(behind),
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(value)?,
                    None => Value::Unknown,
                };
                self.returned = Some(value);
                Some(End::Return)
            }
            StmtKind::Break => Some(End::Break),
            StmtKind::Continue => Some(End::Continue),
        }
    }

    fn all(&mut self, of: &[Stmt]) -> Option<End> {
        for stmt in of {
            let end = self.stmt(stmt)?;
            // Of a branch that may not have been gone, the end is not sure.
            if end != End::Next {
                return Some(end);
            }
        }
        Some(End::Next)
    }

    fn both(&mut self, then: &Stmt, otherwise: Option<&Stmt>) -> Option<End> {
        self.unsure += 1;
        let before = self.variables.clone();
        let one = self.stmt(then)?;
        let after = std::mem::replace(&mut self.variables, before);
        let other = match otherwise {
            Some(otherwise) => self.stmt(otherwise)?,
            None => End::Next,
        };
        self.unsure -= 1;
        self.forget_what_differs(after);
        if one != End::Next || other != End::Next {
            // Whether anything comes after is not known.
            self.unsure += 1;
        }
        Some(if one == other { one } else { End::Next })
    }

    pub(super) fn forget_what_differs(&mut self, other: std::collections::BTreeMap<usize, Value>) {
        for (id, value) in &mut self.variables {
            if other.get(id) != Some(value) {
                *value = Value::Unknown;
            }
        }
        for (id, value) in other {
            self.variables.entry(id).or_insert(value);
        }
    }

    fn repeat(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        body_first: bool,
    ) -> Option<End> {
        let mut is_first = body_first;
        loop {
            self.left = self.left.checked_sub(1)?;
            let runs = match condition {
                _ if is_first => Some(true),
                Some(condition) => self.holds(condition)?,
                None => Some(true),
            };
            is_first = false;
            match runs {
                Some(true) => {}
                Some(false) => return Some(End::Next),
                None => {
                    // Some passes or none: one is gone, and what it changes is not known from its beginning.
                    self.unsure += 1;
                    let before = self.variables.clone();
                    let events = self.events.len();
                    self.stmt(body)?;
                    if let Some(step) = step {
                        self.eval(step)?;
                    }
                    self.events.truncate(events);
                    self.forget_what_differs(before);
                    self.stmt(body)?;
                    self.unsure -= 1;
                    return Some(End::Next);
                }
            }
            let unsure = self.unsure;
            let end = self.stmt(body)?;
            match end {
                End::Next | End::Continue => {}
                End::Break => return Some(End::Next),
                End::Return => return Some(End::Return),
            }
            if self.unsure > unsure {
                // Left or not: from here on nothing is sure.
                return Some(End::Next);
            }
            if let Some(step) = step {
                self.eval(step)?;
            }
        }
    }
}
