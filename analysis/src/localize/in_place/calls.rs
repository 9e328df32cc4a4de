//! Which calls are put in place, and the statement before which that may be done.

use crate::{
    ast::{Binary, Expr, ExprKind, Stmt, StmtKind, Unit},
    localize::{in_place::gets_memory, subject::Subject},
};

/// A call of a function that gets an array.
pub(super) struct Found<'a> {
    pub(super) call: &'a Expr,
    /// Where statements in its place may stand; none where it may not be evaluated, or not just then.
    pub(super) place: Option<Place<'a>>,
}

/// The statement that a call is in.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) stmt: &'a Stmt,
    /// Whether others may stand beside it without braces.
    pub(super) is_in_block: bool,
    /// Whether it does nothing but call, and keep what that gives.
    pub(super) is_all: bool,
}

/// Calls in a statement that have no such calls in what they are given.
pub(super) fn found<'a>(subject: Subject<'a>, stmt: &'a Stmt) -> Vec<Found<'a>> {
    let mut search = Search {
        unit: subject.unit,
        found: Vec::new(),
    };
    search.stmt(stmt, false);
    search.found
}

struct Search<'a> {
    unit: &'a Unit,
    found: Vec<Found<'a>>,
}

impl<'a> Search<'a> {
    fn stmt(&mut self, stmt: &'a Stmt, is_in_block: bool) {
        let place = |is_all| {
            Some(Place {
                stmt,
                is_in_block,
                is_all,
            })
        };
        match &stmt.kind {
            StmtKind::Block(of) => of.iter().for_each(|it| self.stmt(it, true)),
            StmtKind::Declare(variables) => {
                for id in variables {
                    if let Some(initial) = &self.unit.variables[*id].initial {
                        let is_only = variables.len() == 1 && changes(initial) == 0;
                        let place = place(is_call(initial)).filter(|_| is_only);
                        self.expr(initial, place);
                    }
                }
            }
            StmtKind::Expr(expr) => {
                let (value, own) = match &expr.kind {
                    ExprKind::Assign(None, _, value) => (&**value, 1),
                    ExprKind::Assign(Some(_), ..) => (expr, 1),
                    _ => (expr, 0),
                };
                let place = place(is_call(value)).filter(|_| changes(expr) == own);
                self.expr(expr, place);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition, place(false).filter(|_| changes(condition) == 0));
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
                self.expr(on, place(false).filter(|_| changes(on) == 0));
                self.stmt(body, false);
            }
            StmtKind::Case(_, behind) => self.stmt(behind, false),
            StmtKind::Return(Some(value)) => {
                self.expr(value, place(false).filter(|_| changes(value) == 0));
            }
            StmtKind::Other(_, of) => of.iter().for_each(|it| self.stmt(it, false)),
            StmtKind::Return(None) | StmtKind::Break | StmtKind::Continue => {}
        }
    }

    /// Calls in an expression; those that may not come to be evaluated have no place.
    fn expr(&mut self, expr: &'a Expr, place: Option<Place<'a>>) {
        let before = self.found.len();
        match &expr.kind {
            ExprKind::Conditional(condition, yes, no) => {
                self.expr(condition, place);
                self.expr(yes, None);
                self.expr(no, None);
            }
            ExprKind::Binary(Binary::And | Binary::Or, left, right) => {
                self.expr(left, place);
                self.expr(right, None);
            }
            _ => expr.parts().iter().for_each(|it| self.expr(it, place)),
        }
        let is_inmost = self.found.len() == before;
        if let ExprKind::Call(name, _) = &expr.kind
            && is_inmost
            && self.unit.is_only(name)
            && let Some(function) = self.unit.function(name)
            && gets_memory(self.unit, function)
        {
            self.found.push(Found { call: expr, place });
        }
    }
}

/// Whether an expression is a call, or what becomes of its value by conversion.
fn is_call(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(..) => true,
        ExprKind::Convert(of) => is_call(of),
        _ => false,
    }
}

/// How often an expression sets something, calls of functions left out.
fn changes(expr: &Expr) -> usize {
    let own = matches!(
        expr.kind,
        ExprKind::Assign(..) | ExprKind::Increment { .. } | ExprKind::Other(..)
    );
    let parts = expr.parts().into_iter().map(changes);
    usize::from(own) + parts.sum::<usize>()
}
