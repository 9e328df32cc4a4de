//! Uniformity: which expressions have the same value for all work-items of a work-group, because they are made of
//! arguments, sizes and numbers. And which expressions may be computed by a work-item that has no work.

use crate::{
    ast::{
        Binary, Expr, ExprKind, Kind, Space, Stmt, StmtKind, Type, Unary, VariableId, unconverted,
    },
    localize::{ForLoop, Reason, Subject, refuse_if, stmts, wraparound::may_be_huge},
};

/// The deepest nesting of variables in variables' initial values.
const MOST_VARIABLE_DEPTH: usize = 8;

/// Uniform expressions at a place in the kernel.
pub(super) struct Uniformity<'a> {
    subject: Subject<'a>,
    /// Variables of loops that all work-items run.
    counting: Vec<VariableId>,
}

impl<'a> Uniformity<'a> {
    pub(super) fn new(subject: Subject<'a>) -> Self {
        Self {
            subject,
            counting: Vec::new(),
        }
    }

    /// Enters a loop `for (int i = first; i < end; i += 4)` that all work-items run equally often, and that ends
    /// whatever its bounds are: a hoisted guard no longer keeps some work-items from it.
    ///
    /// # Errors
    /// The loop is of another form.
    pub(super) fn enter(&mut self, stmt: &Stmt) -> Result<(), Reason> {
        let for_loop = ForLoop::from_stmt(self.subject.unit, stmt).ok_or(Reason::Divergent)?;
        let (variables, id) = (&self.subject.unit.variables, for_loop.variable);
        let first = match for_loop.head {
            Some(_) => for_loop.first,
            // What it is before, all have alike where nothing has changed it since it was declared.
            None if self.is_changed_before(id, stmt) => None,
            None => variables[id].initial.as_ref(),
        };
        let (Some(first), Some(condition)) = (first, for_loop.condition) else {
            return Err(Reason::Divergent);
        };
        let is_private = variables[id].space == Space::Private;
        let ends = ends(&for_loop, condition) && ![first, condition].into_iter().any(may_be_huge);
        if !self.is_uniform(first)
            || !ends
            || !is_private
            || self.subject.is_changed(for_loop.body, id)
        {
            return Err(Reason::Divergent);
        }
        self.counting.push(id);
        refuse_if(!self.is_uniform(condition), Reason::Divergent)
    }

    /// Whether a variable is set before a loop, or the loop is in another one.
    fn is_changed_before(&self, id: VariableId, loop_stmt: &Stmt) -> bool {
        let Some(function) = self.subject.function() else {
            return true;
        };
        let mut all = stmts(self.subject.unit, &function.body).into_iter();
        all.any(|stmt| {
            let is_before = stmt.span.end.offset < loop_stmt.span.begin.offset;
            let is_around = matches!(stmt.kind, StmtKind::Loop { .. })
                && stmt.span.begin.offset < loop_stmt.span.begin.offset
                && loop_stmt.span.end.offset <= stmt.span.end.offset;
            (is_before || is_around) && self.subject.is_changed(stmt, id)
        })
    }

    /// Leaves the loop that was entered last: behind it, its variable is unknown.
    pub(super) fn leave(&mut self) {
        self.counting.pop();
    }

    /// Whether an expression is the same for all work-items of a work-group, and any may compute it.
    pub(super) fn is_uniform(&self, expr: &Expr) -> bool {
        self.is_uniform_within(expr, MOST_VARIABLE_DEPTH)
    }

    fn is_uniform_within(&self, expr: &Expr, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let is_itself = match &expr.kind {
            ExprKind::Load(place) => {
                return match field_of(place) {
                    Some(id) => self.is_parameter(id) && self.subject.is_fixed(id),
                    None => variable(place).is_some_and(|id| self.is_uniform_variable(id, depth)),
                };
            }
            ExprKind::Call(name, _) => {
                let uniform = [
                    "get_group_id",
                    "get_num_groups",
                    "get_global_size",
                    "get_local_size",
                    "get_work_dim",
                    "min",
                    "max",
                ];
                self.is_built_in(name) && uniform.contains(&&**name)
            }
            kind => matches!(kind, ExprKind::Conditional(..)) || is_simple(expr),
        };
        let mut parts = expr.parts().into_iter();
        is_itself && parts.all(|it| self.is_uniform_within(it, depth))
    }

    /// Whether a variable is the same for all work-items wherever it is read.
    fn is_uniform_variable(&self, id: VariableId, depth: usize) -> bool {
        if self.counting.contains(&id) {
            return true;
        }
        let variable = &self.subject.unit.variables[id];
        if !matches!(variable.ty, Type::Scalar(_)) || !self.subject.is_fixed(id) {
            return false;
        }
        let initial = variable.initial.as_ref();
        self.is_parameter(id) || initial.is_some_and(|first| self.is_uniform_within(first, depth))
    }

    fn is_parameter(&self, id: VariableId) -> bool {
        let function = self.subject.function();
        function.is_some_and(|function| function.parameters.contains(&id))
    }

    /// Whether any work-item may compute an expression: it reads no memory, changes nothing and can't fail.
    pub(super) fn is_harmless(&self, expr: &Expr) -> bool {
        let is_itself = match &expr.kind {
            ExprKind::Load(place) => return place.variable().is_some(),
            ExprKind::Decay(inner) => return matches!(inner.kind, ExprKind::Variable(_)),
            ExprKind::Reinterpret(_)
            | ExprKind::Components(..)
            | ExprKind::Conditional(..)
            | ExprKind::List(_) => true,
            ExprKind::Call(name, _) => {
                let is_number = name.starts_with("get_") || name.starts_with("convert_");
                let is_known =
                    is_number || ["min", "max", "clamp", "mad24", "mul24"].contains(&&**name);
                self.is_built_in(name) && is_known
            }
            _ => is_simple(expr),
        };
        is_itself && expr.parts().into_iter().all(|it| self.is_harmless(it))
    }

    /// Whether arguments alone decide a part of a condition: `i < n && m <= 32` keeps all work-items from what is
    /// behind it where `m` is 40, and only the author knows from what.
    pub(super) fn decides_for_all(&self, condition: &Expr) -> bool {
        self.decides_within(condition, MOST_VARIABLE_DEPTH)
    }

    fn decides_within(&self, condition: &Expr, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return true;
        };
        match &unconverted(condition).kind {
            ExprKind::Unary(Unary::Not, inner) => self.decides_within(inner, depth),
            ExprKind::Binary(Binary::And | Binary::Or, one, other) => [one, other]
                .into_iter()
                .any(|side| self.is_uniform(side) || self.decides_within(side, depth)),
            ExprKind::Load(place) => variable(place)
                .and_then(|id| self.subject.unit.variables[id].initial.as_ref())
                .is_some_and(|first| self.decides_within(first, depth)),
            _ => false,
        }
    }

    fn is_built_in(&self, name: &str) -> bool {
        self.subject.unit.function(name).is_none()
    }
}

/// Whether an expression is a number, a conversion, or arithmetic that can't fail: whole numbers can't be divided by 0.
fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::Convert(_) => true,
        ExprKind::Unary(operation, _) => {
            matches!(operation, Unary::Minus | Unary::Complement | Unary::Not)
        }
        ExprKind::Binary(Binary::Comma, ..) => false,
        ExprKind::Binary(Binary::Divide | Binary::Remainder, _, by) => {
            let is_float = expr.ty.scalar().is_some_and(|it| it.kind == Kind::Float);
            is_float || matches!(unconverted(by).kind, ExprKind::Integer(by) if by > 0)
        }
        ExprKind::Binary(..) => true,
        _ => false,
    }
}

/// Whether a loop's variable goes towards the bound in its condition.
fn ends(for_loop: &ForLoop<'_>, condition: &Expr) -> bool {
    let id = for_loop.variable;
    let ExprKind::Binary(operation, one, other) = &condition.kind else {
        return false;
    };
    let is_place = |expr: &Expr| unconverted(expr).loaded_variable() == Some(id);
    // `i + 4 <= n`, too.
    let is_it = |expr: &Expr| match &unconverted(expr).kind {
        ExprKind::Binary(Binary::Add, one, by) => {
            is_place(one) && matches!(unconverted(by).kind, ExprKind::Integer(0..))
        }
        _ => is_place(expr),
    };
    let rises = match operation {
        Binary::Less | Binary::LessOrEqual => is_it(one),
        Binary::Greater | Binary::GreaterOrEqual => is_it(other),
        _ => return false,
    };
    let is_bounded = is_it(one) != is_it(other);
    let goes = |by: i128| if rises { by > 0 } else { by < 0 };
    is_bounded && for_loop.grows_by().is_some_and(goes)
}

fn variable(place: &Expr) -> Option<VariableId> {
    match place.kind {
        ExprKind::Variable(id) => Some(id),
        _ => None,
    }
}

/// The structure that has a field.
fn field_of(place: &Expr) -> Option<VariableId> {
    match &place.kind {
        ExprKind::Member(inner, _) => variable(inner).or_else(|| field_of(inner)),
        _ => None,
    }
}
