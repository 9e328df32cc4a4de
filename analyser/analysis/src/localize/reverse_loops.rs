//! Reverses loops that count down by one, so that they count up: with the same iterations, in the same order.

use super::{Edit, ForLoop, Reason, Rewrite, Subject, apply_edits, stmts, subexprs};
use crate::ast::{Binary, Expr, ExprKind, Kind, Stmt};

/// The source with each `for (int i = first; i >= end; --i)` of the kernel as `for (int i_up = end; i_up <= first;
/// ++i_up)` with `i` computed in its body; none where there is no such loop. Macros must be gone from the kernel.
pub fn reverse_loops(subject: Subject<'_>) -> Option<String> {
    let kernel = subject.function()?;
    let mut rewrite = Rewrite::default();
    for stmt in stmts(subject.unit, &kernel.body) {
        if let Some(down) = CountdownLoop::from_stmt(subject, stmt) {
            // What can't be written stays.
            let _ = down.reverse(subject, &mut rewrite);
        }
    }
    let source = apply_edits(subject.source, &rewrite.edits)?;
    (source != subject.source).then_some(source)
}

/// A loop that counts down by one.
struct CountdownLoop<'a> {
    for_loop: ForLoop<'a>,
    head: &'a Stmt,
    first: &'a Expr,
    end: &'a Expr,
    /// Whether there is an iteration with `i == end`.
    is_within: bool,
}

impl<'a> CountdownLoop<'a> {
    fn from_stmt(subject: Subject<'a>, stmt: &'a Stmt) -> Option<Self> {
        let for_loop = ForLoop::from_stmt(subject.unit, stmt)?;
        let head = for_loop
            .declared()
            .filter(|_| for_loop.grows_by() == Some(-1))?;
        let (left, end, is_within) = match &for_loop.condition?.kind {
            ExprKind::Binary(Binary::Greater, left, end) => (left, end, false),
            ExprKind::Binary(Binary::GreaterOrEqual, left, end) => (left, end, true),
            _ => return None,
        };
        let (id, first) = (for_loop.variable, for_loop.first?);
        let variable = &subject.unit.variables[id];
        let is_read = matches!(&left.kind, ExprKind::Load(inner) if inner.variable() == Some(id));
        let scalar = variable.ty.scalar().filter(|_| variable.ty.is_whole());
        let is_signed = scalar.is_some_and(|it| it.kind == Kind::Signed && it.bytes >= 4);
        // Of one type, so that nothing is converted to be compared.
        let is_one_type = [&first.ty, &left.ty, &end.ty]
            .iter()
            .all(|ty| **ty == variable.ty);
        let stays = |it| is_steady(subject, it, for_loop.body);
        let is_steady = !subject.is_changed(for_loop.body, id) && stays(first) && stays(end);
        (is_read && is_signed && is_one_type && is_steady).then_some(Self {
            for_loop,
            head,
            first,
            end,
            is_within,
        })
    }

    fn reverse(&self, subject: Subject<'_>, rewrite: &mut Rewrite) -> Result<(), Reason> {
        let variable = &subject.unit.variables[self.for_loop.variable];
        let (ty, name) = (&variable.ty, &variable.name);
        let head =
            subject.tokens(&self.head.span)?.start..subject.tokens(&self.for_loop.step.span)?.end;
        let body = subject.tokens(&self.for_loop.body.span)?;
        let after = subject.end(self.for_loop.body)?;
        if subject.has_directive(&(head.start..body.start)) {
            return Err(Reason::Directive);
        }
        let at = head.end;
        let indent = subject.indent(head.start).to_owned();
        let first = match self.first.kind {
            ExprKind::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, ..) => {
                subject.text(&subject.range(&self.first.span)?).to_owned()
            }
            _ => in_brackets(subject, self.first)?,
        };
        let end = in_brackets(subject, self.end)?;
        let up = rewrite.name(subject, &format!("{name}_up"));
        let order = if self.is_within { "<=" } else { "<" };
        let count = format!("{ty} {up} = {end}; {up} {order} {first}; ++{up}");
        let iterations = match self.end.kind {
            ExprKind::Integer(0) => up,
            _ => format!("({up} - {end})"),
        };
        let declared = format!("const {ty} {name} = {first} - {iterations};");
        rewrite.replace(head, count);
        let line = format!("\n{indent}    {declared}");
        if subject.text(&body).starts_with('{') {
            rewrite.edits.push(Edit::insert(body.start + 1, line));
        } else {
            let between = subject.source[at..body.start].find(')');
            let behind = at + between.ok_or(Reason::InMacro)? + 1;
            rewrite
                .edits
                .push(Edit::insert(behind, format!(" {{{line}")));
            let closed = Edit::insert(after, format!("\n{indent}}}"));
            rewrite.edits.push(closed);
        }
        Ok(())
    }
}

/// The text of an expression, in brackets if it is more than a word.
fn in_brackets(subject: Subject<'_>, expr: &Expr) -> Result<String, Reason> {
    let text = subject.text(&subject.range(&expr.span)?);
    Ok(match expr.kind {
        ExprKind::Load(_) | ExprKind::Integer(_) => text.to_owned(),
        _ => format!("({text})"),
    })
}

/// Whether an expression has only numbers, and variables that a loop's body does not change.
fn is_steady(subject: Subject<'_>, whole: &Expr, body: &Stmt) -> bool {
    subexprs(whole).iter().all(|expr| match &expr.kind {
        ExprKind::Variable(id) => !subject.is_changed(body, *id),
        ExprKind::Integer(_) | ExprKind::Load(_) | ExprKind::Binary(..) => true,
        _ => false,
    })
}
