//! Calls that are inlined, and the statements before which that may be done.

use super::{changes_memory, gets_memory, is_pure};
use crate::{
    ast::{Binary, Expr, ExprKind, Space, Stmt, StmtKind, Type, Unit, VariableId},
    localize::{Subject, mentions, subexprs},
};

/// A call of a function that gets an array.
pub(super) struct CallSite<'a> {
    pub(super) call: &'a Expr,
    /// The statement before which others may stand for the call; none if the call may not be evaluated, or not just
    /// then.
    pub(super) place: Option<Place<'a>>,
}

/// The statement that a call is in.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) stmt: &'a Stmt,
    /// Whether other statements may stand beside it without braces.
    pub(super) is_in_block: bool,
    /// Whether it does nothing but call the function and keep its value.
    pub(super) is_all: bool,
}

/// Calls in a statement that have no such calls in their arguments.
pub(super) fn call_sites<'a>(subject: Subject<'a>, stmt: &'a Stmt) -> Vec<CallSite<'a>> {
    let mut search = CallSearch {
        unit: subject.unit,
        sites: Vec::new(),
    };
    search.stmt(stmt, false);
    search.sites
}

struct CallSearch<'a> {
    unit: &'a Unit,
    sites: Vec<CallSite<'a>>,
}

impl<'a> CallSearch<'a> {
    fn stmt(&mut self, stmt: &'a Stmt, is_in_block: bool) {
        let place = Place {
            stmt,
            is_in_block,
            is_all: false,
        };
        match &stmt.kind {
            StmtKind::Block(stmts) => stmts.iter().for_each(|it| self.stmt(it, true)),
            StmtKind::Declare(variables) => {
                for id in variables {
                    if let Some(initial) = &self.unit.variables[*id].initial {
                        let is_all = is_call(initial);
                        let place = Some(Place { is_all, ..place });
                        let place = place.filter(|_| variables.len() == 1);
                        self.statement(initial, initial, place);
                    }
                }
            }
            StmtKind::Expr(expr) => self.expr_stmt(expr, place),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.statement(condition, condition, Some(place));
                self.stmt(then, false);
                otherwise.iter().for_each(|it| self.stmt(it, false));
            }
            StmtKind::Loop {
                first,
                condition,
                step,
                body,
                ..
            } => {
                if let Some(StmtKind::Expr(expr)) = first.as_deref().map(|it| &it.kind) {
                    self.expr(expr, None);
                }
                let head = [condition, step].into_iter().flatten();
                head.for_each(|it| self.expr(it, None));
                self.stmt(body, false);
            }
            StmtKind::Switch { on, body } => {
                self.statement(on, on, Some(place));
                self.stmt(body, false);
            }
            StmtKind::Case(_, behind) => self.stmt(behind, false),
            StmtKind::Return(Some(value)) => {
                self.statement(value, value, Some(place));
            }
            StmtKind::Other(_, stmts) => stmts.iter().for_each(|it| self.stmt(it, false)),
            StmtKind::Return(None) | StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn expr_stmt(&mut self, expr: &'a Expr, place: Place<'a>) {
        // What is set last is set behind all calls.
        let is_all = match &expr.kind {
            ExprKind::Assign(None, _, value) => is_call(value),
            _ => is_call(expr),
        };
        let place = Some(Place { is_all, ..place });
        match &expr.kind {
            ExprKind::Assign(_, target, value) => {
                self.statement(target, expr, place);
                self.statement(value, expr, place);
            }
            _ => self.statement(expr, expr, place),
        }
    }

    /// Finds calls in an expression that is a statement's, or a part of it. A call that is put before the statement
    /// must not be given what the statement changes.
    fn statement(&mut self, part: &'a Expr, all: &'a Expr, place: Option<Place<'a>>) {
        let before = self.sites.len();
        self.expr(part, place);
        let changed = match &all.kind {
            ExprKind::Assign(_, target, value) => [changed(target), changed(value)].concat(),
            _ => changed(all),
        };
        for site in &mut self.sites[before..] {
            let is_given = changed
                .iter()
                .any(|it| it.is_none_or(|id| mentions(site.call, id)));
            let is_alone = !has_effect(self.unit, all, site.call);
            site.place = site.place.filter(|_| !is_given && is_alone);
        }
    }

    /// Finds calls in an expression; those that may not be evaluated have no place.
    fn expr(&mut self, expr: &'a Expr, place: Option<Place<'a>>) {
        let before = self.sites.len();
        match &expr.kind {
            ExprKind::Conditional(condition, yes, no) => {
                self.expr(condition, place);
                self.expr(yes, None);
                self.expr(no, None);
            }
            ExprKind::Binary(Binary::And | Binary::Or | Binary::Comma, left, right) => {
                self.expr(left, place);
                self.expr(right, None);
            }
            _ => expr.parts().iter().for_each(|it| self.expr(it, place)),
        }
        let is_inmost = self.sites.len() == before;
        if let ExprKind::Call(name, _) = &expr.kind
            && is_inmost
            && self.unit.is_only(name)
            && let Some(function) = self.unit.function(name)
            && gets_memory(self.unit, function)
        {
            self.sites.push(CallSite { call: expr, place });
        }
    }
}

/// Whether an expression is a call, or a conversion of its value.
fn is_call(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(..) => true,
        ExprKind::Convert(inner) => is_call(inner),
        _ => false,
    }
}

/// Variables that an expression sets, except in functions that it calls; none for what is set through a pointer.
fn changed(expr: &Expr) -> Vec<Option<VariableId>> {
    let all = subexprs(expr).into_iter();
    let all = all.filter_map(|expr| match &expr.kind {
        ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } => {
            Some(target.variable())
        }
        ExprKind::Other(..) => Some(None),
        _ => None,
    });
    all.collect()
}

/// Whether a call in an expression, other than `besides`, may change what others read.
fn has_effect(unit: &Unit, expr: &Expr, besides: &Expr) -> bool {
    if std::ptr::eq(expr, besides) {
        return false;
    }
    let own = match &expr.kind {
        ExprKind::Call(name, given) => match unit.function(name) {
            Some(function) => {
                let is_pointer = |it: &Expr| matches!(it.ty, Type::Pointer(Space::Private, _));
                !is_pure(unit, function) || given.iter().any(is_pointer)
            }
            None => changes_memory(name),
        },
        _ => false,
    };
    own || expr.parts().iter().any(|it| has_effect(unit, it, besides))
}
