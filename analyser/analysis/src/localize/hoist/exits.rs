//! Statements that will hold barriers, and statements that leave for another place than their end.

use super::Hoist;
use crate::{
    ast::{Stmt, StmtKind},
    localize::stmts,
};

impl Hoist<'_, '_> {
    pub(super) fn has_barrier(&self, stmt: &Stmt) -> bool {
        self.any(stmt, &|it| {
            matches!(it.kind, StmtKind::Loop { .. }) && self.scope(it).is_some()
        })
    }

    pub(super) fn returns(&self, stmt: &Stmt) -> bool {
        self.any(stmt, &|it| matches!(it.kind, StmtKind::Return(_)))
    }

    /// Whether anything in a statement goes to another place than its end.
    pub(super) fn leaves(&self, stmt: &Stmt) -> bool {
        self.returns(stmt) || self.goes_on_elsewhere(stmt)
    }

    /// Whether a `break` or `continue` in a statement belongs to a loop or a switch around it.
    pub(super) fn goes_on_elsewhere(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Break | StmtKind::Continue | StmtKind::Other(..) => true,
            StmtKind::Block(stmts) => stmts.iter().any(|it| self.goes_on_elsewhere(it)),
            StmtKind::If {
                then, otherwise, ..
            } => {
                let otherwise = otherwise.as_deref();
                self.goes_on_elsewhere(then)
                    || otherwise.is_some_and(|it| self.goes_on_elsewhere(it))
            }
            StmtKind::Case(_, behind) => self.goes_on_elsewhere(behind),
            // Its own breaks are nobody else's; a `continue` is, but that takes a loop around it.
            StmtKind::Switch { .. } => self.any(stmt, &|it| matches!(it.kind, StmtKind::Continue)),
            _ => false,
        }
    }

    fn any(&self, stmt: &Stmt, is: &impl Fn(&Stmt) -> bool) -> bool {
        stmts(self.subject.unit, stmt).into_iter().any(is)
    }
}
